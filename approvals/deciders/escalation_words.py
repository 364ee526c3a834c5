"""What a page says about a proposal that was given to another role."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from approvals.models import Escalation
from approvals.policy.policy_document import EscalationRule
from opspilot.presentation.shapes import Entry
from opspilot.tenancy.principal import Role


def entries(rows: Sequence[Escalation]) -> list[Entry]:
    """For the timeline: when, to whom and why."""
    return [
        Entry(
            row.at,
            _("Também o papel %(role)s pode decidir.") % {"role": _role(row.to_role)},
            state="attention",
            sub=_sentence(row),
        )
        for row in rows
    ]


def deciders(own: str, rows: Sequence[Escalation]) -> str:
    """The roles that may decide, the proposal's own first: "aprovador ou admin"."""
    names = [_role(own), *(_role(row.to_role) for row in rows)]
    return _(" ou ").join(names)


def rule(found: EscalationRule | None) -> str:
    """What a policy says about giving a decision on."""
    if found is None:
        return _("não há")
    return _("depois de %(share)s por cento do prazo, também o papel %(role)s") % {
        "share": found.depois_de_percentual,
        "role": _role(found.para_papel),
    }


def _sentence(row: Escalation) -> str:
    why = str(row.get_reason_display())
    return f"{why[:1].upper()}{why[1:]}."


def _role(name: str) -> str:
    return str(Role(name).label)
