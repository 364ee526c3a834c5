"""The rules of `tarefa.executada`: each answers for itself, also after another one refused."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from approvals.errors import RequesterRoleError
from approvals.policy.outcomes import Check, Request, TaskOutcome, basis, may_ask, named, raised
from approvals.policy.policy_document import PolicyDocument, Template
from approvals.tasks import hosts
from approvals.tasks.task_command import TASK_RUN, TaskCommand
from approvals.tasks.task_refusals import (
    HostMissingError,
    HostPatternError,
    TasksNotAllowedError,
    TemplateMissingError,
    TemplateRunnerError,
    TooManyHostsError,
    UnknownHostError,
    UnknownTemplateError,
    UnknownVariableError,
    UnreadableFieldError,
    VariableMissingError,
    VariableValueError,
)


def checks(request: Request, command: TaskCommand, document: PolicyDocument) -> tuple[Check, ...]:
    template = _template(command, document)
    return (
        Check(_("Tarefas"), document.rule_of(TASK_RUN) is not None, TasksNotAllowedError),
        Check(
            _("Papel de quem pede"), may_ask(request, document.tarefa_executada), RequesterRoleError
        ),
        basis(request, document.tarefa_executada),
        _fields(command),
        _known(command, template),
        _runner(request, template),
        *(rule(command, template) for rule in _OF_THE_TEMPLATE),
    )


def outcome(request: Request, command: TaskCommand, document: PolicyDocument) -> TaskOutcome:
    """What an allowed command comes to."""
    rule, template = document.tarefa_executada, _template(command, document)
    if rule is None or template is None:
        raise ValueError("the command was not allowed")
    risk = raised(template.risk, request.coverage)
    return TaskOutcome(
        project_id=template.project_id,
        template_id=template.template_id,
        fingerprint=template.fingerprint,
        hosts=command.hosts,
        variables=command.variables,
        risk=risk,
        quorum=rule.quorum[risk],
        approver_role=rule.approver_of(risk),
    )


def missing(command: TaskCommand, document: PolicyDocument) -> tuple[str, ...]:
    """What has to be asked for before the rules are: template, target, and the variables that the
    template needs, once it is known which one."""
    template = _template(command, document)
    needed = template.variables.items() if template else ()
    given = dict(command.variables)
    unsaid = sorted(name for name, rule in needed if rule.required and not given.get(name))
    return (*command.missing, *unsaid)


def impossible(
    request: Request, command: TaskCommand, document: PolicyDocument
) -> tuple[Check, ...]:
    """What is said of template and target and can never pass, whatever else is filled in."""
    template = _template(command, document)
    asked = [_grammar(command, template)]
    if template is not None:
        asked += [_runner(request, template), _catalogue(command, template)]
        asked += [_count(command, template)]
    elif command.names_template:
        asked += [_known(command, template)]
    return tuple(check for check in asked if not check.ok)


def _template(command: TaskCommand, document: PolicyDocument) -> Template | None:
    """By alias or by id; given both, they must be the same template's."""
    rule = document.tarefa_executada
    if rule is None or not command.names_template:
        return None
    if command.template:
        found = rule.templates.get(command.template)
    else:
        by_id = {template.template_id: template for template in rule.templates.values()}
        found = by_id.get(command.template_id)
    agrees = found is not None and command.template_id in {0, found.template_id}
    return found if agrees else None


def _fields(command: TaskCommand) -> Check:
    words = named(_("Campo que não pode ser lido: %(name)s."), list(command.unreadable))
    return Check(_("Campos do comando"), not command.unreadable, UnreadableFieldError, words)


def _known(command: TaskCommand, template: Template | None) -> Check:
    error = UnknownTemplateError if command.names_template else TemplateMissingError
    return Check(_("Template"), template is not None, error)


def _runner(request: Request, template: Template | None) -> Check:
    return Check(_("Quem pode executar"), may_run(request, template), TemplateRunnerError)


def may_run(request: Request, template: Template | None) -> bool:
    """A template may ask for fewer roles than the rule does, and takes the agents it names."""
    if template is None:
        return False
    narrowed = set(template.roles)
    by_role = not narrowed or not narrowed.isdisjoint(str(role) for role in request.roles)
    return by_role and (not request.agent or request.agent in template.agents)


def _given(command: TaskCommand, template: Template | None) -> Check:
    return Check(_("Host"), bool(command.hosts), HostMissingError)


def _grammar(command: TaskCommand, template: Template | None) -> Check:
    odd = [host for host in command.hosts if not hosts.is_host(host)]
    words = named(_("Não é o nome de um host: %(name)s."), odd)
    return Check(_("Nome do host"), not odd, HostPatternError, words)


def _catalogue(command: TaskCommand, template: Template | None) -> Check:
    unknown = sorted(set(command.hosts) - set(template.hosts if template else ()))
    words = named(_("Host que a política deste template não tem: %(name)s."), unknown)
    return Check(_("Hosts permitidos"), not unknown, UnknownHostError, words)


def _count(command: TaskCommand, template: Template | None) -> Check:
    limit = template.max_hosts if template else 1
    words = _("Este template aceita no máximo %(count)s host(s) de uma vez.") % {"count": limit}
    return Check(_("Número de hosts"), len(command.hosts) <= limit, TooManyHostsError, words)


def _missing(command: TaskCommand, template: Template | None) -> Check:
    needed = template.variables.items() if template else ()
    given = dict(command.variables)
    missing = sorted(name for name, rule in needed if rule.required and not given.get(name))
    words = named(_("Falta a variável: %(name)s."), missing)
    return Check(_("Variáveis exigidas"), not missing, VariableMissingError, words)


def _names(command: TaskCommand, template: Template | None) -> Check:
    known = template.variables.keys() if template else set()
    unknown = sorted(dict(command.variables).keys() - known)
    words = named(_("Variável que este template não tem: %(name)s."), unknown)
    return Check(_("Nomes das variáveis"), not unknown, UnknownVariableError, words)


def _values(command: TaskCommand, template: Template | None) -> Check:
    rules = template.variables if template else {}
    odd = [
        name for name, value in command.variables if name in rules and not rules[name].takes(value)
    ]
    words = named(_("O valor desta variável não está entre os permitidos: %(name)s."), odd)
    return Check(_("Valores das variáveis"), not odd, VariableValueError, words)


_OF_THE_TEMPLATE: tuple[Callable[[TaskCommand, Template | None], Check], ...] = (
    _given,
    _grammar,
    _catalogue,
    _count,
    _missing,
    _names,
    _values,
)
