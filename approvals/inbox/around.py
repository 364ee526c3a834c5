"""What the page of one proposal shows around its frozen action, read by one statement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.db.models import Model

from approvals.agents.uses import Use
from approvals.deciders import delegation
from approvals.deciders.delegation import Reach
from approvals.models import (
    AgenteAprovacao,
    Comment,
    Consumption,
    Decision,
    EffectReport,
    Escalation,
    Execution,
    ExecutionAttempt,
    OpenIssueList,
    State,
)
from approvals.rules import Version
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal

COMMENTS = 200  # the newest of them
DECIDED = 20  # decided ones among which the most alike is looked for
WAITING = 100  # pending ones that are compared, newest first
_SQL = Path(__file__).parents[1] / "sql"
_FILES = (_SQL / "around.sql", _SQL / "similar.sql", delegation.READER)
_Row = TypeVar("_Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Titles:
    """Other proposals of the same kind and target by their titles, the newest first: decided as
    (id, title), and for a pending one those that wait too, as (ref, title, who asked)."""

    decided: list[tuple[int, str | None]]
    waiting: list[tuple[str, str | None, str]]


@dataclass(frozen=True, slots=True)
class Around:
    """`now` is the moment of all of it. `issues` and `holders`, everybody's roles by the number of
    the person, are read for a pending proposal only. `about` are the proposals about its effect, as
    (ref, kind, state, state of the effect). Comments are the newest COMMENTS."""

    now: dt.datetime
    decisions: list[Decision]
    escalations: list[Escalation]
    comments: list[Comment]
    execution: Execution | None
    attempts: list[ExecutionAttempt]
    about: list[tuple[str, str, str, str | None]]
    use: Use | None
    issues: OpenIssueList | None
    holders: list[tuple[int, list[str]]]
    made_under: Version | None
    in_force: Version | None
    titles: Titles
    reach: Reach


def read(*, principal: Principal, proposal: AgenteAprovacao) -> Around:
    found = sql.record(*_FILES, **delegation.reader(principal), **_asked(proposal))
    versions = {number: Version(number, sha256) for number, sha256 in found["versions"]}
    return Around(
        now=found["now"],
        decisions=_rows(Decision, found["decisions"]),
        escalations=_rows(Escalation, found["escalations"]),
        comments=_rows(Comment, found["comments"]),
        execution=_row(Execution, found["execution"]),
        attempts=_rows(ExecutionAttempt, found["attempts"]),
        about=found["about"],
        use=_use(found),
        issues=_row(OpenIssueList, found["issues"]),
        holders=found["holders"],
        made_under=versions.get(proposal.politica_versao),
        in_force=versions[max(versions)] if versions else None,
        titles=Titles(found["decided"], found["waiting"]),
        reach=delegation.reach_in(found, principal),
    )


def _asked(proposal: AgenteAprovacao) -> dict[str, Any]:
    return {
        "here": proposal.pk,
        "kind": proposal.acao,
        "target": proposal.destino_hash,
        "pending": proposal.estado == State.PENDENTE,
        "made_under": proposal.politica_versao,
        "comments": COMMENTS,
        "most_decided": DECIDED,
        "most_waiting": WAITING,
    }


def _use(found: Mapping[str, Any]) -> Use | None:
    consumption = _row(Consumption, found["consumption"])
    return Use(consumption, _row(EffectReport, found["report"])) if consumption else None


def _rows(model: type[_Row], found: list[dict[str, Any]]) -> list[_Row]:
    return [sql.built(model, row) for row in found]


def _row(model: type[_Row], found: dict[str, Any] | None) -> _Row | None:
    return sql.built(model, found) if found else None
