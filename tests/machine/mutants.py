"""Eight rules, each broken on purpose in every layer that enforces it, SQL included.

A rule that several layers hold is broken in all of them: with one left, nothing happens, and the
machine would rightly see nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

DECISIONS, EXECUTION = "approvals/decisions.py", "approvals/execution/revalidation.py"
DELEGATION, ELIGIBILITY = "approvals/deciders/delegation.py", "approvals/deciders/eligibility.py"
RULES = "approvals/rules.py"
SCOPE = "opspilot/tenancy/scope.py"
DECIDE, AUTHORITY = "decide_proposal()", "decision_has_authority()"


@dataclass(frozen=True, slots=True)
class Patch:
    """`old` stands exactly once in the file, or in the function's body, and becomes `new`."""

    place: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """`triggers`: patches of functions of the database, by signature; `sql`: the owner's statements."""

    name: str
    patches: tuple[Patch, ...]
    triggers: tuple[Patch, ...] = ()
    sql: tuple[str, ...] = ()


_VOTES_FOR_ANY_HASH = Patch(
    "approvals/sql/standing.sql",
    " AND d.seen_hash = %(seen_hash)s",
    "",
)

MUTANTS = (
    Mutant(
        "hash unchecked at the decision",
        (
            Patch(
                DECISIONS,
                "power is not None and seen_hash == proposal.acao_hash",
                "power is not None",
            ),
            Patch(
                DECISIONS,
                "if not canonical.is_hash_of(proposal.proposta, proposal.acao_hash):",
                "if False:",
            ),
            _VOTES_FOR_ANY_HASH,
        ),
        triggers=(Patch(DECIDE, "NEW.seen_hash <> proposal.acao_hash", "false"),),
    ),
    Mutant(
        "hash unchecked at the execution",
        (
            Patch(EXECUTION, "not canonical.is_hash_of(action, proposal.acao_hash)", "False"),
            _VOTES_FOR_ANY_HASH,
        ),
    ),
    Mutant(
        "expiry unchecked at the decision",
        (
            Patch(
                DECISIONS,
                "if proposal.estado == State.EXPIRADA or now.at >= proposal.expira_em:\n"
                '        return "expired", None',
                'if proposal.estado == State.EXPIRADA:\n        return "expired", None',
            ),
        ),
        triggers=(
            Patch(
                DECIDE,
                "(clock_timestamp() >= proposal.expira_em) <> (NEW.verdict = 'expirar')",
                "false",
            ),
        ),
    ),
    Mutant(
        "expiry unchecked at the execution",
        (Patch(EXECUTION, "clock.now() > until(claim)", "False"),),
    ),
    Mutant(
        "requester compared by name",
        (
            Patch(
                DECISIONS,
                "if proposal.solicitante == approver.subject:",
                "if proposal.solicitante_nome == approver.name:",
            ),
            Patch(
                DECISIONS,
                "if proposal.solicitante == principal.subject and",
                "if proposal.solicitante_nome == principal.name and",
            ),
            Patch(ELIGIBILITY, "        and not barred & {subject, of or subject}\n", ""),
        ),
        triggers=(
            Patch(
                DECIDE,
                "NEW.subject = proposal.solicitante AND",
                "NEW.subject_name = proposal.solicitante_nome AND",
            ),
            Patch(
                AUTHORITY,
                "SELECT solicitante, nullif(agente_dono, '') INTO",
                "SELECT solicitante_nome, nullif(agente_dono, '') INTO",
            ),
            Patch(AUTHORITY, "IF requester = power THEN", "IF requester = NEW.subject_name THEN"),
        ),
    ),
    Mutant(
        "policy not read again",
        (
            Patch(
                RULES,
                "return _outcome_now(proposal, policy or in_force(version)) !=",
                "return False and _outcome_now(proposal, policy or in_force(version)) !=",
            ),
        ),
    ),
    Mutant(
        "tenant set for the session",
        (
            Patch(SCOPE, "set_config(%s, %s, true)", "set_config(%s, %s, false)"),
            Patch(
                SCOPE,
                "if nested and not transaction.get_connection(using).needs_rollback:",
                "if False:",
            ),
        ),
    ),
    Mutant(
        "decision not unique",
        (
            Patch(
                DELEGATION,
                "return frozenset(s for s, _ in found), frozenset(of or s for s, of in found)",
                "return frozenset(), frozenset()",
            ),
            Patch(ELIGIBILITY, "    standing = {\n", "    standing = [\n"),
            Patch(
                ELIGIBILITY, "    }\n    return len(standing)", "    ]\n    return len(standing)"
            ),
        ),
        triggers=(
            Patch(
                AUTHORITY,
                "coalesce(nullif(on_behalf_of, ''), subject) = power",
                "false",
            ),
        ),
        sql=("ALTER TABLE approval_decision DROP CONSTRAINT approval_decision_once",),
    ),
)


def patched(text: str, old: str, new: str) -> str:
    """Raise ValueError when the words do not stand there exactly once: the mutant has gone stale."""
    if text.count(old) != 1:
        raise ValueError(f"stands {text.count(old)} times: {old}")
    return text.replace(old, new)
