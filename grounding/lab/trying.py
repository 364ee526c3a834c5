"""The saved questions measured with each fusion, and a change of the one in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max

from audit import trail
from grounding.lab import questions
from grounding.lab.errors import ReasonForFloorError, SameFusionError
from grounding.measuring import metrics
from grounding.measuring.metrics import Interval, Scores
from grounding.models import Fusion, FusionChoice, LabQuestion, LabState
from grounding.retrieval import choice, consult
from grounding.retrieval.consult import Legs
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope

FLOOR = 0.82  # nDCG@10: what the evaluation asks of questions it has not seen
MOST_LOST = 0.02  # nDCG@10 that another fusion may cost
LEAST = 10  # questions below which the figures say nothing
LEAST_REASON = 10  # characters
DEPTH = 20


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one fusion on some questions; `ndcg` is nDCG@10 with its 95 %."""

    questions: int
    ndcg: float
    interval: Interval
    recall: float  # @5


@dataclass(frozen=True, slots=True)
class Measured:
    """By slice ("" = all), then by fusion; `difference` is the other fusion's less the one's in force."""

    in_force: Fusion
    other: Fusion
    slices: Mapping[str, Mapping[Fusion, Figures]]
    difference: Mapping[str, float]

    @property
    def speaks_for_the_other(self) -> bool:
        figures = self.slices.get("", {}).get(self.other)
        if figures is None or figures.questions < LEAST:
            return False
        return figures.ndcg >= FLOOR and self.difference["difference"] >= -MOST_LOST


def measure(*, tenant_id: UUID, collections: Sequence[int]) -> Measured:
    """Opens its own scopes: questions are translated and embedded with none open."""
    with tenant_scope(tenant_id):
        mine = [one for one in questions.listed(LabState.TEST) if one.expected]
        now = choice.in_force()
    other = Fusion.RANKS if now == Fusion.Z_SCORES else Fusion.Z_SCORES
    found: dict[Fusion, list[Scores]] = {now: [], other: []}
    for one in mine:
        query = consult.prepare(one.text, tenant_id=tenant_id)
        with tenant_scope(tenant_id):
            legs = consult.legs(query=query, collections=collections)
            for fusion, scores in found.items():
                scores.append(_scores(one, legs, fusion))
    return Measured(now, other, _slices(mine, found), _difference(found[other], found[now]))


def publish(*, admin: Principal, fusion: Fusion, measured: Measured, reason: str) -> FusionChoice:
    """The change stands in the trail with its figures; against them only with a written reason."""
    if fusion == choice.in_force():
        raise SameFusionError
    if not measured.speaks_for_the_other and len(reason.strip()) < LEAST_REASON:
        raise ReasonForFloorError
    newest = FusionChoice.objects.aggregate(last=Max("number"))["last"] or 0
    row = FusionChoice.objects.create(
        tenant_id=admin.tenant_id,
        number=newest + 1,
        fusion=fusion,
        figures=_as_json(measured),
        reason=reason.strip(),
        by=admin.subject,
        by_name=admin.name,
    )
    _record(admin, measured, row)
    return row


def _scores(one: LabQuestion, legs: Legs, fusion: Fusion) -> Scores:
    ranked, _texts = consult.rank(legs, limit=DEPTH, per_document=1, by=fusion)
    names = [str(item.document_id) for item in ranked]
    return metrics.scores(names, {str(pk): 1 for pk in one.expected})


def _slices(
    mine: Sequence[LabQuestion], found: Mapping[Fusion, Sequence[Scores]]
) -> dict[str, dict[Fusion, Figures]]:
    """All of them, and the questions of each language."""
    names = ["", *sorted({one.language for one in mine if one.language})] if mine else []
    return {
        name: {fusion: _figures(_of(name, mine, scores)) for fusion, scores in found.items()}
        for name in names
    }


def _of(name: str, mine: Sequence[LabQuestion], scores: Sequence[Scores]) -> list[Scores]:
    pairs = zip(mine, scores, strict=True)
    return [score for one, score in pairs if not name or one.language == name]


def _figures(scores: Sequence[Scores]) -> Figures:
    means, spread = metrics.means(scores), metrics.intervals(scores)
    return Figures(len(scores), means["ndcg@10"], spread["ndcg@10"], means["recall@5"])


def _difference(ours: Sequence[Scores], theirs: Sequence[Scores]) -> dict[str, float]:
    if not ours:
        return {}
    return metrics.difference(metrics.ndcg_of(ours), metrics.ndcg_of(theirs))


def _as_json(measured: Measured) -> dict[str, Any]:
    return {
        "floor": FLOOR,
        "difference": dict(measured.difference),
        "slices": {
            name or "todas": {fusion.value: asdict(each) for fusion, each in figures.items()}
            for name, figures in measured.slices.items()
        },
    }


def _record(admin: Principal, measured: Measured, row: FusionChoice) -> None:
    changed = f"{measured.in_force.value} → {row.fusion}"
    figure = measured.difference.get("difference")
    said = f", nDCG@10 {figure:+.3f}" if figure is not None else ", sem medida"
    trail.record_act(
        admin,
        "busca.alterada",
        saida_resumo=changed + said + (f"; motivo: {row.reason}" if row.reason else ""),
        reversivel=True,
    )
