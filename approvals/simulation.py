"""What a policy would have made of the proposals of the last days. Reads only, decides nothing."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from approvals import rules
from approvals.actions import IssueCommand
from approvals.authorization import Authorization, Outcome, Request, authorize
from approvals.models import AgenteAprovacao, State
from approvals.policy_document import PolicyDocument
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Role
from opspilot.tenancy.selectors import roles_by_subject

DAYS = 30
LIMIT = 2_000  # proposals replayed in one page
Effect = Literal["recusada", "mais_aprovacoes", "menos_aprovacoes", "outro_papel", "outro_risco"]


@dataclass(frozen=True, slots=True)
class Changed:
    """One proposal that would come out otherwise. `code` is the refusal's reason code, if any."""

    proposal: AgenteAprovacao
    effect: Effect
    before: Outcome
    after: Outcome | None
    code: str = ""

    @property
    def pending(self) -> bool:
        """It waits for a decision now, and would be marked: another outcome has *moved* (I3)."""
        return self.proposal.estado == State.PENDENTE

    @property
    def approved_then_blocked(self) -> bool:
        return self.proposal.estado == State.APROVADA and self.after is None


@dataclass(frozen=True, slots=True)
class Simulation:
    """`seen` proposals replayed, newest first; `changed` those with another outcome. `capped`:
    the days held more than LIMIT, and the older ones were left out."""

    since: dt.datetime
    seen: int
    changed: tuple[Changed, ...]
    capped: bool

    def count(self, effect: Effect) -> int:
        return Counter(row.effect for row in self.changed)[effect]


def simulate(*, document: PolicyDocument, days: int = DAYS) -> Simulation:
    """Ask the authorisation function again, for each proposal, under this document.

    The requester's roles are those of now, as in proposing again; who has left the tenant keeps
    what any requester may ask, so that a leaver does not look like a change of policy.
    """
    since = clock.now() - dt.timedelta(days=days)
    rows = AgenteAprovacao.objects.filter(criada_em__gte=since).order_by("-pk")
    people = roles_by_subject()
    changed: list[Changed] = []
    seen = 0
    for proposal in rows[:LIMIT].iterator(chunk_size=500):
        seen += 1
        roles = people.get(proposal.solicitante) or _any_requester(document)
        changed += _replayed(proposal, document, roles)
    capped = seen == LIMIT and rows[LIMIT : LIMIT + 1].exists()
    return Simulation(since, seen, tuple(changed), capped)


def _replayed(
    proposal: AgenteAprovacao, document: PolicyDocument, roles: frozenset[Role]
) -> Iterator[Changed]:
    before = rules.outcome_of(
        proposal.proposta,
        risk=proposal.risco,
        quorum=proposal.aprovacoes_exigidas,
        approver_role=proposal.papel_exigido,
    )
    answer = _answer(proposal, document, roles)
    after = answer.outcome if answer else None
    if after == before:
        return
    code = "" if after else _code(answer)
    yield Changed(proposal, _effect(before, after), before, after, code)


def _answer(
    proposal: AgenteAprovacao, document: PolicyDocument, roles: frozenset[Role]
) -> Authorization | None:
    """The authorisation a proposal's own command would get; None when it cannot be read again."""
    try:
        command = _named_in(proposal.proposta)
    except (KeyError, TypeError):
        return None
    return authorize(request=Request(roles, command, proposal.cobertura), document=document)


def _named_in(action: dict[str, Any]) -> IssueCommand:
    """Only what the rules ask about. The words of the issue are long and decide nothing."""
    return IssueCommand.model_construct(
        alias=action["alias"],
        title="",
        description="",
        labels=tuple(action["labels"]),
        assignees=tuple(item["name"] for item in action["assignees"]),
    )


def _any_requester(document: PolicyDocument) -> frozenset[Role]:
    return frozenset(Role(role) for role in document.issue_criada.requester_roles)


def _code(answer: Authorization | None) -> str:
    if answer is None:
        return "conteudo_ilegivel"
    return next(check.code for check in answer.checks if not check.ok)


def _effect(before: Outcome, after: Outcome | None) -> Effect:
    if after is None:
        return "recusada"
    if after.quorum != before.quorum:
        return "mais_aprovacoes" if after.quorum > before.quorum else "menos_aprovacoes"
    if after.approver_role != before.approver_role:
        return "outro_papel"
    return "outro_risco"
