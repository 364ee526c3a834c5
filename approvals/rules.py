"""Reads the policy in force and evaluates one action. Writes nothing; decides nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from approvals import canonical
from approvals.actions import Command
from approvals.authorization import Authorization, Outcome, Request, authorize
from approvals.errors import PolicyRefusedError
from approvals.models import AgenteAprovacao, PolicyVersion
from approvals.policy.policy_document import KindRule, PolicyDocument
from approvals.policy.stored import command_of, named_in, outcome_of
from opspilot import telemetry
from opspilot.errors import OpsPilotError
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import current_tenant_id

__all__ = ["Policy", "Version", "command_of", "evaluate", "in_force", "moved", "outcome_of"]


@dataclass(frozen=True, slots=True)
class Policy:
    number: int
    document: PolicyDocument


@dataclass(frozen=True, slots=True)
class Version:
    """Which policy: its number and the SHA-256 of its document."""

    number: int
    sha256: str


class NoPolicyError(PolicyRefusedError):
    code = "sem_politica"
    what = _("Sua empresa ainda não tem uma política em vigor.")


class UnreadablePolicyError(PolicyRefusedError):
    """A policy of rules this code does not know: nothing is allowed under it (I12)."""

    code = "politica_ilegivel"
    what = _("A política em vigor é de uma versão que este console ainda não conhece.")


class AlteredPolicyError(UnreadablePolicyError):
    """The stored text is not the one two admins put in force: somebody changed it past the console."""

    code = "politica_alterada"
    what = _("O texto guardado da política em vigor não é o que foi ativado.")


def in_force(version: Version | None = None) -> Policy:
    """The policy with the highest number in the scope's tenant; raise NoPolicyError without one.

    `version` is that policy's, where the caller has just read it.
    """
    found = version or newest()
    if found is None:
        raise NoPolicyError
    return Policy(found.number, _document(current_tenant_id(), found.number, found.sha256))


def newest() -> Version | None:
    """Which policy is in force; None without one."""
    found = PolicyVersion.objects.order_by("-number").values_list("number", "sha256").first()
    return Version(*found) if found else None


@lru_cache(maxsize=64)
def _document(tenant_id: UUID, number: int, sha256: str) -> PolicyDocument:
    """Read once in each process: a version never changes, and one that did is none. Nothing
    unreadable is remembered."""
    document = PolicyVersion.objects.get(tenant_id=tenant_id, number=number).document
    if not canonical.is_hash_of(document, sha256):
        raise AlteredPolicyError
    return readable(document)


@dataclass(frozen=True, slots=True)
class Reread:
    """Which policy is in force, and whether its text is what its hash was made of."""

    version: Version | None
    is_intact: bool


def reread() -> Reread:
    """Its text as it stands now. Asked right before an effect: what this process remembers was true
    when it was read."""
    rows = PolicyVersion.objects.order_by("-number").values_list("number", "sha256", "document")
    found = rows.first()
    if found is None:
        return Reread(None, is_intact=True)
    number, sha256, document = found
    return Reread(Version(number, sha256), canonical.is_hash_of(document, sha256))


def altered() -> bool:
    """Whether the text in force, read now, is not what its hash was made of."""
    return not reread().is_intact


def readable(document: dict[str, Any]) -> PolicyDocument:
    """Raises UnreadablePolicyError for a document of rules this code does not know."""
    try:
        return PolicyDocument.model_validate(document)
    except ValidationError as exc:
        raise UnreadablePolicyError from exc


def evaluate(
    *,
    policy: Policy,
    command: Command,
    roles: frozenset[Role],
    coverage: str | None,
    agent: str = "",
) -> Outcome:
    """Resolve names to ids and find risk and quorum, or raise the refusal that says why not."""
    request = Request(roles, command, coverage, agent)
    with telemetry.span("authorization"):
        answer = authorize(request=request, document=policy.document)
    return _allowed(answer)


def _allowed(answer: Authorization) -> Outcome:
    if answer.outcome is None:
        raise next(check for check in answer.checks if not check.ok).refusal()
    return answer.outcome


def moved(
    proposal: AgenteAprovacao, *, policy: Policy | None = None, version: Version | None = None
) -> bool:
    """Whether the policy in force gives this action another outcome than the proposal's (I3).

    `policy` or `version` is the one in force, where the caller has just read it.

    The requester's roles are not asked again: what they were allowed to ask for, they asked for.
    An action that cannot be read, or of a kind this code does not know, has moved.
    """
    try:
        return _outcome_now(proposal, policy or in_force(version)) != outcome_of(
            proposal.proposta,
            risk=proposal.risco,
            quorum=proposal.aprovacoes_exigidas,
            approver_role=proposal.papel_exigido,
        )
    except (OpsPilotError, KeyError, TypeError, ValueError):
        return True


def _outcome_now(proposal: AgenteAprovacao, policy: Policy) -> Outcome:
    return evaluate(
        policy=policy,
        command=named_in(proposal.proposta),  # its words were checked when it was made
        roles=requesters(policy.document, kind=proposal.acao),
        coverage=proposal.cobertura,
        agent=proposal.agente,
    )


def rule_in_force(*, kind: str, version: Version | None = None) -> KindRule:
    """The rule of this kind of action now, or the refusal that says there is none."""
    rule = in_force(version).document.rule_of(kind)
    if rule is None:
        raise PolicyRefusedError
    return rule


def still_given(
    *, kind: str, roles: Collection[str], version: Version | None = None
) -> frozenset[str]:
    """Of the roles that something of this kind was given to, those that count: a policy that names
    another role, or none, takes back what the one before gave. Asks nothing where it was given to
    nobody."""
    if not roles:
        return frozenset()
    try:
        rule = in_force(version).document.rule_of(kind)
    except (NoPolicyError, UnreadablePolicyError):
        return frozenset()
    named = rule.escalonamento.para_papel if rule and rule.escalonamento else ""
    return frozenset(roles) & {str(named)}


def requesters(document: PolicyDocument, *, kind: str) -> frozenset[Role]:
    """Every role that may ask for this kind of action."""
    rule = document.rule_of(kind)
    return frozenset(Role(role) for role in rule.requester_roles) if rule else frozenset()
