"""The matrix as it is printed, and its figures."""

from __future__ import annotations

from collections.abc import Sequence

from tests.crash.model import DONE, LETTERS, OUTCOMES, RECOVERIES, Cell
from tests.crash.orders import POINTS
from tests.crash.running import Run
from tests.crash.workers import KILLED


def duplicates(runs: Sequence[Run]) -> list[Run]:
    """More than one effect of one approval."""
    return [run for run in runs if run.effects > 1]


def lost(runs: Sequence[Run], *, resends: bool) -> list[Run]:
    """An effect that the rules promise and that is not there, or that is there and denied."""
    missing = [run for run in runs if run.effects < run.expected(resends=resends).effects]
    denied = [run for run in runs if run.effects and run.state in {"recusada", "bloqueada"}]
    return missing + denied


def wrong(runs: Sequence[Run], *, resends: bool) -> list[Run]:
    """Another end than the model's: state, requests or effects."""
    return [run for run in runs if run.end != run.expected(resends=resends)]


def hold(runs: Sequence[Run], *, resends: bool) -> None:
    """Zero of everything; every process died where it should; and no press came of nothing."""
    faults = {
        "not killed where it should have been": [r for r in runs if set(r.deaths) != {KILLED}],
        "twice": duplicates(runs),
        "lost": lost(runs, resends=resends),
        "another end than the rules say": wrong(runs, resends=resends),
        "told as done other than once": [r for r in runs if r.told != (r.state == DONE)],
        "a press that was not offered and was obeyed": [r for r in runs if r.too_early],
        "a letter that never left": [r for r in runs if _letter_is_due(r) and not r.letters],
    }
    said = [f"{fault}: {_line(r, resends=resends)}" for fault, rs in faults.items() for r in rs]
    assert said == [], "\n".join(said)


def _letter_is_due(run: Run) -> bool:
    return run.cell.point == "outbox_sent_unmarked"


def printed(runs: Sequence[Run], *, title: str, seed: str, seconds: float, resends: bool) -> str:
    width = max(len(point) for point in POINTS)
    columns = [outcome.replace("_", " ").replace("not stored", "not") for outcome in OUTCOMES]
    head = " " * width + "".join(f" {column[:14]:>14}" for column in columns)
    rows = [f"{point:<{width}}" + _row(point, runs) for point in POINTS]
    figures = (
        f"{len(runs)} runs, {sum(len(run.deaths) for run in runs)} processes killed,"
        f" {len(duplicates(runs))} duplicates, {len(lost(runs, resends=resends))} lost,"
        f" {len(wrong(runs, resends=resends))} wrong, {seconds:.0f} s"
    )
    return "\n".join(
        [
            "",
            f"{title}; a cell is: {', '.join(RECOVERIES)}",
            "C done  R refused  D unknown, a person decides  . not in this run",
            *[head, *rows],
            f"{figures}; CRASH_SEED={seed}",
            f"played again, the worker came too late to die: {sum(run.again for run in runs)}",
            "",
        ]
    )


def _row(point: str, runs: Sequence[Run]) -> str:
    found = {run.cell: LETTERS.get(run.state, "?") for run in runs}
    cells = (
        "".join(found.get(Cell(point, outcome, recovery), ".") for recovery in RECOVERIES)
        for outcome in OUTCOMES
    )
    return "".join(f" {cell:>14}" for cell in cells)


def _line(run: Run, *, resends: bool) -> str:
    cell = run.cell
    return (
        f"{cell.point} {cell.outcome} {cell.recovery} {run.listing}: {run.end}, expected"
        f" {run.expected(resends=resends)}, exits {run.deaths}, company {run.work.tenant.slug}"
    )
