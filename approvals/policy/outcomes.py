"""What authorisation is asked and what it answers: data, no rule."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from approvals.actions import Command
from approvals.errors import ConsultRequiredError, NoBasisError, PolicyRefusedError
from approvals.policy.policy_document import RISKS, KindRule, Risk
from opspilot.tenancy.principal import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the policy makes of an action. Two outcomes that are equal have not *moved* (I3)."""

    risk: Risk
    quorum: int
    approver_role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueOutcome(Outcome):
    project_id: int
    project_path: str
    labels: tuple[str, ...]
    assignees: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOutcome(Outcome):
    project_id: int
    template_id: int
    fingerprint: str
    hosts: tuple[str, ...]
    variables: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalOutcome(Outcome):
    """`fields` are (name, type, value), by name."""

    fields: tuple[tuple[str, str, str | int], ...]
    authorization: str


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what, on which basis. `coverage` is the grounding's word for the answer the
    command rests on; None = nothing was consulted. `agent` is the slug of an agent that asks, and
    the roles are then its owner's; "" = a person asks."""

    roles: frozenset[Role]
    command: Command
    coverage: str | None
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule's answer. `error` is what a refusal raises; its code is the reason code."""

    rule: str | Promise
    ok: bool
    error: type[PolicyRefusedError]
    detail: str = ""

    @property
    def code(self) -> str:
        return "ok" if self.ok else self.error.code

    def refusal(self) -> PolicyRefusedError:
        return self.error(self.detail or None)

    @property
    def sentence(self) -> str:
        """Why it refuses, in words."""
        return self.detail or str(self.error.what)


@dataclass(frozen=True, slots=True)
class Authorization:
    """Every rule's answer, in the order they are asked, and the outcome when all allow."""

    checks: tuple[Check, ...]
    outcome: Outcome | None

    @property
    def allowed(self) -> bool:
        return self.outcome is not None


def named(sentence: str | Promise, names: list[str]) -> str:
    """The sentence about these names (the first five), or nothing when there is none."""
    said = ", ".join(name[:80] for name in names[:5])
    return str(sentence) % {"name": said} if names else ""


def raised(risk: Risk, coverage: str | None) -> Risk:
    """Low coverage raises a risk by one step."""
    step = RISKS.index(risk) + (coverage == "baixa")
    return RISKS[min(step, len(RISKS) - 1)]


def basis(request: Request, rule: KindRule | None) -> Check:
    """A consult that found nothing carries nothing; where the kind must consult, no consult neither."""
    words = _("Base nos runbooks")
    if rule is not None and rule.must_consult and request.coverage is None:
        return Check(words, False, ConsultRequiredError)
    return Check(words, request.coverage != "nenhuma", NoBasisError)


def may_ask(request: Request, rule: KindRule | None) -> bool:
    """Whether one of the requester's roles may ask for this kind of action."""
    allowed = set(rule.requester_roles) if rule else set()
    return not allowed.isdisjoint(str(role) for role in request.roles)
