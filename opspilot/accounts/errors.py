"""Refusals at the door. None of them leaves a trail row: at the door there is no tenant yet."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import OpsPilotError


class TooManyAttemptsError(OpsPilotError):
    """Locked out, or asking too often. Says the same for a name that exists and one that does not."""

    code = "muitas_tentativas"
    http_status = 429
    title = _("Muitas tentativas seguidas")
    what = _("Para proteger as contas, novas tentativas estão pausadas por até 15 minutos.")
    next_step = _(
        "Espere e tente de novo. Se esqueceu a senha, peça uma nova na página de entrada; "
        "se a pausa não terminar, fale com um admin da sua empresa."
    )


class SsoError(OpsPilotError):
    """A login by the company's provider that is not accepted."""

    http_status = 403
    title = _("Não foi possível entrar pela sua empresa")


class ProviderSilentError(SsoError):
    code = "provedor_indisponivel"
    http_status = 503
    what = _("O provedor de identidade da sua empresa não respondeu como esperado.")
    next_step = _("Tente de novo em instantes; se repetir, avise quem cuida do acesso.")


class GroupsMissingError(SsoError):
    """The claim is absent or unreadable: that says nothing about the person, so nothing changes."""

    code = "grupos_ausentes"
    what = _("O provedor de identidade não informou seus grupos, e sem eles não há papel.")
    next_step = _("Avise quem cuida do acesso: a declaração de grupos não veio na resposta.")


class NoRoleError(SsoError):
    code = "sem_papel"
    what = _("Nenhum dos seus grupos dá um papel neste console.")
    next_step = _("Peça o acesso a quem cuida dos grupos da sua empresa.")
