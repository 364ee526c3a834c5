"""Proposals as the shapes the components draw. Texts stay raw: the templates make hidden
characters visible and escape."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from approvals import drafts
from approvals.actions import ISSUE_CLOSED, ISSUE_CREATED, SENT_AGAIN
from approvals.agents import uses
from approvals.deciders import escalation_words
from approvals.inbox import execution_words, fields, wording
from approvals.inbox.selectors import Row
from approvals.models import (
    AgenteAprovacao,
    Decision,
    Escalation,
    Execution,
    ExecutionAttempt,
    ExecutionState,
    State,
    Verdict,
)
from approvals.policy import stored
from approvals.tasks.task_command import TASK_RUN
from opspilot.presentation.formats import clock_text, until_text
from opspilot.presentation.shapes import Entry, Fact, FrozenField
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import RUN_READERS

_VERDICT_STATE: dict[str, Any] = {Verdict.APROVAR: "done", Verdict.RECUSAR: "failed"}


def frozen(action: dict[str, Any], marker: str) -> list[FrozenField]:
    """Every field of the body in the schema's order, as it will be sent."""
    return fields.of(action, marker)


def raw(proposal: AgenteAprovacao) -> str:
    """The stored action as text; also one that was altered and has no canonical form any more."""
    return json.dumps(proposal.proposta, sort_keys=True, ensure_ascii=False, indent=2)


def body(proposal: AgenteAprovacao) -> str:
    """The request's body as it will leave; "" for what is not sent by us as one body."""
    if proposal.acao not in {ISSUE_CREATED, ISSUE_CLOSED, SENT_AGAIN, TASK_RUN}:
        return ""
    sent = drafts.body(proposal.proposta, marker(proposal))
    return json.dumps(sent, ensure_ascii=False, indent=2)


def marker(proposal: AgenteAprovacao) -> str:
    return drafts.marker_of(
        tenant_id=proposal.tenant_id,
        run_id=proposal.correlacao_id,
        action_hash=proposal.acao_hash,
    )


def facts(row: Row, now: dt.datetime) -> list[Fact]:
    """In one row: what it is worth, how long it may be decided and how long carried out."""
    proposal = row.proposal
    decides = proposal.estado == State.PENDENTE
    runs = decides or (row.execution is not None and row.execution.state == ExecutionState.RETIDA)
    left = _left(proposal.expira_em, now) if decides else ""
    until = _left(proposal.executar_ate, now) if runs else ""
    return [
        Fact(_("Risco"), level=proposal.risco),
        Fact(_("Prazo"), left, at=proposal.expira_em),
        Fact(_("Executar até"), until, at=proposal.executar_ate),
        Fact(_("Pedida por"), proposal.solicitante_nome),
        Fact(
            _("Votos"),
            _("%(votes)s de %(needed)s")
            % {"votes": row.votes, "needed": proposal.aprovacoes_exigidas},
        ),
        Fact(_("Cobertura"), wording.coverage(proposal.cobertura)),
        Fact(_("Política"), _("versão %(number)s") % {"number": proposal.politica_versao}),
    ]


def _left(deadline: dt.datetime, now: dt.datetime) -> str:
    return until_text(deadline, now=now, language=get_language() or "pt-br")


def timeline(
    principal: Principal,
    proposal: AgenteAprovacao,
    decisions: list[Decision],
    attempts: list[ExecutionAttempt],
    escalations: Sequence[Escalation] = (),
) -> list[Entry]:
    """From the confirmation to the last thing tried, in order; the run is linked for those who
    may open it."""
    confirmed = _("%(who)s confirmou este conteúdo.") % {"who": proposal.solicitante_nome}
    opens = proposal.solicitante == principal.subject or principal.has(*RUN_READERS)
    entries = [
        Entry(
            proposal.criada_em,
            confirmed,
            icon="check",
            url=reverse("rodadas:run", args=[proposal.correlacao_id]) if opens else "",
            link=_("Ver a rodada") if opens else "",
        )
    ]
    entries += [_decision(decision) for decision in decisions]
    entries += escalation_words.entries(escalations)
    entries += [execution_words.attempt(row) for row in attempts]
    return sorted(entries, key=lambda entry: entry.time)


def _decision(decision: Decision) -> Entry:
    words = f"{decision.subject_name} {decision.get_verdict_display()}"
    if decision.on_behalf_of:
        words = _("%(words)s por delegação de %(lender)s") % {
            "words": words,
            "lender": decision.on_behalf_of_name,
        }
    return Entry(
        decision.decided_at,
        f"{words}.",
        state=_VERDICT_STATE.get(decision.verdict, "pending"),
        sub=decision.reason,
    )


def withdrawn(execution: Execution | None, verdicts: list[Decision]) -> list[Entry]:
    """That an approved effect was taken back, and by whom, where only one person can have done it."""
    if execution is None or execution.state != ExecutionState.RETIRADA:
        return []
    names = {row.subject_name for row in verdicts if row.verdict == Verdict.APROVAR}
    who = names.pop() if len(names) == 1 else _("Quem aprovou")
    return [Entry(execution.updated_at, _("%(who)s retirou a execução.") % {"who": who}, icon="x")]


def standing_words(
    standing: str, proposal: AgenteAprovacao, votes_missing: int, deciders: str
) -> str:
    """Why there are no buttons; empty where there are, and where the state says it all.
    `deciders` names the roles that may decide."""
    if standing == "owner" and proposal.estado == State.PENDENTE:
        return _(
            "Você é dono do agente que pediu esta ação, ou foi nos últimos 30 dias, mudou o dono ou "
            "emitiu o token: outra pessoa decide."
        )
    if standing == "asked_first" and proposal.estado == State.PENDENTE:
        return _("Você pediu a ação que seria enviada de novo: outra pessoa decide.")
    if standing == "represented":
        return _("Por delegação, este mesmo voto já está gravado; o seu não contaria outra vez.")
    if standing == "own":
        return _("Você pediu esta ação: outra pessoa decide. Até lá você pode cancelar o pedido.")
    if standing == "other_role" and proposal.estado == State.PENDENTE:
        words = _("Esta proposta é decidida por quem tem o papel %(role)s.")
        return words % {"role": deciders}
    if standing == "voted":
        words = ngettext(
            "Seu voto foi gravado; falta %(counter)s.",
            "Seu voto foi gravado; faltam %(counter)s.",
            votes_missing,
        )
        return words % {"counter": votes_missing}
    if standing == "expired":
        return _("O prazo terminou sem decisão. Nada será executado.")
    return ""


def consequence(proposal: AgenteAprovacao) -> str:
    """What follows from an approval, for the strip that confirms it."""
    if proposal.acao == ISSUE_CREATED:
        target = proposal.proposta["target"]
        words = _("Cria uma issue em %(path)s, em %(host)s.")
        return words % {"path": target["project_path"], "host": target["host"]}
    if proposal.acao == SENT_AGAIN:
        return _(
            "Mais um pedido igual sai para o destino. Se o primeiro criou a issue e ninguém a achou, "
            "passam a existir duas."
        )
    if stored.is_external(proposal.proposta):
        return _("O agente que pediu fica autorizado a fazer isto uma vez.")
    return f"{wording.sentence(proposal)}."


def effect_note(row: Row, *, held: bool = False) -> dict[str, str] | None:
    """The strip about the effect, whoever carries it out; None before there is one. `held`: by what
    the strips below it name."""
    if row.execution is not None:
        return execution_note(row.execution, kind=row.proposal.acao, held=held)
    if row.effect is None:
        return None
    state, word = row.effect
    text = _("O agente que pediu executa e relata o resultado aqui.") if state == "running" else ""
    return {"state": state, "title": f"{word[:1].upper()}{word[1:]}.", "text": text}


def execution_note(execution: Execution, *, kind: str = "", held: bool = False) -> dict[str, str]:
    """What happened, what comes next and what the person may do, for the strip on the page."""
    state, word = wording.state(AgenteAprovacao(), execution)
    why = wording.reason(execution.reason)
    title = f"{word[:1].upper()}{word[1:]}" + (f": {why}." if why else ".")
    text = execution_words.next_step(execution, kind=kind, held=held)
    return {"state": state, "title": title, "text": text}


def decided(decision: Decision, execution: Execution | None, now: dt.datetime) -> dict[str, str]:
    """The strip about what the reader just decided: when, and what follows from it."""
    at = clock_text(localtime(decision.decided_at))
    if decision.verdict == Verdict.RECUSAR:
        title, text = _("Recusada às %(at)s."), _("Nada será executado; quem pediu vê o motivo.")
        return {"state": "pending", "icon": "x", "title": title % {"at": at}, "text": text}
    if decision.verdict == Verdict.DEVOLVER:
        title, text = _("Devolvida às %(at)s."), _("Quem pediu lê o que precisa mudar.")
        return {"state": "pending", "icon": "back", "title": title % {"at": at}, "text": text}
    handed = uses.states([decision.approval]).get(decision.approval_id)
    if handed is not None:
        return _handed(decision, handed[1], at)
    if execution is None:
        title, text = _("Seu voto foi gravado às %(at)s."), _("A execução espera os outros votos.")
        return {"state": "done", "title": title % {"at": at}, "text": text}
    words = {"state": "done", "title": _("Aprovada às %(at)s.") % {"at": at}}
    if execution.state == ExecutionState.RETIDA:
        ref = decision.approval.ref
        words["withdraw_url"] = reverse("approvals:withdraw", args=[ref])
    return words | {"text": _follows(execution, now)}


def _handed(decision: Decision, word: str, at: str) -> dict[str, str]:
    """Of an action an agent carries out: how it stands, and the way back while nobody has it."""
    proposal = decision.approval
    words = {"state": "done", "title": _("Aprovada às %(at)s.") % {"at": at}}
    if uses.can_still_be_taken(proposal):
        words["withdraw_url"] = reverse("approvals:withdraw", args=[proposal.ref])
    return words | {"text": _("Agora: %(state)s.") % {"state": word}}


def _follows(execution: Execution, now: dt.datetime) -> str:
    if execution.state != ExecutionState.RETIDA:
        return _("Agora: %(state)s.") % {"state": execution.get_state_display()}
    if execution.not_before <= now:
        return _("A execução começa agora.")
    when = until_text(execution.not_before, now=now, language=get_language() or "pt-br")
    return _("Executa %(when)s.") % {"when": when}


def pace(execution: Execution | None, now: dt.datetime) -> str:
    """How often the page looks again: "fast" while a request is due or out, "slow" while
    something waits for its time, "" when only a person can change anything."""
    match execution.state if execution else None:
        case ExecutionState.EM_ENVIO:
            return "fast"
        case ExecutionState.RETIDA if execution:
            return "fast" if execution.not_before <= now else "slow"
        case ExecutionState.DESCONHECIDA if execution and execution.next_lookup_at:
            return "slow"
        case _:
            return ""
