"""Refusals around standing permissions, each with its own sentence, code and next step."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError


class InvalidPermissionError(InvalidInputError):
    """What was asked for is outside the policy or the limits; `fields` names them."""

    code = "permissao_invalida"
    title = _("A permissão não pode ser aceita")
    what = _("Um campo da permissão está fora do limite. Nada foi gravado.")
    next_step = _("Corrija os campos indicados e proponha de novo.")


class OwnerGivesError(RefusedError):
    """Who answers for an agent, or issued a token of it, never permits it anything beforehand."""

    code = "dono_nao_permite"
    http_status = 403
    title = _("Quem está por trás do agente não dá a permissão")
    what = _(
        "Você responde por este agente, ou respondeu há pouco, ou emitiu um token dele; dois outros "
        "admins dão a permissão. Nada mudou."
    )
    next_step = _("Peça a dois admins que não estão por trás deste agente.")


class GiverGoneError(RefusedError):
    code = "quem_propos_saiu"
    title = _("Quem propôs não é mais admin")
    what = _("A permissão vale pela palavra de dois admins, e um deles não é mais. Nada mudou.")
    next_step = _("Encerre esta e proponha outra.")


class OtherAdminConfirmsError(RefusedError):
    code = "outro_admin_confirma"
    http_status = 403
    title = _("Outro admin confirma")
    what = _("Você propôs esta permissão; outro admin a confirma. Nada mudou.")
    next_step = _("Envie o endereço desta página a outro admin.")


class PermissionEndedError(RefusedError):
    code = "permissao_ja_encerrada"
    title = _("Esta permissão já terminou ou já foi confirmada")
    what = _("Outra pessoa chegou antes, ou o prazo passou. Nada mudou.")
    next_step = _("Abra a lista para ver o estado de agora.")
