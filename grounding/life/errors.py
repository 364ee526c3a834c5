"""Refusals about a document's life."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError


class DocumentGoneError(RefusedError):
    """Somebody deleted it first, or the form was sent twice."""

    code = "documento_apagado"
    title = _("Este documento já foi apagado")
    what = _("Outra pessoa apagou este documento antes, ou o formulário foi enviado duas vezes.")
    next_step = _("Abra o documento de novo para ver quem o apagou e por quê.")


class ConsequencesMovedError(RefusedError):
    """The counts on the form are no longer those of the document."""

    code = "consequencias_mudaram"
    title = _("O que seria apagado mudou")
    what = _("Enquanto a página estava aberta, o documento ou quem o cita mudou. Nada foi apagado.")
    next_step = _("Leia as contas de novo e confirme outra vez.")


class NotRetiredError(RefusedError):
    code = "nao_esta_em_uso"
    title = _("Este documento já não está na busca")
    what = _("Nenhuma versão dele está ativa. Nada mudou.")
    next_step = _("Envie o arquivo de novo para que volte a responder.")


class UnknownOwnerError(InvalidInputError):
    code = "dono_desconhecido"
    title = _("Este dono não existe")
    what = _("O dono é um papel ou uma pessoa desta empresa. Nada mudou.")
    next_step = _("Escolha na lista quem cuida do documento.")


class UnknownTemplateError(InvalidInputError):
    code = "tarefa_desconhecida"
    title = _("Esta tarefa não está na política")
    what = _("Só se liga um documento a uma tarefa da política em vigor. Nada mudou.")
    next_step = _("Escolha na lista a tarefa que o documento explica.")
