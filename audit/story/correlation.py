"""One run as a page: what took how long, every row, and where its answer and proposal are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from audit import entities, sources, wording
from audit.story import presenters
from audit.story.presenters import TrailEntry
from audit.story.queries import TrailLine
from opspilot.presentation.formats import clock_text
from opspilot.presentation.shapes import Point, Source, State

# What a run is made of; other correlations (a file, a policy) have no page of their own.
_OF_RUNS = {"conhecimento.consultado", "issue.criada"}


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    url: str
    icon: str


@dataclass(frozen=True, slots=True)
class TechnicalRow:
    """A row of the trail with its ids, for whoever compares it with the database."""

    entry: TrailEntry
    word: str
    state: State
    authorization: str
    took: str
    cost: str
    number: int
    people: str
    passages: str


def links(lines: Sequence[TrailLine]) -> list[Link]:
    """Where the run's answer, proposal and customer are read."""
    run_id, found = lines[0].correlation_id, []
    if any(line.action in _OF_RUNS for line in lines):
        found.append(Link(_("Pergunta e resposta"), reverse("rodadas:run", args=[run_id]), "ask"))
    if any(line.approval_id for line in lines):
        address = reverse("rodadas:proposal", args=[run_id])
        found.append(Link(_("Proposta e decisões"), address, "inbox"))
        address = reverse("approvals:proof_of_run", args=[run_id])
        found.append(Link(_("Prova deste efeito"), address, "check"))
    abouts = dict.fromkeys((line.entity_type, line.entity_id) for line in lines if line.entity_id)
    for type_, ref in abouts:
        if title := entities.title_of(type_=type_, ref=ref):
            address = reverse("audit:entity", args=[type_, ref])
            found.append(Link(_("Histórico de %(title)s") % {"title": title}, address, "person"))
    return found


def waits(lines: Sequence[TrailLine]) -> list[Point]:
    """Seconds from each row to the one before it; the first stands at zero."""
    gaps = [0.0, *((two.at - one.at).total_seconds() for one, two in pairwise(lines))]
    return [
        Point(
            _label(line),
            round(max(gap, 0.0), 2),
            wording.state(line.action, line.result, line.output),
        )
        for line, gap in zip(lines, gaps, strict=True)
    ]


def technical(lines: Sequence[TrailLine]) -> list[TechnicalRow]:
    return [
        TechnicalRow(
            entry=presenters.entry(line),
            word=wording.result(line.action, line.result, line.output),
            state=wording.state(line.action, line.result, line.output),
            authorization=wording.authorization(line),
            took=wording.seconds(line.milliseconds),
            cost=wording.cost(line.cost),
            number=line.id,
            people=line.approved_by or line.input or line.agent,
            passages=_ids(line.sources),
        )
        for line in lines
    ]


def cited(lines: Sequence[TrailLine]) -> list[Source]:
    known = sources.titles(line.sources for line in lines)
    return sources.cited((item for line in lines for item in line.sources), known)


def _label(line: TrailLine) -> str:
    return " · ".join(
        [
            clock_text(localtime(line.at)),
            wording.action(line.action, line.result, line.output),
            wording.result(line.action, line.result, line.output),
        ]
    )


def _ids(passages: Sequence[dict[str, Any]]) -> str:
    """Passage and version by number, as the column `fontes` has them."""
    pairs = dict.fromkeys((item.get("trecho"), item.get("versao")) for item in passages)
    return ", ".join(f"{chunk}/{version}" for chunk, version in pairs if chunk is not None)
