"""Refusals around giving and taking roles, each with its own sentence, code and next step."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import RefusedError


class OwnRolesError(RefusedError):
    """Nobody gives or takes their own roles; so an admin who takes one always stays."""

    code = "papeis_proprios"
    http_status = 403
    title = _("Outro admin muda os seus papéis")
    what = _("Ninguém muda os próprios papéis. Nada mudou.")
    next_step = _("Peça a outro admin da sua empresa.")


class AdminGivenError(RefusedError):
    """One admin alone makes no other: two of them are what a policy takes."""

    code = "admin_nao_se_da_aqui"
    http_status = 403
    title = _("O papel de admin não é dado aqui")
    what = _("Um admin sozinho não faz outro: dois deles põem uma política em vigor. Nada mudou.")
    next_step = _("Peça a quem opera a instalação, que usa o comando give_admin.")


class RolesMovedError(RefusedError):
    code = "papeis_mudaram"
    title = _("Os papéis desta pessoa já são outros")
    what = _("Alguém os mudou depois que você abriu a página. Nada mudou agora.")
    next_step = _("Abra a página da pessoa de novo e confira.")


class SameRolesError(RefusedError):
    code = "papeis_iguais"
    http_status = 422
    title = _("Nada muda")
    what = _("Os papéis marcados são os que a pessoa já tem. Nada foi gravado.")
    next_step = _("Marque ou desmarque um papel, ou volte.")


class ProviderRolesError(RefusedError):
    code = "papeis_do_provedor"
    http_status = 403
    title = _("Os papéis desta pessoa vêm da empresa")
    what = _(
        "Ela entra pela sua empresa, e os grupos de lá dão os papéis a cada entrada. Nada mudou."
    )
    next_step = _("Peça a mudança a quem cuida dos grupos da empresa.")
