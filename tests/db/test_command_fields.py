"""What a requester fills in reaches the frozen action, the approver's eyes and the way back, whole.

A field that is added to the command and forgotten in one of these places fails here.
"""

from __future__ import annotations

from typing import Any

import pytest

from approvals import rules
from approvals.actions import IssueCommand
from approvals.inbox import presenters
from opspilot.harness.forms import CommandForm
from opspilot.harness.models import Run
from opspilot.rodadas.presenters import written
from opspilot.tenancy.principal import Role
from tests import factories

pytestmark = pytest.mark.usefixtures("committed")

# Who asked and for which company stand elsewhere on the page; the rest is what is approved.
ELSEWHERE = {"schema", "kind", "tenant", "requester"}
# The form's own: why, and about whom. The number is not kept, so it cannot come back.
NOT_OF_THE_COMMAND = {"justificativa", "cliente"}


@pytest.fixture
def action() -> dict[str, Any]:
    """The action of a command in which every field is filled."""
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return factories.a_draft(factories.a_principal(tenant, Role.OPERADOR)).action


def filled() -> IssueCommand:
    return IssueCommand(**factories.a_command())


def test_the_command_of_the_tests_fills_every_field() -> None:
    empty = [name for name in IssueCommand.model_fields if not getattr(filled(), name)]
    assert empty == []


def test_the_command_is_read_back_whole_from_its_action(action: dict[str, Any]) -> None:
    assert rules.command_of(action) == filled()


@pytest.mark.parametrize("name", sorted(IssueCommand.model_fields))
def test_each_field_of_the_command_is_under_the_hash(action: dict[str, Any], name: str) -> None:
    assert name in action


def test_nothing_of_the_action_is_kept_from_who_approves(action: dict[str, Any]) -> None:
    before = presenters.frozen(action, "opk")
    hidden = [
        name
        for name in action.keys() - ELSEWHERE
        if presenters.frozen(action | {name: other(action[name])}, "opk") == before
    ]
    assert hidden == []


def other(value: Any) -> Any:
    """Another value of the same shape."""
    match value:
        case bool():
            return not value
        case str():
            return f"{value} outra"
        case list():
            return []
        case dict():
            return {key: f"{item}0" for key, item in value.items()}
    raise AssertionError(f"an action holds a {type(value).__name__}")


def test_whoever_goes_back_to_correct_finds_each_field_again() -> None:
    fields = filled().model_dump(mode="json")
    run = Run(command={"fields": fields, "justification": "Clientes esperam.", "entity": None})
    assert written(run).keys() == CommandForm.base_fields.keys() - {"cliente"}
    assert len(written(run)) == len(IssueCommand.model_fields) + len(NOT_OF_THE_COMMAND) - 1
