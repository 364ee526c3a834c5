"""What a policy would have made of the proposals of the last days. Reads only, decides nothing."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from approvals import rules
from approvals.authorization import Authorization, Outcome, Request, authorize
from approvals.models import AgenteAprovacao, State
from approvals.policy import stored
from approvals.policy.policy_document import PolicyDocument
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Role
from opspilot.tenancy.selectors import roles_by_subject

DAYS = 30
LIMIT = 2_000  # proposals replayed in one page
Effect = Literal[
    "recusada", "mais_aprovacoes", "menos_aprovacoes", "outro_papel", "outro_risco", "outro_destino"
]


@dataclass(frozen=True, slots=True)
class Changed:
    """One proposal that would come out otherwise. `code` is the refusal's reason code, if any.

    `before` is None for one whose content cannot be read any more: nothing is sent of it anyway.
    """

    proposal: AgenteAprovacao
    effect: Effect
    before: Outcome | None
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
    """`seen` of the `total` proposals of these days were replayed, newest first; `changed` are
    those with another outcome. Beyond LIMIT the older ones are left out: `oldest` is when the last
    replayed one was made."""

    since: dt.datetime
    seen: int
    total: int
    oldest: dt.datetime | None
    changed: tuple[Changed, ...]

    @property
    def capped(self) -> bool:
        return self.seen < self.total

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
    seen, oldest = 0, None
    for proposal in rows[:LIMIT].iterator(chunk_size=500):
        seen, oldest = seen + 1, proposal.criada_em
        who = proposal.agente_dono or proposal.solicitante
        roles = people.get(who) or rules.requesters(document, kind=proposal.acao)
        changed += _replayed(proposal, document, roles)
    total = rows.count() if seen == LIMIT else seen
    return Simulation(since, seen, max(seen, total), oldest, tuple(changed))


def _replayed(
    proposal: AgenteAprovacao, document: PolicyDocument, roles: frozenset[Role]
) -> Iterator[Changed]:
    before = _made_under(proposal)
    answer = _answer(proposal, document, roles)
    after = answer.outcome if answer else None
    if before is not None and after == before:
        return
    code = "" if after else _code(answer)
    yield Changed(proposal, _effect(before, after), before, after, code)


def _made_under(proposal: AgenteAprovacao) -> Outcome | None:
    """None for an action that was altered, or is of a kind this code does not know."""
    try:
        return stored.outcome_of(
            proposal.proposta,
            risk=proposal.risco,
            quorum=proposal.aprovacoes_exigidas,
            approver_role=proposal.papel_exigido,
        )
    except (KeyError, TypeError, ValueError):
        return None


def _answer(
    proposal: AgenteAprovacao, document: PolicyDocument, roles: frozenset[Role]
) -> Authorization | None:
    """The authorisation a proposal's own command would get; None when it cannot be read again."""
    try:
        command = stored.named_in(proposal.proposta)
    except (KeyError, TypeError, ValueError):
        return None
    asked = Request(roles, command, proposal.cobertura, proposal.agente)
    return authorize(request=asked, document=document)


def _code(answer: Authorization | None) -> str:
    if answer is None:
        return "conteudo_ilegivel"
    return next(check.code for check in answer.checks if not check.ok)


def _effect(before: Outcome | None, after: Outcome | None) -> Effect:
    if before is None or after is None:
        return "recusada"
    if after.quorum != before.quorum:
        return "mais_aprovacoes" if after.quorum > before.quorum else "menos_aprovacoes"
    if after.approver_role != before.approver_role:
        return "outro_papel"
    return "outro_risco" if after.risk != before.risk else "outro_destino"
