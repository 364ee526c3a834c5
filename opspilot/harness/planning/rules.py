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
    SearchKnowledge,
    Situation,
)


@cache
def _source_hash() -> str:
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


class RulePlanner:
    name = "regras"

    @property
    def instruction_hash(self) -> str:
        return _source_hash()

    def next(self, situation: Situation) -> Choice:
        """Look once, then answer from what was found."""
        if situation.taken:
            return Choice(Planned(intent="diagnosis", call=FinalAnswer(ending="answer")))
        query = situation.request[:MAX_QUERY]
        return Choice(Planned(intent="diagnosis", call=SearchKnowledge(query=query)))
