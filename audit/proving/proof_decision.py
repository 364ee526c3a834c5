"""Of a proof: what was proposed, what was shown, who decided it, and by which policy."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from audit.proving.proof_document import Decision, Policy, Proof, canonical, sha256
from audit.proving.proof_lines import Line, none, ok, red, unknown

APPROVED, APPROVES = "aprovada", "aprovar"
RULE, PERMISSION = "regra", "permissao:"  # decided by no person
JUST_BEFORE = dt.timedelta(minutes=5)
"""Between asking the policy and the row of the request: a version of that time may not be the one
that was asked."""


def lines(proof: Proof) -> Iterator[Line]:
    yield _content(proof)
    yield _identity(proof)
    yield _shown(proof)
    yield _quorum(proof)
    yield _others(proof)
    yield _roles(proof)
    for moment in ("proposta", "decisao", "execucao"):
        yield _policy(proof, moment)


def votes(proof: Proof) -> list[Decision]:
    return [found for found in proof.decisoes if found.veredito == APPROVES]


def by_person(decision: Decision) -> bool:
    return decision.sujeito != RULE and not decision.sujeito.startswith(PERMISSION)


def who(decision: Decision) -> str:
    """As the trail names them."""
    own = f"{decision.nome} ({decision.sujeito})"
    if not decision.em_nome_de:
        return own
    return f"{own} por delegação de {decision.em_nome_de_nome} ({decision.em_nome_de})"


def action_hash(action: Any) -> str:
    """ "" for what has no canonical form: an action holds no number with a fraction."""
    return sha256(canonical(action)) if isinstance(action, dict) and _is_exact(action) else ""


def _is_exact(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_exact(item) for item in value.values())
    if isinstance(value, list):
        return all(_is_exact(item) for item in value)
    return not isinstance(value, float)


def _content(proof: Proof) -> Line:
    stored, now = proof.proposta.acao_hash, action_hash(proof.proposta.conteudo)
    if now == stored:
        return ok("conteudo", "hash_same", hash=stored)
    return red("conteudo", "hash_differs", hash=stored, now=now)


def _identity(proof: Proof) -> Line:
    proposal = proof.proposta
    action: Mapping[str, Any] = proposal.conteudo if isinstance(proposal.conteudo, dict) else {}
    said = {
        "tenant": str(proof.empresa),
        "requester": proposal.solicitante,
        "kind": proposal.acao,
    }
    differs = sorted(name for name, value in said.items() if action.get(name) != value)
    if differs:
        return red("identidade", "belongs_elsewhere", fields=", ".join(differs))
    return ok("identidade", "belongs", who=f"{proposal.solicitante_nome} ({proposal.solicitante})")


def _shown(proof: Proof) -> Line:
    if not proof.decisoes:
        return none("mostrado", "not_decided")
    other = [item for item in proof.decisoes if item.hash_mostrado != proof.proposta.acao_hash]
    if other:
        return red("mostrado", "shown_differs", who=", ".join(map(who, other)))
    return ok("mostrado", "shown_same", count=len(proof.decisoes))


def _quorum(proof: Proof) -> Line:
    proposal = proof.proposta
    if proposal.estado != APPROVED:
        executed = proof.execucao is not None or proof.tentativas or proof.consumo is not None
        return red("quorum", "done_unapproved") if executed else none("quorum", "not_approved")
    counted = {
        vote.em_nome_de or vote.sujeito
        for vote in votes(proof)
        if vote.hash_mostrado == proposal.acao_hash and vote.em < proposal.expira_em
    }
    values = {"votes": len(counted), "needed": proposal.aprovacoes_exigidas}
    if len(counted) < proposal.aprovacoes_exigidas:
        return red("quorum", "quorum_missing", **values)
    return ok("quorum", "quorum_met", **values)


def _others(proof: Proof) -> Line:
    voted = votes(proof)
    if not voted:
        return none("outra_pessoa", "not_approved")
    barred = {proof.proposta.solicitante, *proof.proposta.barrados}
    own = [vote for vote in voted if barred & {vote.sujeito, vote.em_nome_de or vote.sujeito}]
    if own:
        return red("outra_pessoa", "own_decision", who=", ".join(map(who, own)))
    return ok("outra_pessoa", "others_decided", who=", ".join(map(who, voted)))


def _roles(proof: Proof) -> Line:
    voted = [vote for vote in votes(proof) if by_person(vote)]
    if not voted:
        return none("papel", "no_person")
    lacking = [v for v in voted if v.papeis is not None and not set(v.papeis) & _able(proof, v)]
    values = {"role": proof.proposta.papel_exigido}
    if lacking:
        return red("papel", "role_not_held", who=", ".join(map(who, lacking)), **values)
    forgotten = [vote for vote in voted if vote.papeis is None]
    if forgotten:
        return unknown("papel", "roles_forgotten", who=", ".join(map(who, forgotten)), **values)
    return ok("papel", "roles_held", **values)


def _able(proof: Proof, vote: Decision) -> set[str]:
    """The roles that decided it at that moment: its own and those it had been given to."""
    given = {row.papel for row in proof.escalonamentos if row.em <= vote.em}
    return {proof.proposta.papel_exigido, *given}


def _policy(proof: Proof, moment: str) -> Line:
    name = f"politica_{moment}"
    found = [policy for policy in proof.politicas if policy.momento == moment]
    if not found:
        return _without_policy(proof, moment)
    values = {"version": ", ".join(dict.fromkeys(str(policy.versao) for policy in found))}
    if any(policy.sha256 != policy.sha256_recalculado for policy in found):
        return red(name, "policy_altered", **values)
    if moment == "proposta" and found[0].versao != proof.proposta.politica_versao:
        return red(name, "policy_other", **values)
    moved = [policy for policy in found if policy.resultado == "mudou"]
    if any(not _is_just_before(policy) for policy in moved):
        return red(name, "policy_moved", **values)
    if moved or any(policy.resultado == "desconhecido" for policy in found):
        return unknown(name, "policy_unsure", **values)
    return ok(name, "policy_same", **values)


def _without_policy(proof: Proof, moment: str) -> Line:
    """Nothing is none only where there was no such moment."""
    happened = {
        "proposta": True,
        "decisao": bool(votes(proof)),
        "execucao": any(row.tipo == "envio" for row in proof.tentativas),
    }
    name = f"politica_{moment}"
    return unknown(name, "policy_not_there") if happened[moment] else none(name, "not_reached")


def _is_just_before(policy: Policy) -> bool:
    return policy.momento == "execucao" and policy.em - policy.ativada_em < JUST_BEFORE
