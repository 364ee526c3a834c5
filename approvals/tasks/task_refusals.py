"""Why the policy does not allow a task: a code and a sentence for each reason."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.errors import PolicyRefusedError


class TaskRefusedError(PolicyRefusedError):
    next_step = _("Confira template, destino e variáveis, ou fale com um admin.")


class TasksNotAllowedError(TaskRefusedError):
    code = "tarefas_nao_permitidas"
    what = _("A política da sua empresa não permite tarefas.")


class UnreadableFieldError(TaskRefusedError):
    """A field of the command is of a kind that cannot be read, or is given twice."""

    code = "campo_ilegivel"
    what = _("Um campo do comando não pode ser lido.")


class TemplateMissingError(TaskRefusedError):
    code = "template_ausente"
    what = _("Falta dizer qual template executar.")


class UnknownTemplateError(TaskRefusedError):
    code = "template_desconhecido"
    what = _("Este template não está na política da sua empresa.")


class TemplateRunnerError(TaskRefusedError):
    code = "template_nao_permitido"
    what = _("Quem pede não pode executar este template.")


class HostMissingError(TaskRefusedError):
    """Nothing named is never everything: a blank limit runs on the whole inventory."""

    code = "destino_ausente"
    what = _("Falta o destino. Sem destino, nada é executado em lugar nenhum.")


class HostPatternError(TaskRefusedError):
    code = "destino_nao_e_um_host"
    what = _("O destino precisa ser o nome de um host, nunca um padrão ou um grupo.")


class UnknownHostError(TaskRefusedError):
    code = "host_desconhecido"
    what = _("Este host não está na política deste template.")


class TooManyHostsError(TaskRefusedError):
    code = "hosts_demais"
    what = _("Este template aceita menos hosts de uma vez.")


class VariableMissingError(TaskRefusedError):
    code = "variavel_ausente"
    what = _("Falta uma variável que este template exige.")


class UnknownVariableError(TaskRefusedError):
    code = "variavel_desconhecida"
    what = _("Este template não tem uma das variáveis.")


class VariableValueError(TaskRefusedError):
    code = "valor_nao_permitido"
    what = _("O valor de uma variável não está entre os permitidos.")
