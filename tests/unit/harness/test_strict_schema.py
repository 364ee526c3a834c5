"""The shape that a model must plan in, by the rules of strict structured output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from opspilot.harness.planning import modelled
from opspilot.harness.planning.port import Planned

PLAIN = {"type", "enum", "properties", "required", "additionalProperties", "items", "anyOf"}


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    yield dict(schema)
    for inside in schema.get("properties", {}).values():
        yield from parts(inside)
    for inside in [*schema.get("anyOf", ()), *filter(None, [schema.get("items")])]:
        yield from parts(inside)


def objects() -> list[dict[str, Any]]:
    return [one for one in parts(modelled.SCHEMA) if one.get("type") == "object"]


def test_every_property_is_required_and_none_is_added() -> None:
    for one in objects():
        assert one["required"] == list(one["properties"])
        assert one["additionalProperties"] is False


def test_the_whole_is_an_object_with_nothing_that_servers_read_differently() -> None:
    assert modelled.SCHEMA["type"] == "object"
    assert {name for one in parts(modelled.SCHEMA) for name in one} <= PLAIN


def test_it_has_the_four_tools_and_no_other() -> None:
    tools = [
        tool for one in objects() for tool in one["properties"].get("tool", {}).get("enum", ())
    ]
    assert tools == ["search_knowledge", "prepare_issue", "prepare_task", "final_answer"]


def test_no_name_of_authority_is_in_it() -> None:
    names = {name for one in objects() for name in one["properties"]}
    assert not names & {"approved", "approved_by", "role", "policy", "tenant", "requester", "risk"}


@pytest.mark.parametrize(
    "content",
    [
        '{"intent":"change","call":{"tool":"prepare_task","template":"t","limit":["a"],'
        '"variables":[{"name":"v","value":"1"}]}}',
        '{"intent":"diagnosis","call":{"tool":"final_answer","ending":"answer","missing":[],'
        '"words":""}}',
    ],
)
def test_what_the_shape_allows_is_read_back(content: str) -> None:
    assert Planned.model_validate_json(content).call.tool in content


@pytest.mark.parametrize(
    "content",
    [
        "null",
        "[]",
        '{"intent":"change"}',
        '{"intent":"approve","call":{"tool":"final_answer","ending":"answer"}}',
        '{"intent":"change","call":{"tool":"final_answer","ending":"answer","approved":true}}',
        '{"intent":"change","call":{"tool":"search_knowledge","query":7}}',
        '{"intent":"change","call":{"tool":"search_knowledge","query":""}}',
        "[" * 50_000,
    ],
)
def test_what_it_does_not_allow_is_no_plan(content: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        Planned.model_validate_json(content)
