"""Who words the answer: a configured model, as far as budget and providers reach; else the rules.

A model that cannot be had costs no answer: the rules give theirs, and the page says why. A model
whose answer fails a check costs the answer: then nothing is shown but the reason.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import structlog

from audit import days, trail
from audit.costs.prices import Prices
from grounding.answers import composing, modelled
from grounding.answers.composing import Answer
from grounding.retrieval.consult import Grounded, Query
from opspilot.budgets import spending
from opspilot.connectors import readers
from opspilot.connectors.errors import (
    ConnectorError,
    NotSentError,
    OutputError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.connectors.guarded import guarded
from opspilot.connectors.ports import Asked, Completed, Completer
from opspilot.harness.models import Run
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
AGENT = trail.CONSOLE  # whose budget a person's question is
LONGEST = 6_000  # characters of a question that a model is sent
_BYTES_A_TOKEN = 2  # fewer than any text of ours has: what is held is the dearest, not the likely


class LateRunError(RuntimeError):
    """Another worker has taken the run over."""


class NoPriceError(Exception):
    """Nobody has said what the model costs: then nobody could say what was spent."""


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
    """With no transaction open. No model is asked where nothing was found that supports an answer.

    Raises LateRunError where the run is another worker's before a model would be asked.
    """
    completers = readers.completers()
    if not completers or grounded.coverage.level == "nenhuma":
        return Drafted(composing.draft(query=query, grounded=grounded))
    asking = _Asking(run, grounded)
    for completer in completers:
        if not still_mine():
            raise LateRunError(run.pk)
        drafted = asking.ask(completer)
        if drafted is not None:
            return drafted
    answer = composing.draft(query=query, grounded=grounded)
    return Drafted(answer, note=asking.note, cost=asking.cost)


class _Asking:
    """One question, from provider to provider, with what they cost together."""

    def __init__(self, run: Run, grounded: Grounded) -> None:
        self.run, self.grounded = run, grounded
        self.shown = _shown(grounded)
        self.asked = Asked(
            instruction=modelled.instruction(),
            data=modelled.data(run.question[:LONGEST], self.shown),
            name="resposta",
            schema=modelled.SCHEMA,
        )
        self.cost: Decimal | None = Decimal(0)
        self.note = ""

    def ask(self, completer: Completer) -> Drafted | None:
        """None: the next provider may be asked, and `note` says why this one gave nothing."""
        try:
            prices, held = self._reserve(completer)
        except (spending.NoBudgetError, spending.SpentError, NoPriceError) as exc:
            self.note = _NOTES[type(exc)]
            return None
        try:
            with guarded(f"model:{completer.name}", tenant_id=self.run.tenant_id):
                completed = completer.complete(self.asked)
        except OutputError as exc:
            self._settle(held, _cost(prices, exc.completed))
            return self._refused(exc.completed, exc.reason)
        except ConnectorError as exc:
            log.warning("a provider gave no answer", provider=completer.name, why=str(exc))
            self._settle(held, Decimal(0) if isinstance(exc, _NOT_PAID) else None)
            self.note = "modelo_indisponivel"
            return None
        except BaseException:
            self._settle(held, None)
            raise
        self._settle(held, _cost(prices, completed))
        return self._judged(completed)

    def _reserve(self, completer: Completer) -> tuple[Prices, spending.Held]:
        size = len(self.asked.instruction.encode()) + len(self.asked.data.encode())
        with tenant_scope(self.run.tenant_id):
            prices = Prices()
            dearest = prices.cost(
                completer.model,
                _today(),
                tokens_in=size // _BYTES_A_TOKEN,
                tokens_out=completer.most_tokens,
            )
            if dearest is None:
                raise NoPriceError
            held = spending.reserve(run_ref=self.run.ref, agent=AGENT, amount=dearest)
        return prices, held

    def _settle(self, held: spending.Held, cost: Decimal | None) -> None:
        with tenant_scope(self.run.tenant_id):
            spending.settle(held, cost)
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def _judged(self, completed: Completed) -> Drafted:
        try:
            found = modelled.sentences(completed.content, self.shown)
        except modelled.RefusedOutputError as exc:
            return self._refused(completed, exc.fault)
        if not found:
            return self._refused(completed, "no_answer")
        sources = {source.chunk_id: source for source in self.grounded.sources}
        return Drafted(Answer(found, sources), completed, cost=self.cost)

    def _refused(self, completed: Completed, code: str) -> Drafted:
        log.info("a model's answer is not shown", run=self.run.pk, code=code)
        return Drafted(Answer([], {}), completed, code=f"modelo_{code}", cost=self.cost)


_NOTES: dict[type[Exception], str] = {
    spending.NoBudgetError: "sem_orcamento",
    spending.SpentError: "orcamento_esgotado",
    NoPriceError: "sem_preco",
}
# Refused before it was read, or never sent. What broke off in the middle may have been charged.
_NOT_PAID = (NotSentError, ThrottledError, RefusedByRemoteError)


def _shown(grounded: Grounded) -> Sequence[modelled.Shown]:
    return [
        modelled.Shown(source.chunk_id, source.title, source.heading_path, source.text)
        for source in grounded.sources[: modelled.SHOWN]
    ]


def _cost(prices: Prices, completed: Completed) -> Decimal | None:
    """By the price of what served, or else of what was asked; None where the provider does not say
    how much was read and written."""
    tokens_in, tokens_out = completed.tokens_in, completed.tokens_out
    if tokens_in is None or tokens_out is None:
        return None
    by_names = (
        prices.cost(name, _today(), tokens_in=tokens_in, tokens_out=tokens_out)
        for name in (completed.served, completed.asked)
    )
    return next((cost for cost in by_names if cost is not None), None)


def _today() -> dt.date:
    return days.of(clock.now())
