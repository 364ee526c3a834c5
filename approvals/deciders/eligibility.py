"""Whether there are people who could decide a proposal: a quorum nobody can reach counts as none.

A power that was lent stays its lender's, so a delegate adds no vote to it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals import rules
from approvals.deciders import escalation, owners
from approvals.models import AgenteAprovacao, Decision, Escalation, State
from opspilot.tenancy import selectors as people
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Role, subject_of
from opspilot.tenancy.roles import DECIDERS

SCANNED = 500  # of the pending ones that could be without an approver, those whose time ends first
Holders = dict[str, frozenset[Role]]
_SQL = Path(__file__).parents[1] / "sql"
_ELIGIBLE, _STANDING = _SQL / "eligible.sql", _SQL / "standing.sql"


def route(*, proposal: AgenteAprovacao) -> None:
    """When it is made: give it at once to the role the policy names, if nobody else can decide."""
    if without_approver([proposal]):
        escalation.route_on(proposal=proposal)


def without_approver(proposals: Sequence[AgenteAprovacao]) -> frozenset[int]:
    """Of these, the ids of the pending ones that no eligible people could ever carry."""
    pending = [p for p in proposals if p.estado == State.PENDENTE]
    if not pending:
        return frozenset()
    found = sql.record(_ELIGIBLE, proposals=[p.pk for p in pending])
    holders = holders_in(found["holders"])
    given, voted = _by_proposal(found["given"]), _by_proposal(found["voted"])
    policy = rules.newest() if given else None
    return frozenset(
        p.pk
        for p in pending
        if _lacks(
            p,
            holders,
            {
                p.papel_exigido,
                *rules.still_given(kind=p.acao, roles=given[p.pk], version=policy),
            },
            voted[p.pk],
        )
    )


def holders_in(rows: Iterable[tuple[int, list[str]]]) -> Holders:
    """Everybody's roles, by the subject decisions are written under."""
    return {subject_of(number): frozenset(Role(role) for role in roles) for number, roles in rows}


def stuck() -> list[int]:
    """The ids of the pending proposals without an eligible approver, the first to expire first.
    Looks at SCANNED of those whose role has too few people for it to be out of the question."""
    held = Counter(role for roles in people.roles_by_subject().values() for role in roles)
    scarce = Q(pk__in=[])
    for role in DECIDERS:
        # The requester and the agent's owner may be two of them, and so may who stands behind it.
        enough = held[role] - 2 - F("agente_barrados__len")
        scarce |= Q(papel_exigido=role, aprovacoes_exigidas__gt=enough)
    rows = AgenteAprovacao.objects.filter(scarce, estado=State.PENDENTE).order_by("expira_em")
    found = list(rows.defer("proposta", "evidencia", "justificativa")[:SCANNED])
    lacking = without_approver(found)
    return [proposal.pk for proposal in found if proposal.pk in lacking]


def standing_votes(*, proposal: AgenteAprovacao) -> int:
    """How many approvals of exactly this content still stand, asked right before the effect.

    Each was given by somebody who is still in the company, by a power whose holder still has a
    role that decides this: nobody's approval outlives their leaving. A delegation that has ended
    since takes nothing back.
    """
    found = sql.record(_STANDING, approval=proposal.pk, seen_hash=proposal.acao_hash)
    holders, given = holders_in(found["holders"]), found["given"]
    deciding = {proposal.papel_exigido, *rules.still_given(kind=proposal.acao, roles=given)}
    barred = owners.barred(proposal)
    standing = {
        of or subject
        for subject, of in found["votes"]
        if holders.get(subject)
        and deciding & holders.get(of or subject, frozenset())
        and not barred & {subject, of or subject}
    }
    return len(standing)


def note(
    *,
    proposal: AgenteAprovacao,
    holders: Holders,
    given: Sequence[Escalation],
    decided: Sequence[Decision],
) -> dict[str, str] | None:
    """The strip on a pending proposal's page that says so and what happens next; None where
    somebody can decide. Of the proposal, its escalations and its decisions."""
    deciding = {proposal.papel_exigido, *(row.to_role for row in given)}
    voted = {row.on_behalf_of or row.subject for row in decided}
    if not _lacks(proposal, holders, deciding, voted):
        return None
    words = ngettext(
        "A decisão pede %(count)s voto do papel %(roles)s, e não há quem o dê além de quem pediu.",
        "A decisão pede %(count)s votos do papel %(roles)s, e não há pessoas bastantes além de "
        "quem pediu.",
        proposal.aprovacoes_exigidas,
    )
    roles = sorted(str(Role(role).label) for role in deciding)
    text = words % {"count": proposal.aprovacoes_exigidas, "roles": _(" ou ").join(roles)}
    return {"title": _("Sem aprovador elegível."), "text": text, "more": _next_step()}


def _next_step() -> str:
    return _(
        "Nada será executado. Um admin pode dar o papel a mais alguém; sem isso, a proposta expira."
    )


def _lacks(
    proposal: AgenteAprovacao, holders: Holders, deciding: set[str], voted: Iterable[str]
) -> bool:
    barred = owners.barred(proposal)
    able = {subject for subject, roles in holders.items() if deciding & roles}
    return len(able.union(voted) - barred) < proposal.aprovacoes_exigidas


def _by_proposal(rows: Iterable[tuple[int, str]]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for proposal, value in rows:
        found[proposal].add(value)
    return found
