"""Which policy was in force at each moment of an effect, and what it makes of the action (I3).

Worked out anew from the stored versions: nothing of it is taken from what was noted at the time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from approvals import canonical, rules
from approvals.models import AgenteAprovacao, ExecutionAttempt, PolicyVersion, State
from approvals.policy.policy_document import PolicyDocument
from audit.proving import proof_document as form

Name = Literal["proposta", "decisao", "execucao"]
Moment = tuple[Name, dt.datetime]
Outcome = Literal["igual", "mudou", "desconhecido"]
NOT_CANONICAL = ""  # no hash: nothing equals it


def policies(
    proposal: AgenteAprovacao, requests: Iterable[ExecutionAttempt]
) -> Iterator[form.Policy]:
    """One of each moment that came; at the proposal it is the version that the proposal names."""
    first = PolicyVersion.objects.filter(number=proposal.politica_versao).first()
    if first is not None:
        yield _policy(proposal, ("proposta", proposal.criada_em), first)
    for moment in _later(proposal, requests):
        version = at(moment[1])
        if version is not None:
            yield _policy(proposal, moment, version)


def at(moment: dt.datetime) -> PolicyVersion | None:
    found = PolicyVersion.objects.filter(activated_at__lte=moment)
    return found.order_by("-number").first()


def hold_seconds(proposal: AgenteAprovacao) -> int | None:
    """What the policy at the decision says to wait before the effect; None = not known."""
    version = at(proposal.decidida_em) if proposal.decidida_em else None
    document = _readable(version.document) if version else None
    rule = document.rule_of(proposal.acao) if document else None
    held = {str(risk): seconds for risk, seconds in rule.hold_seconds.items()} if rule else {}
    return held.get(proposal.risco)


def _later(proposal: AgenteAprovacao, requests: Iterable[ExecutionAttempt]) -> Iterator[Moment]:
    if proposal.estado == State.APROVADA and proposal.decidida_em is not None:
        yield "decisao", proposal.decidida_em
    for row in requests:
        yield "execucao", row.at


def _policy(proposal: AgenteAprovacao, moment: Moment, version: PolicyVersion) -> form.Policy:
    return form.Policy(
        momento=moment[0],
        em=moment[1],
        versao=version.number,
        ativada_em=version.activated_at,
        sha256=version.sha256,
        sha256_recalculado=_hash(version.document),
        resultado=_outcome(proposal, version),
    )


def _hash(document: dict[str, Any]) -> str:
    try:
        return canonical.action_hash(document)
    except canonical.NotCanonicalError:
        return NOT_CANONICAL


def _outcome(proposal: AgenteAprovacao, version: PolicyVersion) -> Outcome:
    document = _readable(version.document)
    if document is None:
        return "desconhecido"
    moved = rules.moved(proposal, policy=rules.Policy(version.number, document))
    return "mudou" if moved else "igual"


def _readable(document: dict[str, Any]) -> PolicyDocument | None:
    try:
        return rules.readable(document)
    except rules.UnreadablePolicyError:
        return None
