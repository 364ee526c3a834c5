"""What an authorisation comes to, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.policy.outcomes import ExternalOutcome, IssueOutcome, Outcome, TaskOutcome
from opspilot.presentation import risks
from opspilot.tenancy.principal import Role

RISK = risks.WORDS


def outcome_words(outcome: Outcome) -> str:
    """ "risco médio · 2 aprovações · papel aprovador"."""
    votes = ngettext("%(n)s aprovação", "%(n)s aprovações", outcome.quorum) % {"n": outcome.quorum}
    risk = _("risco %(risk)s") % {"risk": RISK[outcome.risk]}
    role = _("papel %(role)s") % {"role": role_word(outcome.approver_role)}
    return " · ".join((risk, votes, role))


def target_words(outcome: Outcome) -> str:
    """Where it would happen."""
    match outcome:
        case IssueOutcome():
            return f"{outcome.project_path} (id {outcome.project_id})"
        case TaskOutcome():
            words = _("template %(id)s em %(hosts)s")
            return words % {"id": outcome.template_id, "hosts": ", ".join(outcome.hosts)}
        case ExternalOutcome():
            return _("o agente executa")
    raise TypeError(type(outcome).__name__)


def role_word(role: str) -> str:
    """The role in the language of the page; the document keeps its Portuguese name."""
    return str(Role(role).label)
