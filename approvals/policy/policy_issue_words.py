"""What only issues have, in words: where links may lead, and what undoing one takes."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from approvals.policy import policy_changes
from approvals.policy.policy_changes import Change, changed, listed, risk_word
from approvals.policy.policy_document import ActionRule
from opspilot.tenancy.principal import Role


def links(rule: ActionRule) -> str:
    return ", ".join(rule.link_hosts) or _("só no GitLab do projeto")


def reversal(rule: ActionRule) -> str:
    if rule.reversao is None:
        return _("como a criação")
    return _("%(asks)s; %(decides)s; risco %(risk)s; aprovações: %(quorum)s") % {
        "asks": ", ".join(str(Role(role).label) for role in rule.reversao.requester_roles),
        "decides": Role(rule.reversao.approver_role).label,
        "risk": risk_word(rule.reversao.risk),
        "quorum": rule.reversao.quorum,
    }


def changes(before: ActionRule, after: ActionRule) -> Iterator[Change]:
    old, new = before.max_assignees, after.max_assignees
    if old != new:
        yield changed(_("Máximo de responsáveis"), old, new, loosens=new > old)
    hosts = _("Hosts a que um link pode levar")
    yield from listed(hosts, before.link_hosts, after.link_hosts, adding_loosens=True)
    # Whether one asks for less than the other is not told by its parts: it is pointed at.
    yield from policy_changes.of_value(
        _("Reversão de uma issue"), reversal(before), reversal(after)
    )
