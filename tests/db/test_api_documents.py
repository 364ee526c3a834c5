"""The pages about the API say what it does: the example is accepted, no operation or code is left out."""

from __future__ import annotations

import json
import re

import pytest

from opspilot.api import reference
from opspilot.api.description import schema
from tests.agents import at_the_door
from tests.unit.docs.documents import DOCS, blocks

REFERENCE = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")


def test_the_example_of_the_how_to_is_accepted_as_it_stands(committed: None) -> None:
    (example,) = blocks(DOCS / "how-to" / "connect-an-agent.md", "json")
    assert at_the_door().post("aprovacoes", json.loads(example)).status == 201


def test_the_reference_lists_every_operation_with_its_scope_and_no_other() -> None:
    table = REFERENCE.split("## Operations\n")[1].split("\n## ")[0]
    listed = set(re.findall(r"^\| `(\w+)` \| `(\w+) (\S+)` \| `(\S+)` \|", table, re.MULTILINE))
    found = {(o.id, o.method, o.address, o.scope) for o in reference.operations(schema())}
    assert listed == found


def test_the_reference_lists_every_code_of_the_door_with_its_status() -> None:
    table = REFERENCE.split("## Refusals\n")[1].split("\n## ")[0]
    listed = {(int(s), c) for s, c in re.findall(r"^\| (\d+) \| `(\w+)` \|", table, re.MULTILINE)}
    assert listed == {(line.status, line.code) for line in reference.problems()}


@pytest.mark.parametrize("operation", reference.operations(schema()), ids=lambda o: o.id)
def test_every_operation_says_what_it_does(operation: reference.Operation) -> None:
    assert operation.words
    assert operation.scope
    assert {"401", "403", "429"} <= set(operation.statuses)
