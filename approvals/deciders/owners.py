"""Who answers for the agent that asked: who did when it asked, who does now, and who stood behind
it when it asked, because they issued its token or had a part in whose it was.

None of them decides what it asked for, so an agent that changes hands gives nobody a vote on it; nor
what undoes that or sends it again. Who asked for it first does not decide that it is sent again either.
"""

from __future__ import annotations

from django.db import connection

from approvals.actions import SENT_AGAIN
from approvals.models import AgenteAprovacao
from opspilot.tenancy.principal import subject_of

_NOW = "SELECT owner_id FROM agent WHERE tenant_id = %s AND slug = %s"


def of(proposal: AgenteAprovacao) -> frozenset[str]:
    """The subjects; nobody where a person asked, unless it is about another one."""
    about = proposal.sobre if proposal.sobre_id else None
    behind = behind_first(kind=proposal.acao, about=about)
    return frozenset({*_then(proposal), *_now(proposal), *behind} - {""})


def behind_first(*, kind: str, about: AgenteAprovacao | None) -> frozenset[str]:
    """Who stands behind the proposal that one of this kind is about, and so behind that one too."""
    if about is None:
        return frozenset()
    first = {about.solicitante} if kind == SENT_AGAIN else set()
    return of(about) | first


def asked_first(subject: str, proposal: AgenteAprovacao) -> bool:
    """Whether this would send once more what they asked for."""
    about = proposal.sobre if proposal.acao == SENT_AGAIN else None
    return about is not None and about.solicitante == subject


def barred(proposal: AgenteAprovacao) -> frozenset[str]:
    """The subjects that decide nothing here, as it was frozen: who owns the agent since is not among them.
    Asks nothing but, for what would be sent again, who was behind it at first."""
    about = proposal.sobre if proposal.acao == SENT_AGAIN else None
    first = {about.solicitante, *_then(about)} if about else set()
    return frozenset({proposal.solicitante, *_then(proposal), *first} - {""})


def _then(proposal: AgenteAprovacao) -> set[str]:
    return {proposal.agente_dono, *proposal.agente_barrados}


def _now(proposal: AgenteAprovacao) -> set[str]:
    if not proposal.agente:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_NOW, [proposal.tenant_id, proposal.agente])
        found = cursor.fetchone()
    return {subject_of(found[0])} if found else set()
