"""One model four times: without a history, and with each of the peers'."""

from __future__ import annotations

from importlib import import_module

from django.db import models

# Imported by name: the packages are there only while they are measured.
_auditlog = import_module("auditlog.registry").auditlog
_pghistory = import_module("pghistory")
_simple_history = import_module("simple_history.models")


class Ticket(models.Model):
    title = models.CharField(max_length=200)
    body = models.TextField()
    state = models.CharField(max_length=20)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title


class Plain(Ticket):
    pass


class Logged(Ticket):
    pass


class Kept(Ticket):
    history = _simple_history.HistoricalRecords()


@_pghistory.track()
class Tracked(Ticket):
    pass


_auditlog.register(Logged)
