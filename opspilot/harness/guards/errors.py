"""A call that whoever makes it may not make, whatever was read or planned before it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import RefusedError


class ToolRefusedError(RefusedError):
    """The table has no such call for this identity. No text that was read can add one."""

    code = "ferramenta_negada"
    http_status = 403
    title = _("Esta ferramenta não é de quem a chama")
    what = _("Quem fez esta chamada não tem esta ferramenta. Nada foi feito.")
    next_step = _("Peça a uma pessoa com o papel adequado que faça o pedido.")


class UnknownToolError(ToolRefusedError):
    """Nobody has it: it is no tool of this console."""

    code = "ferramenta_desconhecida"
    what = _("O console não tem uma ferramenta com este nome. Nada foi feito.")


class LostRoleError(ToolRefusedError):
    """The person for whom the run goes on has no role by now that may ask for this."""

    code = "ferramenta_sem_papel"
    what = _("Quem pediu já não tem um papel que permita isto. Nada foi feito.")


class ScopeMissingError(ToolRefusedError):
    code = "ferramenta_sem_escopo"
    what = _("A credencial do agente não dá esta ferramenta. Nada foi feito.")
    next_step = _("Peça a um admin da sua empresa uma credencial com este escopo.")
