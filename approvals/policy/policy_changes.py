"""One difference between two policies, in words, and the differences of what every rule has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.deciders import escalation_words
from approvals.policy.policy_document import RISKS, KindRule, Risk
from opspilot.presentation import risks

Kind = Literal["added", "removed", "changed"]
_RULE_LABELS: dict[str, str | Promise] = {
    "approver_role": gettext_lazy("Papel que decide"),
    "expires_minutes": gettext_lazy("Minutos para decidir"),
    "execute_within_minutes": gettext_lazy("Minutos para executar depois do prazo"),
}
_RISK_LABELS: dict[str, str | Promise] = {
    "quorum": gettext_lazy("Aprovações no risco %(risk)s"),
    "hold_seconds": gettext_lazy("Segundos de espera no risco %(risk)s"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `loosens` is true where the new policy asks for less than the old one."""

    kind: Kind
    what: str
    before: str
    after: str
    loosens: bool = False


def of_rule(before: KindRule, after: KindRule, *, within: str = "") -> Iterator[Change]:
    """What differs of who asks, who decides and for how long. `within` names another kind of
    action than the issue."""
    for name, label in _RULE_LABELS.items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            looser = name == "approver_role" or new > old
            yield changed(inside(within, str(label)), old, new, loosens=looser)
    for risk in RISKS:
        yield from _of_risk(before, after, risk, within)
    yield from of_value(
        inside(within, _("Escalonamento")),
        escalation_words.rule(before.escalonamento),
        escalation_words.rule(after.escalonamento),
    )
    yield from of_value(
        inside(within, _("Consulta aos runbooks")),
        consult_word(before.must_consult),
        consult_word(after.must_consult),
        loosens=before.must_consult,
    )
    roles = inside(within, _("Papéis que pedem"))
    yield from listed(roles, before.requester_roles, after.requester_roles, adding_loosens=True)


def _of_risk(before: KindRule, after: KindRule, risk: Risk, within: str) -> Iterator[Change]:
    said = {"risk": risk_word(risk)}
    for name, label in _RISK_LABELS.items():
        old, new = getattr(before, name)[risk], getattr(after, name)[risk]
        if old != new:
            yield changed(inside(within, str(label) % said), old, new, loosens=new < old)
    old_role, new_role = before.approver_roles.get(risk), after.approver_roles.get(risk)
    if old_role != new_role:
        yield changed(
            inside(within, _("Papel que decide o risco %(risk)s") % said),
            old_role or before.approver_role,
            new_role or after.approver_role,
            loosens=True,
        )


def of_risk(what: str, old: Risk, new: Risk) -> Iterator[Change]:
    """A lower risk asks for less."""
    if old != new:
        lower = RISKS.index(new) < RISKS.index(old)
        yield changed(what, risk_word(old), risk_word(new), loosens=lower)


def of_value(what: str, old: object, new: object, *, loosens: bool = True) -> Iterator[Change]:
    if old != new:
        yield changed(what, old, new, loosens=loosens)


def listed(
    what: str, old: Sequence[str], new: Sequence[str], *, adding_loosens: bool
) -> Iterator[Change]:
    before, after = set(old), set(new)
    for item in sorted(after - before):
        yield Change("added", what, "", item, loosens=adding_loosens)
    for item in sorted(before - after):
        yield Change("removed", what, item, "", loosens=not adding_loosens)


def changed(what: str, old: object, new: object, *, loosens: bool = False) -> Change:
    return Change("changed", what, str(old), str(new), loosens)


def inside(within: str, what: str) -> str:
    return f"{within}: {what}" if within else what


def consult_word(needed: bool) -> str:
    return _("exigida") if needed else _("não exigida")


def risk_word(risk: Risk) -> str:
    return risks.word(risk)
