"""How a plan is compared with the one that was written down for a sentence: the call with every
argument, and the intent, save where a person is to take over.

Whoever asks for a person wants neither a document nor a change, so either intent can be defended for
`hand_over`, and both lead to the same. There it is not compared, in any of the sets: right is what has
the right ending and the right `missing`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspilot.harness.planning.port import (
    Choice,
    FinalAnswer,
    PrepareIssue,
    PrepareTask,
    Situation,
    Vocabulary,
)
from opspilot.harness.planning.rules.planner import RulePlanner
from tests.unit.harness.rule_vocabulary import OF_MANY_HOSTS, VOCABULARY

FOLDER = Path(__file__).parent / "sentences"


@dataclass(frozen=True)
class Miss:
    id: str
    text: str
    wanted: object
    got: object


def sentences(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines() if line.strip()]


def plan(text: str, vocabulary: Vocabulary = VOCABULARY) -> Choice:
    return RulePlanner().next(Situation(request=text, vocabulary=vocabulary, steps_left=6))


def misses(name: str) -> list[Miss]:
    vocabulary = OF_MANY_HOSTS if name == "other.jsonl" else VOCABULARY
    found = []
    for one in sentences(name):
        wanted, got = wanted_of(one), got_of(plan(one["text"], vocabulary))
        if wanted != got:
            found.append(Miss(one["id"], one["text"], wanted, got))
    return found


def wanted_of(one: Mapping[str, Any]) -> tuple[object, ...]:
    call = one["call"]
    return (_intent(one["intent"], call), call["tool"], *_COMPARED[call["tool"]](call))


def got_of(choice: Choice) -> tuple[object, ...]:
    call = choice.planned.call
    said: dict[str, Any] = call.model_dump()
    if isinstance(call, PrepareTask):
        said["variables"] = {one.name: one.value for one in call.variables}
    if isinstance(call, PrepareIssue) and not call.title:
        return (choice.planned.intent, call.tool, "no title")
    if isinstance(call, FinalAnswer | PrepareIssue | PrepareTask):
        intent = _intent(choice.planned.intent, said)
        return (intent, call.tool, *_COMPARED[call.tool](said))
    return (choice.planned.intent, call.tool)


def _intent(intent: str, call: Mapping[str, Any]) -> str:
    return "either" if call.get("ending") == "hand_over" else intent


def _task(call: Mapping[str, Any]) -> tuple[object, ...]:
    return call["template"], sorted(call["limit"]), dict(call.get("variables") or {})


def _issue(call: Mapping[str, Any]) -> tuple[object, ...]:
    return call["alias"], sorted(call.get("labels", ())), sorted(call.get("assignees", ()))


def _final(call: Mapping[str, Any]) -> tuple[object, ...]:
    return call["ending"], sorted(call.get("missing", ()))


_COMPARED = {
    "search_knowledge": lambda _call: (),
    "prepare_task": _task,
    "prepare_issue": _issue,
    "final_answer": _final,
}
