"""The planner of the embedded mode: rules for Portuguese and English, no model, no network."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from opspilot.harness.planning.port import (
    MAX_QUERY,
    Choice,
    FinalAnswer,
    Planned,
    PrepareIssue,
    PrepareTask,
    SearchKnowledge,
    Situation,
    Taken,
)
from opspilot.harness.planning.rules import deciding
from opspilot.harness.planning.rules.deciding import Decided

# What the requester can say otherwise after a refusal; any other is the policy's last word.
_ASKED_AFTER = {
    "projeto_desconhecido": "alias",
    "etiqueta_desconhecida": "labels",
    "responsavel_desconhecido": "assignees",
    "responsaveis_demais": "assignees",
    "template_ausente": "template",
    "template_desconhecido": "template",
    "destino_ausente": "limit",
    "destino_nao_e_um_host": "limit",
    "host_desconhecido": "limit",
    "host_fora_do_inventario": "limit",
    "hosts_demais": "limit",
    "comando_invalido": deciding.ACTION,
    "comando_incompleto": deciding.ACTION,
}
_OF_VALUES = frozenset({"variavel_ausente", "valor_nao_permitido"})


@cache
def _source_hash() -> str:
    """Of every rule: whichever of these files changes, the trail says that another planner planned."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class RulePlanner:
    name = "regras"

    @property
    def instruction_hash(self) -> str:
        return _source_hash()

    def next(self, situation: Situation) -> Choice:
        """Passages are not read: what a document says to do is no part of any rule."""
        prepared = _prepared(situation)
        if prepared is not None:
            return _after(prepared)
        decided = deciding.decide(situation.request, situation.vocabulary)
        looks = decided.call is None or decided.looks_first
        if looks and not situation.taken and situation.steps_left > 1:
            return _choice(decided, SearchKnowledge(query=_query(situation.request)))
        return _choice(decided, decided.call or FinalAnswer(ending="answer"))


def _prepared(situation: Situation) -> Taken | None:
    """The last preparation of this run: there is never a second one."""
    calls = (PrepareIssue, PrepareTask)
    return next((one for one in reversed(situation.taken) if isinstance(one.call, calls)), None)


def _after(taken: Taken) -> Choice:
    if taken.outcome == "done":
        return Choice(Planned(intent="change", call=FinalAnswer(ending="answer")))
    missing = _missing_after(taken)
    call = FinalAnswer(ending="ask", missing=missing) if missing else FinalAnswer(ending="refuse")
    understood = (
        taken.call if missing and isinstance(taken.call, PrepareIssue | PrepareTask) else None
    )
    return Choice(Planned(intent="change", call=call), understood=understood)


def _missing_after(taken: Taken) -> tuple[str, ...]:
    if taken.code in _OF_VALUES and isinstance(taken.call, PrepareTask):
        return tuple(variable.name for variable in taken.call.variables)[:10]
    asked = _ASKED_AFTER.get(taken.code)
    return (asked,) if asked else ()


def _query(request: str) -> str:
    """Half of a surrogate pair is no text that can be searched for."""
    return request.encode(errors="replace").decode()[:MAX_QUERY].strip() or "?"


def _choice(
    decided: Decided, call: SearchKnowledge | FinalAnswer | PrepareIssue | PrepareTask
) -> Choice:
    return Choice(Planned(intent=decided.intent, call=call), understood=decided.understood)
