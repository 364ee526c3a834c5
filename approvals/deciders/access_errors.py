"""Refusals about who may decide: agent owners, lent powers, fresh proof, and the access review."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, RefusedError
from opspilot.tenancy.reauthentication import ReauthenticationRequiredError


class AgentOwnerError(RefusedError):
    """Who owns an agent, did lately, changed its owner or issued its token stands behind what it
    proposes: they are no second person."""

    code = "dono_do_agente"
    http_status = 403
    title = _("Outra pessoa precisa decidir")
    what = _(
        "Você é dono do agente que pediu esta ação, ou foi nos últimos 30 dias, mudou o dono ou "
        "emitiu o token; a decisão é de outra pessoa."
    )
    next_step = _("Avise outra pessoa com o papel pedido.")


class FirstRequesterError(RefusedError):
    """Who asked for something does not decide that it is sent once more."""

    code = "pediu_o_original"
    http_status = 403
    title = _("Outra pessoa precisa decidir")
    what = _("Você pediu a ação que seria enviada de novo; a decisão é de outra pessoa.")
    next_step = _("Avise outra pessoa com o papel pedido.")


class StepUpRequiredError(ReauthenticationRequiredError):
    """Approving a high risk waits for a proof of who approves, at most five minutes old."""

    code = "confirmacao_recente_exigida"
    what = _(
        "Aprovar risco alto pede uma confirmação recente da sua identidade. Nada foi decidido."
    )
    next_step = _("Confirme e aprove de novo.")


class PowerUsedError(RefusedError):
    """One power is one vote, whoever uses it."""

    code = "voto_ja_dado_por_delegacao"
    title = _("Este voto já foi dado")
    what = _("Por delegação, este mesmo voto já está gravado. O seu não foi gravado.")
    next_step = _("Abra a proposta para ver quem votou em nome de quem.")


class NothingToLendError(RefusedError):
    code = "nada_a_delegar"
    http_status = 403
    title = _("Não há o que delegar")
    what = _("Só se delega um papel próprio que decide propostas. Nada foi gravado.")
    next_step = _("Um papel recebido por delegação não se passa adiante.")


class InvalidDelegationError(InvalidInputError):
    """A person, a role or a time of the delegation is out of bounds; `fields` names it."""

    code = "delegacao_invalida"
    title = _("Esta delegação não pode ser gravada")
    what = _("Um campo da delegação está fora do limite. Nada foi gravado.")
    next_step = _("Corrija o campo indicado e grave de novo.")


class DelegationEndedError(RefusedError):
    code = "delegacao_encerrada"
    title = _("Esta delegação já terminou")
    what = _("A delegação já foi revogada ou passou do fim. Nada mudou.")
    next_step = _("Abra a lista para ver o que vale agora.")


class NotLenderError(RefusedError):
    code = "delegacao_de_outra_pessoa"
    http_status = 403
    title = _("Só quem delegou revoga")
    what = _("Quem delegou ou um admin revoga uma delegação. Nada mudou.")
    next_step = _("Avise quem delegou ou um admin.")


class ListChangedError(RefusedError):
    """What would be attested is not what was on the page."""

    code = "lista_mudou"
    title = _("A lista mudou")
    what = _("Os acessos mudaram depois que você abriu a página. Nada foi atestado.")
    next_step = _("Leia a lista de agora e ateste de novo.")


class AlreadyAttestedError(RefusedError):
    code = "ja_atestada"
    title = _("Você já atestou esta lista")
    what = _("Esta mesma lista já está atestada por você neste trimestre.")
    next_step = _("Veja as revisões anteriores no fim da página.")
