"""What the agents cost, summed twice: by the named query, and row by row with none of its SQL.

Each row's two columns of cost are compared as well. Nothing is changed.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from django.db.models import QuerySet

from audit.costs.prices import Prices
from audit.models import AgenteAcao
from audit.reports import catalogue, cells, running
from audit.reports.parameters import Bound

QUERY = "custo-por-agente-e-dia"
_HALF = Decimal("0.5")  # of a centavo: `custo_centavos` is `custo_exato`, rounded
_NAMED = 100  # rows named one by one
Key = tuple[dt.date, str]
Kind = Literal["sum", "centavos", "usage"]


@dataclass(slots=True)
class Sum:
    """Of some rows. `cost` is exact centavos of the rows that know theirs; `unknown` counts the
    others, with any of which it is a lower bound."""

    rows: int = 0
    cost: Decimal = Decimal(0)
    unknown: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, other: Sum) -> None:
        self.rows += other.rows
        self.cost += other.cost
        self.unknown += other.unknown
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out


@dataclass(frozen=True, slots=True)
class Difference:
    """`row`: the trail's number where it is one row's; else the day's two sums differ."""

    kind: Kind
    agent: str
    day: dt.date
    said: str
    row: int | None = None


@dataclass(slots=True)
class Priced:
    """Of the rows that know their cost and whose model had a price: what they say, and what the
    prices make of their tokens. The two may differ for a good reason, so neither is wrong here."""

    rows: int = 0
    said: Decimal = Decimal(0)
    by_prices: Decimal = Decimal(0)


@dataclass(slots=True)
class Verified:
    agents: dict[str, Sum] = field(default_factory=lambda: defaultdict(Sum))
    priced: dict[str, Priced] = field(default_factory=lambda: defaultdict(Priced))
    differences: list[Difference] = field(default_factory=list)
    more: int = 0  # rows that differ and are not named

    @property
    def is_good(self) -> bool:
        return not self.differences


def verify(bound: Bound) -> Verified:
    """Inside the scope of one company; `bound` is the query's, with a period and no agent."""
    found = Verified()
    by_row = _row_by_row(bound, found)
    asked = _asked(bound)
    for key in sorted(asked.keys() | by_row.keys()):
        day, agent = key
        found.agents[agent].add(by_row.get(key, Sum()))
        found.differences += _unlike(agent, day, asked.get(key), by_row.get(key))
    return found


def _asked(bound: Bound) -> dict[Key, Sum]:
    query = catalogue.get(QUERY)
    sums = {}
    for row in running.stream(query, bound):
        values = dict(zip(query.names, row, strict=True))
        sums[(values["dia"], values["agente"])] = Sum(
            rows=values["linhas"],
            cost=values["custo_centavos"] or Decimal(0),
            unknown=values["sem_custo"],
            tokens_in=int(values["tokens_entrada"] or 0),
            tokens_out=int(values["tokens_saida"] or 0),
        )
    return sums


def _row_by_row(bound: Bound, found: Verified) -> Mapping[Key, Sum]:
    sums: dict[Key, Sum] = defaultdict(Sum)
    columns = (
        "id", "ocorrido_em", "agente", "custo_exato", "custo_centavos", "uso_conhecido",
        "tokens_entrada", "tokens_saida", "modelo",
    )  # fmt: skip
    known = Prices()
    for row in _rows(bound).values_list(*columns, named=True).iterator(chunk_size=2_000):
        exact: Decimal | None = row.custo_exato
        day = cells.local(row.ocorrido_em).date()
        one = Sum(1, exact or Decimal(0), int(exact is None), row.tokens_entrada, row.tokens_saida)
        sums[(day, row.agente)].add(one)
        by_prices = known.cost(row.modelo, day, tokens_in=one.tokens_in, tokens_out=one.tokens_out)
        if exact is not None and by_prices is not None:
            _price(found.priced[row.agente], exact, by_prices)
        for kind, said in _faults(exact, row.custo_centavos, is_known=row.uso_conhecido):
            _name(found, Difference(kind, row.agente, day, said, row.id))
    return sums


def _rows(bound: Bound) -> QuerySet[AgenteAcao, AgenteAcao]:
    rows = AgenteAcao.objects.order_by()
    if bound.period.since is not None:
        rows = rows.filter(ocorrido_em__gte=bound.period.since)
    return rows.filter(ocorrido_em__lt=bound.period.until) if bound.period.until else rows


def _faults(exact: Decimal | None, centavos: int, *, is_known: bool) -> Sequence[tuple[Kind, str]]:
    found: list[tuple[Kind, str]] = []
    if abs(Decimal(centavos) - (exact or Decimal(0))) > _HALF:
        found.append(("centavos", f"custo_centavos {centavos}, custo_exato {exact}"))
    if is_known != (exact is not None):
        found.append(("usage", f"uso_conhecido {is_known}, custo_exato {exact}"))
    return found


def _price(priced: Priced, said: Decimal, by_prices: Decimal) -> None:
    priced.rows += 1
    priced.said += said
    priced.by_prices += by_prices


def _name(found: Verified, difference: Difference) -> None:
    if len(found.differences) < _NAMED:
        found.differences.append(difference)
    else:
        found.more += 1


def _unlike(agent: str, day: dt.date, asked: Sum | None, by_row: Sum | None) -> list[Difference]:
    if asked == by_row:
        return []
    return [Difference("sum", agent, day, f"the query says {asked}, its rows {by_row}")]
