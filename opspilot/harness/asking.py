"""A model is asked: a provider after the other, each under the budget, its breaker and its slots.

Before a call the dearest it can be is held, after it the real cost is settled. Who asks gets an
answer, the reason why what was answered cannot be used, or the reason why nobody answered; what all
of it cost together stands on the asking however it ended.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from uuid import UUID

import structlog

from audit import days, trail
from audit.costs.prices import Prices
from opspilot.budgets import spending
from opspilot.connectors.errors import (
    BreakerOpenError,
    BrokenOffError,
    ConnectorError,
    NoSlotError,
    NotAllowedError,
    NotSentError,
    OutputError,
    PostponedError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.connectors.guarded import guarded
from opspilot.connectors.ports import Asked, Completed, Completer
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
_BYTES_A_TOKEN = 2  # fewer than any text of ours has: what is held is the dearest, not the likely

SilenceCode = Literal[
    "sem_modelo",
    "sem_orcamento",
    "orcamento_esgotado",
    "sem_preco",
    "modelo_em_pausa",
    "modelo_ocupado",
    "modelo_inacessivel",
    "modelo_nao_permitido",
    "modelo_recusou",
    "modelo_interrompido",
    "modelo_sem_resposta",
]
# The first that fits.
_FAILED: tuple[tuple[type[ConnectorError], SilenceCode], ...] = (
    (BreakerOpenError, "modelo_em_pausa"),
    (NoSlotError, "modelo_ocupado"),
    (NotSentError, "modelo_inacessivel"),
    (ThrottledError, "modelo_ocupado"),
    (NotAllowedError, "modelo_nao_permitido"),
    (RefusedByRemoteError, "modelo_recusou"),
    (BrokenOffError, "modelo_interrompido"),
    (ConnectorError, "modelo_sem_resposta"),
)
_NO_MONEY: dict[type[Exception], SilenceCode] = {
    spending.NoBudgetError: "sem_orcamento",
    spending.SpentError: "orcamento_esgotado",
}
# Refused before it was read, or never sent. What broke off in the middle may have been charged.
_NOT_PAID = (NotSentError, ThrottledError, RefusedByRemoteError)


class LateRunError(RuntimeError):
    """Another worker has taken the run over."""


class SilentError(Exception):
    """Nobody answered. `code` says why the first one did not; `retry_after` in seconds, 0 = not said."""

    def __init__(self, code: SilenceCode, retry_after: float = 0.0) -> None:
        super().__init__(code)
        self.code: SilenceCode = code
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose money a call is: a run's, an agent's, a company's. `still_mine` renews the claim of who
    asks; where it says no, nobody is asked any more."""

    tenant_id: UUID
    run_ref: UUID
    still_mine: Callable[[], bool]
    agent: str = trail.CONSOLE


class Asking:
    """One question, from provider to provider. `cost` is of all of them together, in exact cents;
    None: somebody may have been paid, nobody knows how much."""

    def __init__(self, payer: Payer, asked: Asked) -> None:
        self.payer, self.asked = payer, asked
        self.cost: Decimal | None = Decimal(0)
        self._silent: list[SilentError] = []

    def first_answer(self, completers: Sequence[Completer]) -> Completed:
        """With no transaction open. Raises OutputError, SilentError and LateRunError."""
        for completer in completers:
            if not self.payer.still_mine():
                raise LateRunError(self.payer.run_ref)
            try:
                return self._ask(completer)
            except SilentError as exc:
                self._silent.append(exc)
        waits = [exc.retry_after for exc in self._silent if exc.retry_after > 0]
        code = self._silent[0].code if self._silent else "sem_modelo"
        raise SilentError(code, min(waits, default=0.0))

    def _ask(self, completer: Completer) -> Completed:
        prices, held = self._reserve(completer)
        try:
            with guarded(f"model:{completer.name}", tenant_id=self.payer.tenant_id):
                completed = completer.complete(self.asked)
        except OutputError as exc:
            self._settle(held, _cost(prices, exc.completed), exc.completed)
            raise
        except ConnectorError as exc:
            self._settle(held, Decimal(0) if isinstance(exc, _NOT_PAID) else None)
            raise _silence(completer, exc) from exc
        except BaseException:
            self._settle(held, None)
            raise
        self._settle(held, _cost(prices, completed), completed)
        return completed

    def _reserve(self, completer: Completer) -> tuple[Prices, spending.Held]:
        size = len(self.asked.instruction.encode()) + len(self.asked.data.encode())
        try:
            with tenant_scope(self.payer.tenant_id):
                prices = Prices()
                dearest = prices.cost(
                    completer.model,
                    _today(),
                    tokens_in=size // _BYTES_A_TOKEN,
                    tokens_out=completer.most_tokens,
                )
                if dearest is None:  # then nobody could say what was spent
                    raise SilentError("sem_preco")
                payer = self.payer
                return prices, spending.reserve(
                    run_ref=payer.run_ref, agent=payer.agent, amount=dearest
                )
        except (spending.NoBudgetError, spending.SpentError) as exc:
            raise SilentError(_NO_MONEY[type(exc)]) from exc

    def _settle(
        self, held: spending.Held, cost: Decimal | None, completed: Completed | None = None
    ) -> None:
        with tenant_scope(self.payer.tenant_id):
            cost = spending.settle(
                held,
                cost,
                tokens_in=(completed.tokens_in or 0) if completed else 0,
                tokens_out=(completed.tokens_out or 0) if completed else 0,
            )
        self.cost = None if cost is None or self.cost is None else self.cost + cost


def _silence(completer: Completer, exc: ConnectorError) -> SilentError:
    log.warning("a provider gave no answer", provider=completer.name, why=str(exc))
    code = next(code for kind, code in _FAILED if isinstance(exc, kind))
    wait = exc.retry_after if isinstance(exc, PostponedError | ThrottledError) else 0.0
    return SilentError(code, wait)


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
