"""The life of an execution in words: what happened, what comes next and when, what was tried."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from approvals.actions import ISSUE_CLOSED, SENT_AGAIN
from approvals.models import AgenteAprovacao, Execution, ExecutionAttempt, ExecutionState, State
from approvals.policy import stored
from approvals.tasks.task_command import TASK_RUN
from opspilot.presentation.formats import clock_text
from opspilot.presentation.shapes import Entry
from opspilot.presentation.shapes import State as Drawn

_STATES: dict[str, Drawn] = {
    "ok": "done",
    "achado": "done",
    "confere": "done",
    "OutcomeUnknownError": "unknown",
    "RemoteFaultError": "unknown",
    "interrompido": "unknown",
}
_OUTCOMES: dict[str, Callable[[], str]] = {
    "ok": lambda: _("o destino confirmou"),
    "achado": lambda: _("achada no destino"),
    "nada_achado": lambda: _("nada achado"),
    "lista_indisponivel": lambda: _("a lista não respondeu"),
    "sem_marcador": lambda: _("há uma issue nossa sem marcador, que pode ser esta"),
    "NotSentError": lambda: _("não foi possível conectar; nada saiu"),
    "NotAllowedError": lambda: _("o endereço não está liberado; nada saiu"),
    "BreakerOpenError": lambda: _("o conector estava parado por falhas; nada saiu"),
    "NoSlotError": lambda: _("não havia vaga no conector; nada saiu"),
    "ThrottledError": lambda: _("o destino pediu para esperar"),
    "RefusedByRemoteError": lambda: _("o destino recusou"),
    "OutcomeUnknownError": lambda: _("a resposta se perdeu"),
    "RemoteFaultError": lambda: _("a resposta se perdeu"),
    "interrompido": lambda: _("quem enviava parou antes de gravar a resposta"),
    "confere": lambda: _("é desta proposta, como aprovada"),
    "nao_confere": lambda: _("não é desta proposta, ou não está como aprovada"),
    "nao_achada": lambda: _("não existe ou não pode ser lida"),
    "sem_resposta": lambda: _("o destino não respondeu"),
}
_PROOFS = frozenset({"confere", "nao_confere", "nao_achada", "sem_resposta"})
_FIELDS: dict[str, Callable[[], str]] = {
    "titulo": lambda: _("Título"),
    "descricao": lambda: _("Descrição"),
    "etiquetas": lambda: _("Etiquetas"),
    "responsaveis": lambda: _("Responsáveis"),
    "confidencial": lambda: _("Confidencial"),
    "estado": lambda: _("Estado"),
    "prazo": lambda: _("Prazo"),
    "marco": lambda: _("Marco"),
    "bloqueio": lambda: _("Discussão bloqueada"),
    "endereco": lambda: _("Endereço do projeto"),
}


def outcome(code: str) -> str:
    """What an answer or a search came to; the code itself where there are no words for it."""
    words = _OUTCOMES.get(code)
    return words() if words else code


def attempt(row: ExecutionAttempt) -> Entry:
    words = {
        "envio": _("Tentativa %(n)s: pedido enviado ao destino."),
        "resposta": _("Tentativa %(n)s: %(outcome)s."),
        "busca": _("Busca %(n)s pelo marcador: %(outcome)s."),
    }[row.kind]
    if row.outcome in _PROOFS:
        words = _("Busca %(n)s, pela issue apontada: %(outcome)s.")
    text = words % {"n": row.number, "outcome": outcome(row.outcome)}
    state = "running" if row.kind == "envio" else _STATES.get(row.outcome, "attention")
    return Entry(row.at, text, state=state)


def next_step(execution: Execution, *, kind: str = "", held: bool = False) -> str:
    """What comes next and when, or who has to do something. `held`: a stop or the calendar keeps
    it from starting, and the page says which, so its own next look is no promise of a start."""
    if held and execution.state == ExecutionState.RETIDA:
        return _("Não começa pelo motivo abaixo; esta página se atualiza.")
    say = _NEXT_OF_TASK.get(execution.state) if kind == TASK_RUN else None
    say = say or _NEXT.get(execution.state)
    return say(execution) if say else ""


def _done(execution: Execution) -> str:
    if execution.next_lookup_at is None:
        return ""
    words = _("O pedido saiu mais de uma vez. Às %(at)s o sistema confere se há só uma.")
    return words % {"at": _clock(execution.next_lookup_at)}


def _held(execution: Execution) -> str:
    at = {"at": _clock(execution.not_before)}
    if execution.reason in {"", "reenvio_automatico", "reenvio_autorizado"}:
        return _("O sistema envia a partir de %(at)s; esta página se atualiza.") % at
    return _("O sistema tenta de novo às %(at)s; esta página se atualiza.") % at


def _under_way(execution: Execution) -> str:
    if execution.remote and execution.next_lookup_at:
        words = _("O destino aceitou e está executando. O sistema olha de novo às %(at)s.")
        return words % {"at": _clock(execution.next_lookup_at)}
    return _("O pedido está com o destino; esta página se atualiza.")


def _unknown(execution: Execution) -> str:
    if execution.proof:
        return _("Conferindo a issue %(iid)s no destino.") % {"iid": execution.proof.get("iid")}
    if execution.next_lookup_at is None:
        return _(
            "Nada será reenviado. Uma pessoa decide: procure de novo, diga qual issue é, ou peça um "
            "reenvio, que outra pessoa aprova."
        )
    words = _(
        "O sistema procura a issue pelo marcador, de novo às %(at)s. Só reenvia, e uma vez, se duas "
        "buscas afastadas não acharem nada."
    )
    return words % {"at": _clock(execution.next_lookup_at)}


def _unknown_task(execution: Execution) -> str:
    if execution.next_lookup_at is None:
        return _("Uma tarefa nunca é reenviada. Confira no Semaphore, ou procure de novo.")
    words = _("O sistema procura a tarefa pelo marcador às %(at)s. Ela nunca é reenviada.")
    return words % {"at": _clock(execution.next_lookup_at)}


_NEXT_OF_TASK: dict[str, Callable[[Execution], str]] = {
    ExecutionState.DESCONHECIDA: _unknown_task,
    ExecutionState.DIVERGENTE: lambda _execution: _(
        "Isto é um incidente: a rodada mostra o que cada host fez; confira também no Semaphore."
    ),
}
_NEXT: dict[str, Callable[[Execution], str]] = {
    ExecutionState.RETIDA: _held,
    ExecutionState.EM_ENVIO: _under_way,
    ExecutionState.CONCLUIDA: _done,
    ExecutionState.DESCONHECIDA: _unknown,
    ExecutionState.DIVERGENTE: lambda _execution: _(
        "Isto é um incidente de política: confira no destino o que foi criado."
    ),
    ExecutionState.BLOQUEADA: lambda _execution: _("Nada foi executado."),
    ExecutionState.RETIRADA: lambda _execution: _(
        "Quem aprovou retirou a execução antes do envio; nada saiu."
    ),
    ExecutionState.REVERTIDA: lambda _execution: _(
        "Outra proposta, ligada abaixo, desfez o que esta fez."
    ),
}


def differences(proposal: AgenteAprovacao, execution: Execution | None) -> list[dict[str, str]]:
    """Approved against received, for what is not as approved; empty where nothing differs."""
    received = execution.remote.get("received") if execution else None
    if not isinstance(received, dict) or stored.is_external(proposal.proposta):
        return []
    approved = _approved(proposal.proposta)
    return [
        {
            "label": _FIELDS[name]() if name in _FIELDS else name,
            "approved": _text(approved.get(name, "")),
            "received": _text(value),
        }
        for name, value in received.items()
    ]


def others(execution: Execution | None) -> list[dict[str, Any]]:
    """Further effects with the same marker: number and address."""
    found = execution.remote.get("others") if execution else None
    return found if isinstance(found, list) else []


def about(found: Sequence[tuple[str, str, str, str | None]]) -> list[dict[str, str]]:
    """The proposals about this one's effect, with the state each stands in."""
    words = {ISSUE_CLOSED: _("Reversão"), TASK_RUN: _("Reversão"), SENT_AGAIN: _("Reenvio")}
    return [
        {
            "url": reverse("approvals:detail", args=[ref]),
            "label": _("%(what)s: %(state)s")
            % {
                "what": words.get(kind, kind),
                "state": ExecutionState(effect).label if effect else State(state).label,
            },
        }
        for ref, kind, state, effect in found
    ]


def original(proposal: AgenteAprovacao) -> str:
    """Where the proposal is whose effect this one is about; "" for any other."""
    found = proposal.proposta.get("original") or proposal.proposta.get("undoes")
    ref = found.get("ref", "") if isinstance(found, dict) and proposal.sobre_id else ""
    try:
        return reverse("approvals:detail", args=[UUID(ref)]) if ref else ""
    except ValueError:
        return ""


def _approved(action: dict[str, Any]) -> dict[str, Any]:
    return {
        "titulo": action.get("title", ""),
        "descricao": action.get("description", ""),
        "etiquetas": action.get("labels", []),
        "responsaveis": [item["id"] for item in action.get("assignees", [])],
        "confidencial": action.get("confidential", False),
        "estado": "opened",
        "prazo": "",
        "marco": False,
        "bloqueio": False,
        "endereco": action.get("target", {}).get("project_path", ""),
    }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return _("sim") if value else _("não")
    if isinstance(value, list):
        return ", ".join(map(str, value)) or _("nenhum")
    return str(value) or _("nenhum")


def _clock(at: dt.datetime) -> str:
    return clock_text(localtime(at))
