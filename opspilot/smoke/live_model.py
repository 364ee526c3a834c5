"""A real embeddings endpoint, asked once for what the console will ask of it; nothing is kept there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from opspilot.connectors.errors import ConnectorError
from opspilot.connectors.ports import Embedder
from opspilot.smoke.expectation import UnmetError, expect
from opspilot.smoke.report import Outcome, timed

MANY = 70  # texts: more than go in one request
SAME = 0.999  # cosine of one text's vectors from two requests: some servers round differently
DISK = "The disk of the database server is full: delete old archives, then extend the volume."
SALARY = "Salaries are paid on the fifth working day of the month."
QUESTION = "no space left on the device of the database"


@dataclass(slots=True)
class LiveModel:
    embedder: Embedder


def outcomes(live: LiveModel) -> list[Outcome]:
    """Every step is tried: one fault must not hide the next."""
    return [timed(step.__name__, step, live) for step in STEPS]


def record(live: LiveModel, found: Sequence[Outcome]) -> dict[str, Any]:
    return {
        "ok": all(one.ok for one in found),
        "space": live.embedder.space,
        "steps": {one.name: one.ms for one in found if one.ok},
        "faults": {one.name: one.fault for one in found if not one.ok},
    }


def many_texts_come_back_in_order(live: LiveModel) -> None:
    texts = [f"Runbook number {number}." for number in range(MANY)]
    together = _passages(live, texts)
    expect(len(together) == MANY, f"{MANY} texts gave {len(together)} vectors")
    (last,) = _passages(live, texts[-1:])
    expect(_cosine(together[-1], last) > SAME, "the last of many is not the vector of its text")


def a_text_has_one_vector(live: LiveModel) -> None:
    (one,), (other,) = _passages(live, [DISK]), _passages(live, [DISK])
    expect(_cosine(one, other) > SAME, "the same text gave two vectors")


def a_question_is_near_its_passage(live: LiveModel) -> None:
    near, far = _passages(live, [DISK, SALARY])
    try:
        question = live.embedder.embed_query(QUESTION)
    except ConnectorError as exc:
        raise UnmetError(str(exc)) from exc
    expect(
        _cosine(question, near) > _cosine(question, far),
        "a question is nearer to a passage about something else",
    )


STEPS = (many_texts_come_back_in_order, a_text_has_one_vector, a_question_is_near_its_passage)


def _passages(live: LiveModel, texts: Sequence[str]) -> list[list[float]]:
    try:
        return live.embedder.embed_passages(texts)
    except ConnectorError as exc:
        raise UnmetError(str(exc)) from exc


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Of unit vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True))
