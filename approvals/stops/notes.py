"""What the page of a proposal says about when its effect may start, before and after the decision."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils.translation import gettext as _

from approvals.models import (
    AgenteAprovacao,
    EmergencyStop,
    Execution,
    ExecutionState,
    State,
    StopScope,
)
from approvals.policy.policy_document import PolicyDocument
from approvals.stops import calendar_words, hindrance, schedule, stop_words, stopping
from approvals.stops.calendar import Calendar, closed
from opspilot.presentation.shapes import Fact
from opspilot.presentation.shapes import State as Drawn
from opspilot.tenancy.principal import Principal


@dataclass(frozen=True, slots=True)
class Note:
    state: Drawn
    title: str
    text: str


def of(
    proposal: AgenteAprovacao,
    *,
    principal: Principal,
    execution: Execution | None,
    document: PolicyDocument | None,
    now: dt.datetime,
) -> list[Note]:
    """What stands in the way of what waits: for a decision, in the queue or for its agent.

    `document` is the policy in force. One more query, and only while a stop is.
    """
    if not _waits(proposal, execution):
        return []
    stops = stopping.in_force() if principal.company_stopped else []
    found = [_stopped(stop, proposal) for stop in stops if _holds(stop, proposal)]
    calendar = document.calendario if document else None
    start = max(now, proposal.executar_de or now)
    until = (execution.resend_until if execution else None) or proposal.executar_ate
    if start > until:
        return found
    return found + closure(
        calendar=calendar,
        kind=proposal.acao,
        risk=proposal.risco,
        start=start,
        until=until,
        decided=proposal.estado != State.PENDENTE,
    )


def facts(proposal: AgenteAprovacao, document: PolicyDocument | None) -> list[Fact]:
    """The moment that was chosen, by the company's clock."""
    if proposal.executar_de is None:
        return []
    zone = schedule.zone_of(document.calendario if document else None)
    return [Fact(_("Executar a partir de"), schedule.words(proposal.executar_de, zone))]


def _waits(proposal: AgenteAprovacao, execution: Execution | None) -> bool:
    if execution is not None:
        return execution.state == ExecutionState.RETIDA
    return proposal.estado in {State.PENDENTE, State.APROVADA}


def _holds(stop: EmergencyStop, proposal: AgenteAprovacao) -> bool:
    """As the query of `hindrance` says it, for the words alone."""
    match stop.scope:
        case StopScope.AGENTE:
            return stop.subject == proposal.agente
        case StopScope.CONECTOR:
            return hindrance.connector_of(proposal.proposta) in {None, stop.subject}
        case _:
            return True


def _stopped(stop: EmergencyStop, proposal: AgenteAprovacao) -> Note:
    words = f"{stop_words.sentence(stop)}."
    text = _("Segue quando um admin levantar a parada, se ainda estiver no prazo de execução.")
    if proposal.estado == State.PENDENTE:
        text = _("Pode ser decidida; não começa enquanto a parada estiver em vigor.")
    return Note("attention", f"{words[:1].upper()}{words[1:]}", text)


def closure(
    *,
    calendar: Calendar | None,
    kind: str,
    risk: str,
    start: dt.datetime,
    until: dt.datetime,
    decided: bool = False,
) -> list[Note]:
    """By the earliest moment it could start. What opens too late is said before it is approved,
    and after it what that means."""
    found = closed(calendar, kind=kind, risk=risk, at=start)
    if found is None or calendar is None:
        return []
    words = calendar_words.closure(found, calendar)
    title = f"{words[:1].upper()}{words[1:]}."
    if found.opens_at is None or found.opens_at > until:
        return [Note("attention", title, _late(until, calendar, decided=decided))]
    text = _("Aprovada, ela espera na fila até a janela abrir.")
    return [Note("pending", title, _("Espera na fila até a janela abrir.") if decided else text)]


def _late(until: dt.datetime, calendar: Calendar, *, decided: bool) -> str:
    if not decided:
        return _("A janela abre depois do prazo de execução: aprovada, não seria executada.")
    words = _("Não vai executar: a janela abre depois de %(until)s. Peça de novo.")
    return words % {"until": schedule.words(until, calendar.zone)}
