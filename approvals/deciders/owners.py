"""Who answers for the agent that asked: who did when it asked, who does now, and who stood behind
it when it asked, because they issued its token or had a part in whose it was.

None of them decides what it asked for, so an agent that changes hands gives nobody a vote on it.
"""

from __future__ import annotations

from django.db import connection

from approvals.models import AgenteAprovacao
from opspilot.tenancy.principal import subject_of

_NOW = "SELECT owner_id FROM agent WHERE tenant_id = %s AND slug = %s"


def of(proposal: AgenteAprovacao) -> frozenset[str]:
    """The subjects; nobody where a person asked."""
    if not proposal.agente:
        return frozenset()
    with connection.cursor() as cursor:
        cursor.execute(_NOW, [proposal.tenant_id, proposal.agente])
        found = cursor.fetchone()
    now = {subject_of(found[0])} if found else set()
    return frozenset({*_then(proposal), *now} - {""})


def barred(proposal: AgenteAprovacao) -> frozenset[str]:
    """The subjects that decide nothing here, as it was frozen: asks nothing, so who owns the agent
    since is not among them."""
    return frozenset({proposal.solicitante, *_then(proposal)} - {""})


def _then(proposal: AgenteAprovacao) -> set[str]:
    return {proposal.agente_dono, *proposal.agente_barrados}
