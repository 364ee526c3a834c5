"""Which planner a run gets: the one that OPSPILOT_PLANNER names, for all its steps.

Where models are to plan and none answers, the rules do not quietly take their place: the run ends in
review, and a person may have it gone on with by the rules (`embedded`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from opspilot.harness.asking import Payer
from opspilot.harness.planning.modelled import ModelPlanner
from opspilot.harness.planning.port import Planner
from opspilot.harness.planning.rules.planner import RulePlanner

_standing_in: list[Planner] = []


def planner(payer: Payer, *, embedded: bool = False) -> Planner:
    """`payer` is the run whose calls of models are held, settled and told."""
    if _standing_in:
        return _standing_in[-1]
    if embedded or settings.OPSPILOT_PLANNER == "rules":
        return RulePlanner()
    return ModelPlanner(payer)


@contextmanager
def standing_in(one: Planner) -> Iterator[None]:
    """The whole process plans by `one`, also its other threads: for an evaluation."""
    _standing_in.append(one)
    try:
        yield
    finally:
        _standing_in.pop()
