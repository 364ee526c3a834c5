"""Asks a policy about one action and gives everything it answers. Creates nothing, ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from approvals import actions, policies, rules
from approvals.actions import ISSUE_CREATED, Command, InvalidCommandError
from approvals.agents import external_command
from approvals.authorization import Check, Outcome, Request, authorize
from approvals.policy.policy_document import KindRule, PolicyDocument
from approvals.stops import calendar_words
from approvals.tasks import task_command
from approvals.tasks.task_command import TASK_RUN
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Role

COVERAGES = ("alta", "media", "baixa", "nenhuma")
# The words of an issue are not what is tested: two that are always allowed stand for them.
_WORDS = {"title": "teste", "description": "teste"}


@dataclass(frozen=True, slots=True)
class Asker:
    """As whom the policy is asked. `agent` is a slug, "" for a person; with an agent the roles are
    those of the person who answers for it. `coverage` None = nothing was consulted."""

    roles: frozenset[Role]
    agent: str = ""
    coverage: str | None = None


@dataclass(frozen=True, slots=True)
class TestResult:
    """Every rule's answer, and what an allowed action would take.

    `policy` is the number of the version that was asked; for a draft, of the one it starts from.
    The times are None where the policy has no rule for this kind of action.
    """

    __test__ = False

    kind: str
    policy: int
    draft: UUID | None
    checks: tuple[Check, ...]
    outcome: Outcome | None
    hold_seconds: int | None = None
    expires_minutes: int | None = None
    execute_within_minutes: int | None = None
    start: str = ""  # whether it could start at this moment, in words; "" for what is refused

    @property
    def allowed(self) -> bool:
        return self.outcome is not None

    @property
    def codes(self) -> tuple[str, ...]:
        """The reason codes of what refuses, in the order the rules are asked."""
        return tuple(check.code for check in self.checks if not check.ok)


def test_action(*, asker: Asker, action: Mapping[str, Any], draft: UUID | None) -> TestResult:
    """What the policy in force, or a draft of it, makes of `{kind, <field>: <value>, …}`.

    Raises InvalidCommandError for a kind or a coverage there is not and for an issue whose fields
    cannot be read, NotFoundError for another tenant's draft, NoPolicyError without a policy.
    """
    number, document = _policy(draft)
    kind, command = _command(action)
    if asker.coverage not in {None, *COVERAGES}:
        raise InvalidCommandError(fields=["coverage"])
    request = Request(asker.roles, command, asker.coverage, asker.agent)
    answer = authorize(request=request, document=document)
    return TestResult(
        kind=kind,
        policy=number,
        draft=draft,
        checks=answer.checks,
        outcome=answer.outcome,
        **_times(document.rule_of(kind), answer.outcome),
        start=_start(document, kind, answer.outcome),
    )


def _policy(draft: UUID | None) -> tuple[int, PolicyDocument]:
    if draft is None:
        policy = rules.in_force()
        return policy.number, policy.document
    found = policies.draft_of(ref=draft)
    return found.based_on, rules.readable(found.document)


def _command(action: Mapping[str, Any]) -> tuple[str, Command]:
    fields = {name: value for name, value in action.items() if name != "kind"}
    match action.get("kind"):
        case str(kind) if kind == ISSUE_CREATED:
            return kind, actions.parse(_WORDS | {n: _set(v) for n, v in fields.items()})
        case str(kind) if kind == TASK_RUN:
            return kind, task_command.read(fields)
        case str(kind):
            return kind, external_command.read(kind=kind, fields=fields)
        case _:
            raise InvalidCommandError(fields=["kind"])


def _set(value: object) -> object:
    """JSON has lists where a command has tuples."""
    return tuple(value) if isinstance(value, list) else value


def _times(rule: KindRule | None, outcome: Outcome | None) -> dict[str, int | None]:
    if rule is None:
        return {}
    return {
        "hold_seconds": rule.hold_seconds[outcome.risk] if outcome else None,
        "expires_minutes": rule.expires_minutes,
        "execute_within_minutes": rule.execute_within_minutes,
    }


def _start(document: PolicyDocument, kind: str, outcome: Outcome | None) -> str:
    """Asks the clock only where the answer depends on it."""
    if outcome is None:
        return ""
    if document.calendario is None:
        return calendar_words.at_any_time()
    return calendar_words.state(document.calendario, kind=kind, risk=outcome.risk, at=clock.now())
