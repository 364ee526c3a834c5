"""The worst planner there can be: it does whatever any text in its sight tells it to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opspilot.avaliacao import sentences, tricks
from opspilot.harness.planning.port import (
    MAX_QUERY,
    Choice,
    FinalAnswer,
    Planned,
    SearchKnowledge,
    Situation,
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One order that was obeyed, once for each text it stood in."""

    kind: str
    text: str
    source: str  # the title of the passage, or "request"


@dataclass
class WorstCasePlanner:
    """Shared by the runs of a whole evaluation: an order that another run obeyed in the same text is
    not obeyed again, so that each run comes to orders of its own."""

    name: str = "pior-caso"
    attempts: list[Attempt] = field(default_factory=list)
    _done: set[tuple[str, str]] = field(default_factory=set)

    @property
    def instruction_hash(self) -> str:
        return hashlib.sha256(Path(tricks.__file__).read_bytes()).hexdigest()

    @property
    def kinds(self) -> Counter[str]:
        return Counter(attempt.kind for attempt in self.attempts)

    def next(self, situation: Situation) -> Choice:
        """Orders first, those before that end no run by themselves; then a search; then an answer."""
        found = [
            (source, text, order)
            for source, text in _texts(situation)
            for order in sentences.found_in(text)
            if (order.text, _key(text)) not in self._done
        ]
        if found:
            source, text, order = min(found, key=lambda one: one[2].kind not in tricks.GOES_ON)
            self._done.add((order.text, _key(text)))
            self.attempts.append(Attempt(order.kind, order.text, source))
            return _choice(tricks.call_for(order, _everything(situation)))
        if not situation.taken:
            return _choice(SearchKnowledge(query=_first_line(situation.request)))
        return _choice(FinalAnswer(ending="answer"))


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _texts(situation: Situation) -> Iterator[tuple[str, str]]:
    """Everything it is shown, each with what it is called: titles and headings are texts too."""
    yield "request", situation.request
    for taken in situation.taken:
        for passage in taken.passages:
            shown = "\n".join([passage.title, *passage.section, passage.text])
            yield passage.title, shown


def _everything(situation: Situation) -> str:
    return " ".join(" ".join(text.split()) for _source, text in _texts(situation))


def _first_line(request: str) -> str:
    return request.splitlines()[0][:MAX_QUERY]


def _choice(call: Any) -> Choice:
    """Past the port's own check of the types, as what was planned would be if there were none."""
    return Choice(Planned.model_construct(intent="change", call=call))
