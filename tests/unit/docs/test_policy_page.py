"""The page of the policy document names every field of the schema, and every reason code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from approvals import errors
from approvals.agents import external_refusals
from approvals.errors import PolicyRefusedError
from approvals.policy.policy_document import (
    ActionRule,
    EscalationRule,
    ExternalField,
    ExternalRule,
    KindRule,
    PolicyDocument,
    Project,
    TaskRule,
    Template,
    Variable,
)
from approvals.stops.calendar import Calendar, ChangeWindow, Freeze
from approvals.tasks import task_refusals

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "policy.md"
OWN = set(KindRule.model_fields)
# The rules of the kinds have the fields of any rule, which stand in a table of their own.
SECTIONS: dict[str, tuple[type[BaseModel], set[str]]] = {
    "The document": (PolicyDocument, set()),
    "A project": (Project, set()),
    "The rule of any kind": (KindRule, set()),
    "Escalation": (EscalationRule, set()),
    "The rule of issues": (ActionRule, OWN),
    "The rule of tasks": (TaskRule, OWN),
    "A template": (Template, set()),
    "A variable": (Variable, set()),
    "The rule of a kind that agents carry out": (ExternalRule, OWN),
    "A field of such an action": (ExternalField, set()),
    "The calendar": (Calendar, set()),
    "A change window": (ChangeWindow, set()),
    "A freeze": (Freeze, set()),
}


def rows(heading: str) -> set[str]:
    section = PAGE.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([^`]+)`", section, re.MULTILINE))


@pytest.mark.parametrize("heading", SECTIONS)
def test_the_page_names_exactly_the_fields_of_the_schema(heading: str) -> None:
    model, elsewhere = SECTIONS[heading]
    assert rows(heading) == set(model.model_fields) - elsewhere


def test_the_page_has_no_table_of_fields_beside_these() -> None:
    headings = set(re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.MULTILINE))
    assert headings == set(SECTIONS) | {"Reason codes"}


def test_the_page_names_exactly_the_reason_codes_there_are() -> None:
    known = {
        found.code
        for module in (errors, task_refusals, external_refusals)
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, PolicyRefusedError)
    }
    assert rows("Reason codes") == known - {PolicyRefusedError.code}
