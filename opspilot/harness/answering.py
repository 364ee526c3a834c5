"""Who words the answer: a configured model, as far as budget and providers reach; else the rules.

A model that cannot be had costs no answer: the rules give theirs, and the page says why. A model
whose answer fails a check costs the answer: then nothing is shown but the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import structlog

from audit import trail
from grounding.answers import composing, modelled
from grounding.answers.composing import Answer
from grounding.retrieval.consult import Grounded, Query
from opspilot.connectors import readers
from opspilot.connectors.errors import OutputError
from opspilot.connectors.ports import Asked, Completed
from opspilot.harness.asking import Asking, Payer, SilentError
from opspilot.harness.models import Run
from opspilot.harness.planning import routing

log = structlog.get_logger(__name__)
LONGEST = 6_000  # characters of a question that a model is sent
PRIVATE = "dado_no_texto"
_SAID = frozenset({"sem_orcamento", "orcamento_esgotado", "sem_preco"})


@dataclass(slots=True)
class Drafted:
    """An answer and who worded it. `code`: why a model's answer is not shown. `note`: why no model
    was asked, or none answered. `cost` None: somebody may have been paid, nobody knows how much."""

    answer: Answer
    completed: Completed | None = None
    code: str = ""
    note: str = ""
    cost: Decimal | None = field(default=Decimal(0))

    @property
    def instruction_hash(self) -> str:
        if self.completed:
            return modelled.instruction_hash()
        return trail.rule_hash(composing.RULE)

    def columns(self) -> dict[str, Any]:
        """The trail's, about the model."""
        values: dict[str, Any] = {"instrucao_hash": self.instruction_hash, "custo_exato": self.cost}
        if self.completed is None:
            return values
        return values | {
            "modelo": self.completed.served[:80],
            "modelo_pedido": self.completed.asked[:80],
            "tokens_entrada": self.completed.tokens_in or 0,
            "tokens_saida": self.completed.tokens_out or 0,
        }

    def as_json(self) -> dict[str, str]:
        """What the run keeps beside the answer."""
        served = self.completed.served if self.completed else ""
        return {"model": served, "note": self.note}


def draft(
    run: Run, *, query: Query | None, grounded: Grounded, still_mine: Callable[[], bool]
) -> Drafted:
    """With no transaction open. No model is asked where nothing was found that supports an answer, or
    where the question carries what no model is sent.

    Raises LateRunError where the run is another worker's before a model would be asked.
    """
    completers = readers.completers()
    if not completers or grounded.coverage.level == "nenhuma":
        return Drafted(composing.draft(query=query, grounded=grounded))
    route = routing.route(run.question)
    if route == "human":
        return Drafted(composing.draft(query=query, grounded=grounded), note=PRIVATE)
    shown = _shown(grounded)
    asking = Asking(Payer(run.tenant_id, run.ref, still_mine), _asked(run, shown))
    try:
        completed = asking.first_answer(routing.in_order(completers, route))
    except OutputError as exc:
        return _refused(run, exc.completed, exc.reason, asking.cost)
    except SilentError as exc:
        answer = composing.draft(query=query, grounded=grounded)
        note = exc.code if exc.code in _SAID else "modelo_indisponivel"
        return Drafted(answer, note=note, cost=asking.cost)
    return _judged(run, completed, grounded, asking.cost)


def _asked(run: Run, shown: Sequence[modelled.Shown]) -> Asked:
    return Asked(
        instruction=modelled.instruction(),
        data=modelled.data(run.question[:LONGEST], shown),
        name="resposta",
        schema=modelled.SCHEMA,
    )


def _judged(run: Run, completed: Completed, grounded: Grounded, cost: Decimal | None) -> Drafted:
    try:
        found = modelled.sentences(completed.content, _shown(grounded))
    except modelled.RefusedOutputError as exc:
        return _refused(run, completed, exc.fault, cost)
    if not found:
        return _refused(run, completed, "no_answer", cost)
    sources = {source.chunk_id: source for source in grounded.sources}
    return Drafted(Answer(found, sources), completed, cost=cost)


def _refused(run: Run, completed: Completed, code: str, cost: Decimal | None) -> Drafted:
    log.info("a model's answer is not shown", run=run.pk, code=code)
    return Drafted(Answer([], {}), completed, code=f"modelo_{code}", cost=cost)


def _shown(grounded: Grounded) -> Sequence[modelled.Shown]:
    return [
        modelled.Shown(source.chunk_id, source.title, source.heading_path, source.text)
        for source in grounded.sources[: modelled.SHOWN]
    ]
