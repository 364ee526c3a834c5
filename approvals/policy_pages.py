"""Policies as the shapes their pages draw."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from pydantic import ValidationError

from approvals import simulation
from approvals.authorization import Authorization, Outcome
from approvals.models import PolicyDraft, PolicyVersion
from approvals.policy_document import PolicyDocument
from approvals.policy_words import Change, changes
from approvals.rules import UnreadablePolicyError
from approvals.simulation import Changed, Effect, Simulation
from opspilot.presentation.shapes import Fact, State
from opspilot.tenancy.principal import Role

SHOWN = 50  # rows of the list below the counts; the counts have all of them
_EFFECTS: dict[Effect, tuple[State, object]] = {
    "recusada": ("failed", gettext_lazy("seriam recusadas")),
    "mais_aprovacoes": ("attention", gettext_lazy("pediriam mais aprovações")),
    "menos_aprovacoes": ("attention", gettext_lazy("pediriam menos aprovações")),
    "outro_papel": ("attention", gettext_lazy("iriam a outro papel")),
    "outro_risco": ("pending", gettext_lazy("mudariam só de risco")),
}
_RISK = {
    "baixo": gettext_lazy("baixo"),
    "medio": gettext_lazy("médio"),
    "alto": gettext_lazy("alto"),
}


@dataclass(frozen=True, slots=True)
class EffectLine:
    state: State
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A proposal that would come out otherwise."""

    changed: Changed
    before: str
    after: str
    state: State


@dataclass(frozen=True, slots=True)
class Report:
    """A simulation in words. `pending` is how many waiting ones would be marked."""

    title: str
    effects: list[EffectLine]
    lines: list[ChangedLine]
    more: int
    pending: int
    blocked: int
    capped: bool


def readable(document: dict[str, object]) -> PolicyDocument:
    """Raises UnreadablePolicyError for a document of rules this code does not know."""
    try:
        return PolicyDocument.model_validate(document)
    except ValidationError as exc:
        raise UnreadablePolicyError from exc


def differences(before: PolicyVersion | None, draft: PolicyDraft) -> list[Change]:
    if before is None:
        return []
    return changes(readable(before.document), readable(draft.document))


def report(found: Simulation) -> Report:
    lines = [_line(row) for row in found.changed[:SHOWN]]
    return Report(
        title=_title(found),
        effects=[
            EffectLine(state, str(words), count)
            for effect, (state, words) in _EFFECTS.items()
            if (count := found.count(effect))
        ],
        lines=lines,
        more=len(found.changed) - len(lines),
        pending=sum(row.pending for row in found.changed),
        blocked=sum(row.approved_then_blocked for row in found.changed),
        capped=found.capped,
    )


def _title(found: Simulation) -> str:
    words = ngettext(
        "%(changed)s de %(seen)s proposta mudaria",
        "%(changed)s de %(seen)s propostas mudariam",
        found.seen,
    )
    return words % {"changed": len(found.changed), "seen": found.seen}


def _line(row: Changed) -> ChangedLine:
    state: State = "failed" if row.after is None else "attention"
    after = outcome_words(row.after) if row.after else _("recusada: %(code)s") % {"code": row.code}
    return ChangedLine(row, outcome_words(row.before), after, state)


def outcome_words(outcome: Outcome) -> str:
    """ "risco médio · 2 aprovações · papel aprovador"."""
    votes = ngettext("%(n)s aprovação", "%(n)s aprovações", outcome.quorum) % {"n": outcome.quorum}
    risk = _("risco %(risk)s") % {"risk": _RISK[outcome.risk]}
    role = _("papel %(role)s") % {"role": role_word(outcome.approver_role)}
    return " · ".join((risk, votes, role))


def facts(document: PolicyDocument) -> list[Fact]:
    rule = document.issue_criada
    quorum = " · ".join(f"{_RISK[risk]} {count}" for risk, count in rule.quorum.items())
    hold = " · ".join(f"{_RISK[risk]} {seconds} s" for risk, seconds in rule.hold_seconds.items())
    return [
        Fact(_("Quem pede"), ", ".join(role_word(role) for role in rule.requester_roles)),
        Fact(_("Quem decide"), role_word(rule.approver_role), note=_deciders(document)),
        Fact(_("Aprovações"), quorum),
        Fact(_("Espera"), hold),
        Fact(_("Prazo"), _("%(n)s min") % {"n": rule.expires_minutes}),
        Fact(_("Executar até"), _("%(n)s min depois") % {"n": rule.execute_within_minutes}),
        Fact(_("Responsáveis"), _("até %(n)s") % {"n": rule.max_assignees}),
    ]


def _deciders(document: PolicyDocument) -> str:
    roles = document.issue_criada.approver_roles.items()
    return ", ".join(f"{_RISK[risk]}: {role_word(role)}" for risk, role in roles)


def role_word(role: str) -> str:
    """The role in the language of the page; the document keeps its Portuguese name."""
    return str(Role(role).label)


def answer_title(answer: Authorization) -> str:
    return _("Permitida") if answer.outcome else _("Recusada")


def simulate(draft: PolicyDraft) -> Report:
    return report(simulation.simulate(document=readable(draft.document)))
