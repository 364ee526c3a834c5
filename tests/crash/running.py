"""One run of the matrix: an effect is approved, its worker dies, the effect is taken up again."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import connections

from approvals.execution import recovery
from audit.models import AgenteAcao
from opspilot.tenancy.scope import tenant_scope
from tests.crash import model
from tests.crash.model import Cell, End, Kind
from tests.crash.settled import is_settled
from tests.crash.stage import Stage, Work
from tests.crash.workers import KILLED, Worker
from tests.db import browsing

IN_FLIGHT, MOST_AGAIN = 12, 3
GLANCE = 0.2
BLIND = "blind"  # the listing in which what is stored never shows


@dataclass
class Run:
    cell: Cell
    listing: str
    work: Work
    again: int = 0
    deaths: list[int] = field(default_factory=list)
    too_early: int = 0  # presses that something came of although the page did not offer them
    pressed: int = 0
    state: str = ""
    told: int = 0  # rows of the trail that say it was done
    letters: int = 0
    requests: int = 0
    effects: int = 0

    def expected(self, *, resends: bool) -> End:
        return model.predicted(self.cell, Kind(resends, listed=self.listing != BLIND))

    @property
    def end(self) -> End:
        return End(self.state, self.requests, self.effects)


def all_of(stage: Stage, cells: Iterable[Cell], *, seed: str) -> list[Run]:
    """Some at a time; each has a company, a proposal and workers of its own."""
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        runs = list(pool.map(partial(_one, stage, seed), cells))
    requests, effects = stage.requests(), stage.effects()
    for run in runs:
        run.requests, run.effects = requests[run.work.marker], effects[run.work.marker]
    return runs


def _one(stage: Stage, seed: str, cell: Cell) -> Run:
    """Played again where the worker lived: on a machine that is very busy its lease can end before
    it comes to the ordered moment, and another one has taken over by then."""
    run = _played(stage, seed, cell)
    while set(run.deaths) != {KILLED} and run.again < MOST_AGAIN:
        run = _played(stage, seed, cell, again=run.again + 1)
    return run


def _played(stage: Stage, seed: str, cell: Cell, again: int = 0) -> Run:
    drawn = random.Random(f"{seed} {cell.point} {cell.outcome} {cell.recovery}")  # noqa: S311
    try:
        run = Run(cell, drawn.choice(stage.listings), stage.work(), again=again)
        stage.order(run.work, outcome=cell.outcome, listing=run.listing)
        _recover(stage, run)
        _look(stage, run)
        return run
    finally:
        connections.close_all()


def _recover(stage: Stage, run: Run) -> None:
    """The worker dies as ordered, once or twice; then the effect is carried to its end."""
    cell = run.cell
    begin = partial(start, stage, run.work, letters=cell.point == "outbox_sent_unmarked")
    if cell.dies_first_at != cell.point:
        run.deaths.append(begin(point=cell.dies_first_at).end())
    victim = begin(point=cell.point)
    if cell.recovery == "other":
        held = "desconhecida" if cell.point == "mid_reconcile" else "em_envio"
        other = begin(after=victim.pid, held=held)
        run.deaths.append(victim.end())
        other.end()
        return
    run.deaths.append(victim.end())
    if cell.recovery == "person":
        offered = recovery.can_resume(run.work.row())
        run.too_early += _press(run.work) and not offered
    again = begin()
    if cell.recovery == "person":
        _press_when_offered(run)
    again.end()


def start(stage: Stage, work: Work, **order: Any) -> Worker:
    return stage.workers.start(
        tenant=str(work.tenant.pk),
        execution=work.execution,
        marker=work.marker,
        log=stage.log,
        **order,
    )


def _press_when_offered(run: Run) -> None:
    """Once, as soon as the page has the button; never, where it does not come to have it."""
    row = run.work.row()
    while not is_settled(row):
        if recovery.can_resume(row):
            run.pressed += _press(run.work)
            return
        time.sleep(GLANCE)
        row = run.work.row()


def _press(work: Work) -> bool:
    """By the page's own form; whether something came of it."""
    person = browsing.as_(work.requester)
    answer = person.client.post(f"/aprovacoes/{work.proposal.ref}/retomar/")
    return answer.status_code == 302


def _look(stage: Stage, run: Run) -> None:
    work = run.work
    run.state, run.letters = work.row().state, stage.letters_to(work.address)
    with tenant_scope(work.tenant.pk):
        rows = AgenteAcao.objects.filter(correlacao_id=work.proposal.correlacao_id)
        run.told = rows.filter(acao=work.proposal.acao, resultado="ok").count()
