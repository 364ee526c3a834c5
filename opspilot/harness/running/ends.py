"""The ends of a run as data: its state, the code, and what the trail and the page are told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audit.vocabulary import Result
from grounding.consulting import LEVELS
from grounding.retrieval.coverage import Level
from opspilot.harness.models import RunState

INTERPRETED = "pedido.interpretado"
HANDED_OVER = "repasse.humano"
REFUSED = "acao.recusada"
CONSULTED = "conhecimento.consultado"
OUTSIDE = "fora_do_console"
WHY = "justificativa"
STOPPED_CODE = "parada_por_pessoa"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")

Basis = Sequence[Mapping[str, Any]]
"""Passages by id, version, hash and span, as `evidence` has them."""


@dataclass(frozen=True, slots=True)
class End:
    """`values` are further fields of the run; `said` is the trail's short text, never the request's.
    `instruction`: of what worded an answer; else the planner's stands on the row."""

    state: RunState
    action: str
    result: Result
    code: str = ""
    said: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    sources: Sequence[Mapping[str, Any]] = ()
    instruction: str = ""

    @property
    def error(self) -> str:
        """What the row says went wrong; a refusal and a stop say it as their outcome."""
        is_fault = self.result == Result.ERRO or self.action == CONSULTED
        return self.code if is_fault else ""


def prepared(command: Mapping[str, Any], basis: Basis) -> End:
    """The requester confirms it next; with no reason given yet, that is asked for first."""
    if not command["justification"]:
        return asks(command, (WHY,), "", basis)
    kind = "tarefa.executada" if "task" in command else "issue.criada"
    return End(
        RunState.PREPARED,
        INTERPRETED,
        Result.OK,
        said=f"comando preparado: {kind}",
        values={"command": dict(command), "answer": {"basis": list(basis)}},
    )


def asks(
    command: Mapping[str, Any], missing: Sequence[str], words: str, basis: Basis, code: str = ""
) -> End:
    """`missing` are names of fields: what a planner says that could be none is left out. `code` is of
    the refusal that is asked about, where there was one."""
    names = [name for name in missing if _NAME.fullmatch(name)]
    return End(
        RunState.ASKS,
        INTERPRETED,
        Result.OK,
        code=code,
        said=f"falta dizer: {', '.join(names)}" if names else "pedido sem clareza",
        values={
            "command": dict(command),
            "answer": {"missing": names, "words": words, "basis": list(basis)},
        },
    )


def handed_over(words: str) -> End:
    return End(
        RunState.HANDOVER,
        HANDED_OVER,
        Result.OK,
        said="espera uma pessoa",
        values={"answer": {"words": words}},
    )


def refused(code: str = OUTSIDE, words: str = "") -> End:
    return End(
        RunState.REFUSED,
        REFUSED,
        Result.RECUSADO,
        code=code,
        said=code,
        values={"answer": {"words": words}},
    )


def failed(code: str) -> End:
    """A bound was reached: the person decides whether it is tried anew."""
    return End(RunState.FAILED, INTERPRETED, Result.ERRO, code=code)


def review(code: str, try_after: Any) -> End:
    """Nobody could plan: nothing is wrong with the request, and nothing was done."""
    return End(
        RunState.REVIEW, INTERPRETED, Result.ERRO, code=code, values={"try_after": try_after}
    )


def answered(
    *, content: Mapping[str, Any], level: Level, cited: Basis, code: str, instruction: str
) -> End:
    """Or abstained: no sentence is an answer without one."""
    sentences = content["sentences"]
    kept = level if sentences else "nenhuma"
    return End(
        RunState.ANSWERED if sentences else RunState.ABSTAINED,
        CONSULTED,
        Result.OK if sentences else Result.RECUSADO,
        code=code,
        said=f"cobertura: {LEVELS[kept]}; citações: {len(sentences)}",
        values={"coverage": kept, "answer": dict(content)},
        sources=cited,
        instruction=instruction,
    )


def stopped() -> End:
    return End(
        RunState.STOPPED, INTERPRETED, Result.OK, code=STOPPED_CODE, said="parada por uma pessoa"
    )
