"""Why an act on a saved report is refused."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError


class NoNameError(InvalidInputError):
    code = "relatorio_sem_nome"
    title = _("Falta o nome do relatório")
    what = _("Um relatório salvo precisa de um nome. Nada foi gravado.")
    next_step = _("Escreva um nome curto, sem nomes de pessoas nem documentos.")


class TooManyReportsError(InvalidInputError):
    code = "relatorios_demais"
    title = _("Você já tem 50 relatórios salvos")
    what = _("Cada pessoa salva até 50. Nada foi gravado.")
    next_step = _("Exclua um que não usa mais e salve este de novo.")


class NotActiveError(RefusedError):
    code = "relatorio_parado"
    title = _("Este relatório está parado")
    what = _("Ele não roda nem pausa enquanto está parado. Nada mudou.")
    next_step = _("Retome o relatório e tente de novo.")


class NotStoppedError(RefusedError):
    code = "relatorio_ativo"
    title = _("Este relatório não está parado")
    what = _("Só se retoma o que está pausado ou em descanso. Nada mudou.")
    next_step = _("Abra a página dele de novo para ver como está agora.")


class NotYoursError(RefusedError):
    code = "relatorio_de_outra_pessoa"
    http_status = 403
    title = _("Este relatório é de outra pessoa")
    what = _("Um relatório roda em nome de quem o salvou. Nada mudou.")
    next_step = _("Abra a consulta dele e salve um seu.")
