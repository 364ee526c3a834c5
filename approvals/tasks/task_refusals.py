"""Why the policy does not allow a task: a code and a sentence for each reason."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.errors import PolicyRefusedError
from opspilot.errors import InvalidInputError


class TaskRefusedError(PolicyRefusedError):
    next_step = _("Confira template, host e variáveis, ou fale com um admin.")


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
    what = _("Falta o host. Sem host, nada é executado em lugar nenhum.")


class HostPatternError(TaskRefusedError):
    code = "destino_nao_e_um_host"
    what = _("O host precisa estar por extenso: nunca um padrão ou um grupo.")


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


class UnreadCommandError(InvalidInputError):
    """What was given is no command that can be read: the policy was never asked."""

    code = "comando_ilegivel"
    title = _("Não consegui ler o comando")
    what = _("O comando está quebrado: confira aspas, vírgulas e chaves. Nada foi gravado.")
    next_step = _("Corrija o texto e envie de novo.")


class UnknownFieldsError(InvalidInputError):
    """Names that no template of the policy has: most often a slip of the hand."""

    code = "campos_do_comando"
    title = _("O comando tem campos que não existem")
    what = _("Nenhum template tem um dos campos do comando. Nada foi gravado.")
    next_step = _("Retire ou corrija esses campos e envie de novo.")


class IncompleteTaskError(TaskRefusedError):
    """Half of a command: what is missing is asked for, and nothing is guessed."""

    code = "comando_incompleto"
    title = _("O comando ainda não está completo")
    what = _("Falta parte do comando. Nada foi gravado.")
    next_step = _("Preencha o que falta e revise de novo; o resto ficou como estava.")


class PreflightPendingError(TaskRefusedError):
    """The worker has not read the template lately: a proposal waits for that, not for a person."""

    code = "preflight_pendente"
    http_status = 409
    audit_action = ""  # nothing was refused: no row
    title = _("O template ainda está sendo conferido")
    what = _("O template é lido no Semaphore antes de cada proposta, e a leitura está na fila.")
    next_step = _("Espere alguns segundos e peça de novo.")


class TemplateUnfitError(TaskRefusedError):
    """As it is configured now, the remote would not keep this template to its target."""

    code = "template_sem_limite"
    title = _("Este template não pode ser executado")
    what = _("Do jeito que está no Semaphore, este template não respeita um host.")
    next_step = _("Quem administra o Semaphore ajusta o template; depois ele é conferido de novo.")


class TemplateChangedError(TaskRefusedError):
    """Not what the policy has on record for it."""

    code = "template_mudou"
    title = _("O template mudou no Semaphore")
    what = _("O template de agora não é o que a política registra. Nada foi gravado.")
    next_step = _("Um admin confere o template e atualiza a impressão na política.")


class SurveyError(TaskRefusedError):
    """The variables do not fit the template as it is at the remote."""

    code = "variaveis_nao_servem"
    what = _("O template no Semaphore não aceita as variáveis deste comando.")


class HostNotInInventoryError(TaskRefusedError):
    code = "host_fora_do_inventario"
    what = _("O inventário do template no Semaphore não tem este host.")


class UndoMismatchError(TaskRefusedError):
    """A run that was opened to undo a task asks for something else."""

    code = "nao_e_a_reversao"
    title = _("Isto não desfaz a tarefa")
    what = _("A reversão é o template que a política declara, nos mesmos hosts. Nada foi gravado.")
    next_step = _("Volte a esse template e a esses hosts, ou registre outro comando.")


# Said before the policy is asked: no refusals of it.
NOT_THE_POLICY_S = (UnreadCommandError.code, UnknownFieldsError.code, IncompleteTaskError.code)
