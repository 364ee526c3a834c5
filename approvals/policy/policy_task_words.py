"""What one policy changes about tasks against another, in words."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from approvals.policy import policy_changes
from approvals.policy.policy_changes import Change, inside, listed
from approvals.policy.policy_document import TaskRule, Template, Variable


def changes(before: TaskRule | None, after: TaskRule | None) -> Iterator[Change]:
    name = _("Tarefas")
    if before is None and after is not None:
        yield Change("added", name, "", _templates_of(after), loosens=True)
    elif after is None and before is not None:
        yield Change("removed", name, _templates_of(before), "")
    elif before is not None and after is not None:
        yield from policy_changes.of_rule(before, after, within=name)
        yield from _templates(before, after)


def _templates_of(rule: TaskRule) -> str:
    return ", ".join(sorted(rule.templates)) or _("nenhum template")


def _templates(before: TaskRule, after: TaskRule) -> Iterator[Change]:
    for alias in sorted(before.templates.keys() | after.templates.keys()):
        old, new = before.templates.get(alias), after.templates.get(alias)
        name = _("Template %(alias)s") % {"alias": alias}
        if old is None and new is not None:
            yield Change("added", name, "", _target(new), loosens=True)
        elif new is None and old is not None:
            yield Change("removed", name, _target(old), "")
        elif old is not None and new is not None:
            yield from _template(name, old, new)


def _template(name: str, old: Template, new: Template) -> Iterator[Change]:
    yield from policy_changes.of_value(inside(name, _("destino")), _target(old), _target(new))
    yield from policy_changes.of_risk(inside(name, _("risco")), old.risk, new.risk)
    yield from listed(inside(name, _("hosts")), old.hosts, new.hosts, adding_loosens=True)
    yield from policy_changes.of_value(
        inside(name, _("hosts de uma vez")),
        old.max_hosts,
        new.max_hosts,
        loosens=new.max_hosts > old.max_hosts,
    )
    yield from _runners(name, old, new)
    yield from policy_changes.of_value(
        inside(name, _("prévia sem mudança")),
        _yes_no(old.preview),
        _yes_no(new.preview),
        loosens=new.preview,
    )
    yield from policy_changes.of_value(
        inside(name, _("impressão conferida")),
        old.fingerprint or _("nenhuma"),
        new.fingerprint or _("nenhuma"),
    )
    yield from policy_changes.of_value(
        inside(name, _("minutos até o fim")),
        str(old.deadline_minutes),
        str(new.deadline_minutes),
        loosens=new.deadline_minutes > old.deadline_minutes,
    )
    yield from policy_changes.of_value(
        inside(name, _("desfeita por")), old.undo or _("nada"), new.undo or _("nada")
    )
    yield from _variables(name, old, new)


def _runners(name: str, old: Template, new: Template) -> Iterator[Change]:
    before, after = _roles(old), _roles(new)
    looser = not new.roles or bool(old.roles and set(new.roles) - set(old.roles))
    yield from policy_changes.of_value(
        inside(name, _("papéis que executam")), before, after, loosens=looser
    )
    yield from listed(inside(name, _("agentes")), old.agents, new.agents, adding_loosens=True)


def _variables(name: str, old: Template, new: Template) -> Iterator[Change]:
    for variable in sorted(old.variables.keys() | new.variables.keys()):
        what = inside(name, _("variável %(name)s") % {"name": variable})
        before, after = old.variables.get(variable), new.variables.get(variable)
        if before is None and after is not None:
            yield Change("added", what, "", variable_words(after), loosens=True)
        elif after is None and before is not None:
            yield Change("removed", what, variable_words(before), "", loosens=before.required)
        elif before is not None and after is not None:
            yield from policy_changes.of_value(
                what, variable_words(before), variable_words(after), loosens=_looser(before, after)
            )


def _looser(before: Variable, after: Variable) -> bool:
    """Whether the new one takes what the old one did not, as far as lists can tell."""
    if before.required and not after.required:
        return True
    if before.values and after.values:
        return not set(after.values) <= set(before.values)
    return (before.values, before.pattern, before.max_length) != (
        after.values,
        after.pattern,
        after.max_length,
    )


def variable_words(variable: Variable) -> str:
    """ "exigida: status, restart" or "opcional: no formato [a-z]{1,9}"."""
    need = _("exigida") if variable.required else _("opcional")
    if variable.values:
        return f"{need}: {', '.join(variable.values)}"
    if variable.max_length is not None:
        words = _("%(need)s: texto de até %(most)s caracteres")
        return words % {"need": need, "most": variable.max_length}
    return _("%(need)s: no formato %(pattern)s") % {"need": need, "pattern": variable.pattern}


def _target(template: Template) -> str:
    words = _("%(name)s (template %(id)s, projeto %(project)s)")
    return words % {
        "name": template.name,
        "id": template.template_id,
        "project": template.project_id,
    }


def _roles(template: Template) -> str:
    return ", ".join(sorted(template.roles)) or _("todos os que pedem")


def _yes_no(value: bool) -> str:
    return _("sim") if value else _("não")
