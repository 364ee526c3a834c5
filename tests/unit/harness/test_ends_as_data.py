"""The ends of a run: each has its own state, and no row of the trail has a planner's words."""

from __future__ import annotations

from typing import Any

import pytest

from audit.vocabulary import Result
from opspilot.harness.models import RunState
from opspilot.harness.running import ends
from opspilot.harness.running.ends import End

WHY = {"justification": "A fila parou e clientes esperam."}
WORDS = "o cliente da conta 4711"
CONTENT: dict[str, Any] = {"sentences": [{"chunk_id": 1}]}


def answered(content: dict[str, Any]) -> End:
    return ends.answered(content=content, level="alta", cited=[], code="", instruction="1" * 64)


@pytest.mark.parametrize(
    ("end", "state", "result"),
    [
        (ends.prepared({"task": {}} | WHY, []), RunState.PREPARED, Result.OK),
        (ends.prepared({"fields": {}, "justification": ""}, []), RunState.ASKS, Result.OK),
        (ends.asks({}, ["limit"], "", []), RunState.ASKS, Result.OK),
        (ends.handed_over(""), RunState.HANDOVER, Result.OK),
        (ends.refused(), RunState.REFUSED, Result.RECUSADO),
        (ends.failed("passos_esgotados"), RunState.FAILED, Result.ERRO),
        (ends.review("modelo_em_pausa", None), RunState.REVIEW, Result.ERRO),
        (ends.stopped(), RunState.STOPPED, Result.OK),
        (answered(CONTENT), RunState.ANSWERED, Result.OK),
        (answered({"sentences": []}), RunState.ABSTAINED, Result.RECUSADO),
    ],
)
def test_each_end_has_a_state_of_its_own(end: End, state: RunState, result: Result) -> None:
    assert (end.state, end.result) == (state, result)
    assert len(end.state) <= 10


def test_a_command_without_a_reason_asks_for_it() -> None:
    end = ends.prepared({"fields": {}, "justification": ""}, [])
    assert end.values["answer"]["missing"] == ["justificativa"]


@pytest.mark.parametrize("end", [ends.handed_over(WORDS), ends.refused(words=WORDS)])
def test_a_planner_s_words_stay_with_the_run(end: End) -> None:
    assert end.values["answer"]["words"] == WORDS
    assert WORDS not in f"{end.said} {end.code} {end.error}"


def test_what_is_no_name_of_a_field_is_not_asked_for() -> None:
    end = ends.asks({}, ["limit", WORDS, "Rm -rf /", "x" * 64], WORDS, [])
    assert end.values["answer"]["missing"] == ["limit"]
    assert end.said == "falta dizer: limit"


def test_a_search_that_found_nothing_leaves_no_level_but_none() -> None:
    assert answered({"sentences": []}).values["coverage"] == "nenhuma"
