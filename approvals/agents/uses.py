"""What became of an approval that an agent consumes, as the pages and the rules read it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from approvals.models import (
    AgenteAprovacao,
    Consumption,
    EffectOutcome,
    EffectReport,
    State,
    Taking,
)
from approvals.policy import stored
from opspilot.presentation.shapes import Entry
from opspilot.presentation.shapes import State as Drawn
from opspilot.tenancy import clock


@dataclass(frozen=True, slots=True)
class Use:
    """How an approval was used up, and what was reported of it."""

    consumption: Consumption
    report: EffectReport | None


def of(proposal: AgenteAprovacao) -> Use | None:
    return of_many([proposal.pk]).get(proposal.pk)


def of_many(approval_ids: Iterable[int]) -> dict[int, Use]:
    """By approval, in two queries; those that were not used are left out."""
    rows = list(Consumption.objects.filter(approval_id__in=list(approval_ids)))
    reports = {
        report.consumption_id: report
        for report in EffectReport.objects.filter(consumption__in=rows)
    }
    return {row.approval_id: Use(row, reports.get(row.pk)) for row in rows}


def overdue() -> QuerySet[AgenteAprovacao]:
    """Approved for an agent that never came for it in time: somebody should know."""
    taken = Consumption.objects.filter(approval=OuterRef("pk"))
    return AgenteAprovacao.objects.filter(
        ~Exists(taken),
        estado=State.APROVADA,
        proposta__executor=stored.AGENT,
        executar_ate__lte=Now(),
    ).order_by("-executar_ate")


def states(proposals: Iterable[AgenteAprovacao]) -> dict[int, tuple[Drawn, str]]:
    """How each approved external action among them stands, drawn and in words; no query when there
    is none."""
    found = [row for row in proposals if _is_with_an_agent(row)]
    if not found:
        return {}
    used, now = of_many(row.pk for row in found), clock.now()
    return {row.pk: _state(row, used.get(row.pk), now) for row in found}


def state(proposal: AgenteAprovacao, use: Use | None, now: dt.datetime) -> tuple[Drawn, str] | None:
    """The same of one whose use is known; None for what no agent carries out."""
    return _state(proposal, use, now) if _is_with_an_agent(proposal) else None


def _is_with_an_agent(proposal: AgenteAprovacao) -> bool:
    return proposal.estado == State.APROVADA and stored.is_external(proposal.proposta)


def _state(proposal: AgenteAprovacao, use: Use | None, now: dt.datetime) -> tuple[Drawn, str]:
    if use is None:
        return _waiting(proposal, now)
    if use.consumption.kind == Taking.RETIRADA:
        return "pending", _("execução retirada")
    if use.report is None:
        return "running", _("com o agente")
    return _REPORTED[use.report.outcome], str(use.report.get_outcome_display())


def can_still_be_taken(proposal: AgenteAprovacao) -> bool:
    """Whether it is approved, in time, and nobody has taken it or taken it back."""
    return in_time(proposal, clock.now()) and of(proposal) is None


def in_time(proposal: AgenteAprovacao, now: dt.datetime) -> bool:
    return proposal.estado == State.APROVADA and now < proposal.executar_ate


def never_happened(proposal: AgenteAprovacao, *, now: dt.datetime) -> bool:
    """Whether an approved action was certainly not carried out, and never will be."""
    use = of(proposal)
    if use is None:
        return now >= proposal.executar_ate
    if use.consumption.kind == Taking.RETIRADA:
        return True
    return use.report is not None and use.report.outcome == EffectOutcome.RECUSADO


def timeline(use: Use | None) -> list[Entry]:
    """The lines that follow the decision on the proposal's page."""
    if use is None:
        return []
    row, report = use.consumption, use.report
    taken = {
        Taking.CONSUMIDA: _("%(who)s consumiu a aprovação: só este agente, só uma vez."),
        Taking.RETIRADA: _("%(who)s retirou a execução."),
    }[Taking(row.kind)]
    lines = [Entry(row.at, taken % {"who": row.subject_name}, icon="check")]
    if report is not None:
        lines.append(_reported(report, row.subject_name))
    return lines


_REPORTED: dict[str, Drawn] = {
    EffectOutcome.OK: "done",
    EffectOutcome.RECUSADO: "failed",
    EffectOutcome.ERRO: "attention",
    EffectOutcome.DESCONHECIDO: "unknown",
}


def _waiting(proposal: AgenteAprovacao, now: dt.datetime) -> tuple[Drawn, str]:
    if now >= proposal.executar_ate:
        return "attention", _("não consumida no prazo")
    return "running", _("espera o agente")


def _reported(report: EffectReport, who: str) -> Entry:
    words = _("%(who)s relatou: %(outcome)s.") % {
        "who": who,
        "outcome": report.get_outcome_display(),
    }
    sub = " · ".join(part for part in (report.reference, report.detail) if part)
    return Entry(report.at, words, state=_REPORTED[report.outcome], sub=sub)
