"""The port that `OPSPILOT_TEMPLATE_READER` names: which templates of Semaphore the policy knows."""

from __future__ import annotations

from approvals import rules
from approvals.rules import NoPolicyError


def templates() -> list[tuple[int, str]]:
    """(number, name) of each template of the policy in force, by name; none without a policy."""
    try:
        rule = rules.in_force().document.tarefa_executada
    except NoPolicyError:
        return []
    found = rule.templates.values() if rule else ()
    return sorted(((one.template_id, one.name) for one in found), key=lambda pair: pair[1])
