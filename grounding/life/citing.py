"""A port: who cites a document. Whoever stands above the runs and the proposals answers.

The reader is named in settings, because grounding knows neither. It offers `count`, `places` and
`forget`, each over ids of versions.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings

from opspilot.tenancy.principal import Principal


@dataclass(frozen=True, slots=True)
class Cited:
    """How many cite a document. `waiting` are the proposals that nobody has decided yet."""

    answers: int
    proposals: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Place:
    """One that cites it: words, where it is read (empty where this person may not), and when."""

    words: str
    url: str
    at: dt.datetime


def count(version_ids: Sequence[int]) -> Cited:
    return Cited(**_reader().count(list(version_ids)))


def places(version_ids: Sequence[int], *, principal: Principal, limit: int) -> list[Place]:
    """The newest first."""
    found = _reader().places(list(version_ids), principal=principal, limit=limit)
    return [Place(**item) for item in found]


def forget(version_ids: Sequence[int]) -> int:
    """Blank what answers keep of these versions' text, in the open transaction; how many answers."""
    return int(_reader().forget(list(version_ids)))


def _reader() -> Any:
    return import_module(settings.OPSPILOT_CITATION_READER)
