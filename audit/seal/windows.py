"""What checking says of one window of the trail."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from enum import StrEnum


class State(StrEnum):
    INTACT = "intacta"
    ALTERED = "alterada"
    MISSING = "ausente"
    EXPIRED = "expirada"
    FORGED = "expiracao_forjada"


LAWFUL = frozenset({State.INTACT, State.EXPIRED})


class Reason(StrEnum):
    """Why a window is not intact; sentences are made of it where it is shown."""

    SEAL_CHANGED = "selo_mudado"
    SEAL_UNPROVED = "chave_desconhecida"
    SEAL_OFF_CHAIN = "selo_fora_da_corrente"
    SEAL_GONE = "selo_sumiu"
    ROW_CHANGED = "linha_mudada"
    ROWS_GONE = "linhas_sumiram"
    ROWS_ADDED = "linhas_a_mais"
    ROWS_REWRITTEN = "linhas_reescritas"
    WINDOW_EMPTIED = "janela_vazia"
    FORGED_EXPIRY = "expiracao_sem_prova"
    NOT_SEALED = "sem_selo"
    HEAD_GONE = "cabeca_sumiu"
    HEAD_CHANGED = "cabeca_mudada"


@dataclass(frozen=True, slots=True)
class Window:
    """`number` is None for rows that no seal covers. `row` is the first row that shows the fault."""

    number: int | None
    from_at: dt.datetime | None
    until_at: dt.datetime | None
    rows: int
    state: State
    reason: Reason | None = None
    row: int | None = None
    sealed_rows: int = 0


@dataclass(slots=True)
class Tally:
    """Windows counted as they come; of the bad ones, the first `MOST_BAD` are kept."""

    counts: dict[State, int] = field(default_factory=lambda: dict.fromkeys(State, 0))
    rows: int = 0
    bad: list[Window] = field(default_factory=list)

    def add(self, window: Window) -> None:
        self.counts[window.state] += 1
        self.rows += window.rows
        if window.state not in LAWFUL and len(self.bad) < MOST_BAD:
            self.bad.append(window)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def is_good(self) -> bool:
        return not self.bad


MOST_BAD = 100
