"""The rows of the last checks: made for a company, read, and asked for again by a person."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from opspilot.conectores.models import Connector, ConnectorCheck
from opspilot.errors import RefusedError
from opspilot.queue import wake
from opspilot.tenancy.scope import current_tenant_id

PAUSE = dt.timedelta(minutes=1)  # between two checks that people ask for
OLD = dt.timedelta(hours=1)


class JustCheckedError(RefusedError):
    code = "conferido_agora"
    http_status = 429
    title = _("A conferência acabou de ser pedida")
    what = _("Cada conferência faz perguntas ao sistema remoto; uma por minuto basta.")
    next_step = _("Leia o resultado nesta página e, se preciso, peça de novo em um minuto.")


def make() -> None:
    """A row for each connector of the company; those that are there are left as they are."""
    first = Now() if settings.OPSPILOT_CHECK_SECONDS > 0 else None
    ConnectorCheck.objects.bulk_create(
        [
            ConnectorCheck(tenant_id=current_tenant_id(), connector=connector, next_at=first)
            for connector in Connector
        ],
        ignore_conflicts=True,
    )


def rows() -> dict[str, ConnectorCheck]:
    """By connector; empty before the worker has looked at the company at all."""
    return {row.connector: row for row in ConnectorCheck.objects.all()}


def press() -> None:
    """Ask for all connectors now. Raises JustCheckedError within PAUSE of the last time."""
    make()
    rested = Q(pressed_at__isnull=True) | Q(pressed_at__lt=Now() - PAUSE)
    if not ConnectorCheck.objects.filter(rested).update(pressed_at=Now(), next_at=Now()):
        raise JustCheckedError(back_url=reverse("conectores:index"))
    wake("checks")
