"""Refusals of the review of the trail and of the company's own terms."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError


class PeriodError(InvalidInputError):
    code = "periodo_invalido"
    what = _("O período começa antes de terminar, já começou e tem no máximo 100 dias.")
    next_step = _("Corrija as datas e sorteie de novo.")


class NothingToReviewError(InvalidInputError):
    code = "periodo_sem_linhas"
    title = _("Não há linhas neste período")
    what = _("A trilha desta empresa não tem linhas no período. Nada foi sorteado.")
    next_step = _("Escolha outro período.")


class TooSlowError(InvalidInputError):
    code = "sorteio_lento"
    http_status = 503
    title = _("O sorteio passou de 20 segundos e foi parado")
    what = _(
        "Há linhas demais no período. Nada foi sorteado, e as datas estão como você as deixou."
    )
    next_step = _("Escolha menos dias e sorteie de novo.")


class ReviewDoneError(RefusedError):
    code = "revisao_concluida"
    title = _("Esta revisão já foi concluída")
    what = _("Cada revisão é concluída uma vez, e alguém já concluiu esta. Nada foi gravado.")
    next_step = _("Sorteie outra amostra.")


class TermError(InvalidInputError):
    """Too short, not plain, or a word the trail itself is made of."""

    code = "termo_invalido"
    title = _("Este termo não pode ser mascarado")
    what = _("Um termo tem de 4 a 80 letras, algarismos, espaços e . _ / - e não é do console.")
    next_step = _("Escreva o termo como ele aparece no texto e marque o que ele é.")


class TermKnownError(RefusedError):
    code = "termo_ja_incluido"
    title = _("Este termo já é mascarado")
    what = _("O termo já está na lista desta empresa. Nada foi gravado.")
    next_step = _("Conclua a revisão sem ele.")


class TermGoneError(RefusedError):
    code = "termo_ja_retirado"
    title = _("Este termo já foi retirado")
    what = _("Alguém já tirou este termo da lista. Nada mudou.")
    next_step = _("Volte à revisão para ver a lista de agora.")
