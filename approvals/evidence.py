"""A port: approvals keeps ids and spans of what was cited; whoever owns the text renders it.

The reader is named in settings, because approvals and grounding never import each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from opspilot.tenancy.principal import Principal


@dataclass(frozen=True, slots=True)
class Quote:
    """A cited passage as it reads now; `gone` marks one that was deleted. One that the reader may not
    read has no text."""

    text: str
    title: str
    url: str
    version: int | None
    part: int | None
    gone: bool = False
    stale: str = ""  # the warning, where the document's review date has passed


@dataclass(frozen=True, slots=True)
class Runbook:
    """What an admin linked to a task's template, as its owner tells it."""

    title: str
    url: str
    version: int | None
    stale: str


def quotes(evidence: Sequence[dict[str, Any]], *, who: Principal) -> list[Quote]:
    """The passages behind a proposal, in the order of its evidence, as this person may read them."""
    read = import_string(settings.OPSPILOT_EVIDENCE_READER)
    return [Quote(**item) for item in read(evidence, who=who)]


def runbooks(template: int, *, who: Principal) -> list[Runbook]:
    """The runbooks of a template of Semaphore that this person may read."""
    read = import_string(settings.OPSPILOT_RUNBOOK_READER)
    return [Runbook(**item) for item in read(template, who=who)]
