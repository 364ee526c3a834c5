"""Refusals about who may read a collection."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import RefusedError


class AccessUnchangedError(RefusedError):
    """Somebody was quicker, or the form was sent twice."""

    code = "acesso_ja_assim"
    title = _("Este acesso já estava assim")
    what = _("Outra pessoa mudou este acesso antes, ou o formulário foi enviado duas vezes.")
    next_step = _("Confira a lista de leitores.")


class CollectionNotGrantedError(RefusedError):
    """An admin sees that the collection is there, but may not add to what they do not read."""

    code = "colecao_sem_acesso"
    http_status = 403
    title = _("Você não lê esta coleção")
    what = _("Esta coleção não foi dada a nenhum papel seu. Nada foi guardado.")
    next_step = _("Um admin pode dar o acesso em Conhecimento, Coleções.")
