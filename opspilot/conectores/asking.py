"""One check of one connector, now: every question is a guarded call of its own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from django.conf import settings

from opspilot.conectores.allowed import Allowed
from opspilot.conectores.models import Connector
from opspilot.connectors import gitlab_doctor, readers, semaphore_doctor
from opspilot.connectors.errors import PostponedError
from opspilot.connectors.findings import Finding, FindingState
from opspilot.connectors.gitlab_doctor import GitLabReader
from opspilot.connectors.guarded import guarded
from opspilot.connectors.semaphore_doctor import SemaphoreReader

_ORDER: tuple[FindingState, ...] = ("ok", "atencao", "falha")


@dataclass(frozen=True, slots=True)
class Checked:
    """`postponed`: the seconds after which to ask again, since not all could be asked now."""

    findings: tuple[Finding, ...]
    postponed: float | None = None


def _nothing() -> None:
    return None


class _Questions:
    """A reader whose every question first does `before` and then takes a slot and the breaker."""

    def __init__(
        self, reader: object, *, connector: Connector, tenant_id: UUID, before: Callable[[], None]
    ) -> None:
        self._reader, self._connector = reader, connector
        self._tenant_id, self._before = tenant_id, before
        self.postponed: float | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        ask = getattr(self._reader, name)

        def asked(*values: Any) -> Any:
            self._before()
            try:
                with guarded(self._connector.value, tenant_id=self._tenant_id):
                    return ask(*values)
            except PostponedError as exc:
                self.postponed = exc.retry_after
                raise

        return asked


def is_configured(connector: Connector) -> bool:
    address = {
        Connector.GITLAB: settings.OPSPILOT_GITLAB_URL,
        Connector.SEMAPHORE: settings.OPSPILOT_SEMAPHORE_URL,
    }[connector]
    return bool(address)


def check(
    *,
    connector: Connector,
    allowed: Allowed,
    tenant_id: UUID,
    reader: object | None = None,
    before: Callable[[], None] = _nothing,
) -> Checked:
    """Outside every transaction. Where the breaker or the slots let a question wait, the findings
    say so in place of what nobody answered."""
    questions = _Questions(
        reader or _reader(connector), connector=connector, tenant_id=tenant_id, before=before
    )
    found = _examined(connector, questions, allowed)
    if questions.postponed is None:
        return Checked(found)
    facts = {"motivo": "adiado", "segundos": round(questions.postponed)}
    return Checked((Finding("alcance", "falha", facts),), questions.postponed)


def worst(findings: Sequence[Finding]) -> FindingState:
    return max((finding.state for finding in findings), key=_ORDER.index, default="ok")


def as_rows(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [{"check": one.check, "state": one.state, "facts": dict(one.facts)} for one in findings]


def _reader(connector: Connector) -> object:
    if connector == Connector.GITLAB:
        return readers.gitlab_reader()
    return readers.semaphore_reader()


def _examined(connector: Connector, questions: _Questions, allowed: Allowed) -> tuple[Finding, ...]:
    if connector == Connector.GITLAB:
        return gitlab_doctor.examine(
            reader=cast("GitLabReader", questions),
            projects=allowed.projects,
            today=dt.datetime.now(dt.UTC).date(),
        )
    return semaphore_doctor.examine(
        reader=cast("SemaphoreReader", questions), templates=allowed.templates
    )
