"""Why the policy does not allow an action of an agent: a code and a sentence for each reason."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.errors import PolicyRefusedError


class ExternalRefusedError(PolicyRefusedError):
    next_step = _("Confira os campos da ação, ou fale com um admin.")


class KindNotAllowedError(ExternalRefusedError):
    code = "tipo_nao_permitido"
    what = _("A política da sua empresa não tem este tipo de ação.")


class AgentNotAllowedError(ExternalRefusedError):
    code = "agente_nao_permitido"
    what = _("Este agente não pode pedir este tipo de ação.")


class OwnerRoleError(ExternalRefusedError):
    code = "dono_sem_papel"
    what = _("Quem responde por este agente não tem um papel que possa pedir esta ação.")


class UnreadableValueError(ExternalRefusedError):
    """A fraction, a list, a truth value, control characters or too much."""

    code = "campo_ilegivel"
    what = _("Um campo da ação não pode ser lido.")


class FieldMissingError(ExternalRefusedError):
    code = "campo_ausente"
    what = _("Falta um campo que esta ação exige.")


class UnknownFieldError(ExternalRefusedError):
    code = "campo_desconhecido"
    what = _("Esta ação não tem um dos campos.")


class FieldValueError(ExternalRefusedError):
    code = "valor_nao_permitido"
    what = _("O valor de um campo não é do tipo pedido, ou não está entre os permitidos.")


class AboveCeilingError(ExternalRefusedError):
    code = "acima_do_teto"
    what = _("O valor passa do teto que a política dá a esta ação.")
