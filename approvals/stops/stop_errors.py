"""Refusals around stops and chosen times, each with its own sentence, code and next step."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError


class AlreadyStoppedError(RefusedError):
    code = "ja_parado"
    title = _("Esta parada já está em vigor")
    what = _("Outra pessoa chegou antes: nada disso começa agora. Não foi gravada outra parada.")
    next_step = _("Abra as paradas para ver quem parou, desde quando e por quê.")


class AlreadyLiftedError(RefusedError):
    code = "parada_ja_levantada"
    title = _("Esta parada já foi levantada")
    what = _("Outra pessoa chegou antes. Nada mudou.")
    next_step = _("Abra as paradas para ver o estado de agora.")


class StoppedError(RefusedError):
    """What an agent would carry out itself, while a stop, a freeze or a closed window holds it."""

    code = "parada_de_emergencia"
    title = _("Parado por enquanto")
    what = _("Uma parada de emergência está em vigor. Nada foi entregue.")
    next_step = _("Tente de novo quando ela for levantada, dentro do prazo de execução.")


class ClosedNowError(RefusedError):
    code = "fora_da_janela"
    title = _("Fora da janela de mudança")
    what = _("A política não deixa isto começar agora. Nada foi entregue.")
    next_step = _("Tente de novo quando a janela abrir, dentro do prazo de execução.")


class ScheduleError(InvalidInputError):
    """The moment an action was asked for is gone, too late, or not one moment on this clock."""

    code = "horario_invalido"
    title = _("O horário não pode ser aceito")
    what = _("O horário precisa ser futuro e caber no prazo de execução da política.")
    next_step = _("Corrija “executar a partir de”, ou deixe o campo vazio.")
