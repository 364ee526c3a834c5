"""What one policy changes against another, in sentences a person can agree or disagree with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.policy_document import RISKS, ActionRule, PolicyDocument, Project

Kind = Literal["added", "removed", "changed"]
_RULE_LABELS: dict[str, str | Promise] = {
    "approver_role": gettext_lazy("Papel que decide"),
    "expires_minutes": gettext_lazy("Minutos para decidir"),
    "execute_within_minutes": gettext_lazy("Minutos para executar depois do prazo"),
    "max_assignees": gettext_lazy("Máximo de responsáveis"),
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


def changes(before: PolicyDocument, after: PolicyDocument) -> list[Change]:
    """Every difference, what loosens first: it is what the second admin must not miss."""
    found = [*_rule(before.issue_criada, after.issue_criada), *_projects(before, after)]
    return sorted(found, key=lambda change: not change.loosens)


def _rule(before: ActionRule, after: ActionRule) -> Iterator[Change]:
    for name, label in _RULE_LABELS.items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield _changed(str(label), old, new, loosens=name == "approver_role" or new > old)
    for risk in RISKS:
        yield from _risk_rule(before, after, risk)
    yield from _list(
        _("Papéis que pedem"), before.requester_roles, after.requester_roles, adding_loosens=True
    )


def _risk_rule(before: ActionRule, after: ActionRule, risk: str) -> Iterator[Change]:
    for name, label in _RISK_LABELS.items():
        old, new = (dict(getattr(rule, name).items())[risk] for rule in (before, after))
        if old != new:
            yield _changed(str(label) % {"risk": _word(risk)}, old, new, loosens=new < old)
    old_role, new_role = (rule.approver_roles.get(risk) for rule in (before, after))  # type: ignore[call-overload]
    if old_role != new_role:
        label_ = _("Papel que decide o risco %(risk)s") % {"risk": _word(risk)}
        yield _changed(
            label_, old_role or before.approver_role, new_role or after.approver_role, loosens=True
        )


def _projects(before: PolicyDocument, after: PolicyDocument) -> Iterator[Change]:
    for alias in sorted(before.projects.keys() | after.projects.keys()):
        old, new = before.projects.get(alias), after.projects.get(alias)
        name = _("Projeto %(alias)s") % {"alias": alias}
        if old is None and new is not None:
            yield Change("added", name, "", new.path, loosens=True)
        elif new is None and old is not None:
            yield Change("removed", name, old.path, "")
        elif old is not None and new is not None:
            yield from _project(name, old, new)


def _project(name: str, old: Project, new: Project) -> Iterator[Change]:
    if (old.project_id, old.path) != (new.project_id, new.path):
        yield _changed(
            _("%(project)s: destino") % {"project": name},
            f"{old.path} ({old.project_id})",
            f"{new.path} ({new.project_id})",
            loosens=True,
        )
    if old.risk != new.risk:
        lower = RISKS.index(new.risk) < RISKS.index(old.risk)
        label = _("%(project)s: risco") % {"project": name}
        yield _changed(label, _word(old.risk), _word(new.risk), loosens=lower)
    labels = _("%(project)s: etiquetas") % {"project": name}
    yield from _list(labels, old.labels, new.labels, adding_loosens=True)
    people = _("%(project)s: responsáveis") % {"project": name}
    yield from _list(
        people,
        [f"{who} (id {id_})" for who, id_ in old.assignees.items()],
        [f"{who} (id {id_})" for who, id_ in new.assignees.items()],
        adding_loosens=True,
    )


def _list(
    what: str, old: Sequence[str], new: Sequence[str], *, adding_loosens: bool
) -> Iterator[Change]:
    before, after = set(old), set(new)
    for item in sorted(after - before):
        yield Change("added", what, "", item, loosens=adding_loosens)
    for item in sorted(before - after):
        yield Change("removed", what, item, "")


def _changed(what: str, old: object, new: object, *, loosens: bool = False) -> Change:
    return Change("changed", what, str(old), str(new), loosens)


def _word(risk: str) -> str:
    return {"baixo": _("baixo"), "medio": _("médio"), "alto": _("alto")}[risk]
