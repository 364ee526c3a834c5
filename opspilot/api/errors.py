"""Refusals of the agents' door and of the page about agents, each with a stable code."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, OpsPilotError, RefusedError, Text


class TokenRefusedError(RefusedError):
    """Nobody is let in by what the request carries."""

    code = "token_recusado"
    http_status = 401
    title = _("O token não abre esta porta")
    what = _("O token não serve. Nada foi gravado.")
    next_step = _("Peça um token novo ao responsável pelo agente.")


class TokenMissingError(TokenRefusedError):
    code = "token_ausente"
    what = _("O pedido precisa do cabeçalho Authorization: Bearer com o token do agente.")


class TokenUnknownError(TokenRefusedError):
    code = "token_desconhecido"
    what = _("Este token não é conhecido.")


class TokenExpiredError(TokenRefusedError):
    code = "token_vencido"
    what = _("O prazo deste token terminou.")


class TokenRevokedError(TokenRefusedError):
    code = "token_revogado"
    what = _("Este token foi revogado.")


class AgentInactiveError(RefusedError):
    code = "agente_inativo"
    http_status = 403
    title = _("Este agente está pausado")
    what = _("Um admin pausou este agente. Nada foi gravado.")
    next_step = _("Fale com um admin da empresa.")


class OwnerGoneError(RefusedError):
    """Nobody in the company answers for the agent any more."""

    code = "agente_sem_dono"
    http_status = 403
    title = _("Este agente está sem responsável")
    what = _("Quem respondia por este agente não está mais ativo na empresa. Nada foi gravado.")
    next_step = _("Um admin precisa indicar outro responsável.")


class ScopeRequiredError(RefusedError):
    code = "escopo_exigido"
    http_status = 403
    title = _("O token não tem o escopo pedido")
    what = _("Esta operação pede um escopo que o token não tem. Nada foi gravado.")
    next_step = _("Peça um token com o escopo indicado.")


class OwnerMayNotReadError(RefusedError):
    """An agent reads of the trail what the person who answers for it may read at this moment."""

    code = "responsavel_sem_papel"
    http_status = 403
    title = _("Quem responde pelo agente não lê esta consulta")
    what = _("Um agente lê da trilha o que o responsável por ele pode ler. Nada foi respondido.")
    next_step = _("Um admin pode indicar um responsável com um dos papéis da consulta.")


class OtherAgentError(RefusedError):
    """An agent consults as itself: what it may read hangs on who it is."""

    code = "agente_de_outro_token"
    http_status = 403
    title = _("O agente do pedido não é o do token")
    what = _("agente_id precisa ser o nome curto do agente deste token. Nada foi consultado.")
    next_step = _("Envie o nome curto do próprio agente.")


class EmbedderSilentError(OpsPilotError):
    """Nothing was consulted, and nobody did anything that they may not."""

    code = "embeddings_sem_resposta"
    http_status = 503
    title = _("A consulta não pôde ser feita agora")
    what = _("O serviço de embeddings não responde. Nada foi consultado.")
    next_step = _("Repita o pedido depois do tempo do cabeçalho Retry-After.")

    def __init__(self, **facts: Any) -> None:
        super().__init__(**{"retry_after": 30} | facts)


class TooManyRequestsError(RefusedError):
    """The first refusal of a minute, which leaves a row."""

    code = "pedidos_demais"
    http_status = 429
    title = _("Pedidos demais neste minuto")
    what = _("O agente passou do número de pedidos por minuto. Nada foi gravado.")
    next_step = _("Espere o tempo do cabeçalho Retry-After.")


class StillTooManyRequestsError(OpsPilotError):
    """The next ones of the same minute leave none: else the trail could be flooded."""

    code = TooManyRequestsError.code
    http_status = TooManyRequestsError.http_status
    title = TooManyRequestsError.title
    what = TooManyRequestsError.what
    next_step = TooManyRequestsError.next_step


class UnreadableBodyError(RefusedError):
    code = "corpo_ilegivel"
    http_status = 400
    title = _("O corpo do pedido não pôde ser lido")
    what = _("O corpo precisa ser um objeto JSON em UTF-8, com cada campo uma vez só.")
    next_step = _("Corrija o corpo e envie de novo.")


class UnreadableRequestError(RefusedError):
    code = "pedido_ilegivel"
    http_status = 400
    title = _("Este pedido não pôde ser lido")
    what = _("O pedido passa de um limite ou veio quebrado. Nada foi gravado.")
    next_step = _("Corrija o pedido e envie de novo.")


class BodyTooLargeError(RefusedError):
    code = "corpo_grande_demais"
    http_status = 413
    title = _("O corpo do pedido é grande demais")
    what = _("O corpo de um pedido tem no máximo 256 kB. Nada foi gravado.")
    next_step = _("Envie menos texto.")


class WrongContentTypeError(RefusedError):
    code = "tipo_nao_aceito"
    http_status = 415
    title = _("O tipo do conteúdo não é aceito")
    what = _("O corpo precisa vir como application/json. Nada foi gravado.")
    next_step = _("Envie o cabeçalho Content-Type: application/json.")


class InvalidFieldsError(InvalidInputError):
    """Fields or parameters that are missing, unknown or not of their kind. `problems` names each
    and the kind of fault, never what was sent."""

    code = "campos_invalidos"
    title = _("O pedido tem campos que não podem ser aceitos")
    what = _("Um campo falta, sobra ou não é do tipo pedido. Nada foi gravado.")
    next_step = _("Corrija os campos indicados e envie de novo.")

    def __init__(self, problems: list[dict[str, str]], detail: Text | None = None) -> None:
        super().__init__(detail)
        self.problems = problems


class InvalidKeyError(RefusedError):
    code = "chave_invalida"
    http_status = 400
    title = _("A chave de idempotência não pode ser aceita")
    what = _("Idempotency-Key tem de 1 a 200 caracteres visíveis. Nada foi gravado.")
    next_step = _("Use um UUID novo para cada pedido novo.")


class KeyReusedError(RefusedError):
    code = "chave_com_outro_conteudo"
    http_status = 422
    title = _("A chave já foi usada com outro conteúdo")
    what = _("Esta Idempotency-Key acompanhou outro pedido nas últimas 24 horas.")
    next_step = _("Use uma chave nova para um pedido novo.")


class KeyInFlightError(RefusedError):
    code = "pedido_em_andamento"
    title = _("O mesmo pedido está em andamento")
    what = _("Um pedido com esta Idempotency-Key ainda não terminou.")
    next_step = _("Repita com a mesma chave em alguns segundos.")

    def __init__(self, **facts: Any) -> None:
        super().__init__(**{"retry_after": 2} | facts)


class LateRequestError(OpsPilotError):
    """Another request took the key over meanwhile; what this one wrote is rolled back."""

    code = "pedido_ultrapassado"
    http_status = 409
    title = _("Outro pedido com esta chave passou à frente")
    what = _("Este pedido demorou demais e foi desfeito; outro com a mesma chave o substituiu.")
    next_step = _("Repita com a mesma chave para ler a resposta dele.")


class WrongMethodError(OpsPilotError):
    code = "metodo_nao_aceito"
    http_status = 405
    title = _("Este endereço não aceita este método")
    what = _("O endereço existe, mas não para este método. Nada foi gravado.")
    next_step = _("Veja os métodos no cabeçalho Allow.")


class UnknownAddressError(RefusedError):
    """An unknown address, an unknown id, another agent's and another company's are all this."""

    code = "nao_encontrado"
    http_status = 404
    title = _("Não encontrado")
    what = _("O endereço não corresponde a nada que este agente possa ler.")
    next_step = _("Confira o endereço e a referência.")


class FaultError(OpsPilotError):
    code = "falha_interna"
    http_status = 500
    title = _("O pedido não pôde ser completado")
    what = _("O pedido não foi completado. Nada foi gravado.")
    next_step = _("Repita com a mesma Idempotency-Key; se continuar, informe o código do pedido.")


class NotReportableError(InvalidInputError):
    """Not registered, or the console's own word: no agent writes that somebody approved something."""

    code = "acao_nao_relatavel"
    title = _("Esta ação não é relatada por agentes")
    what = _("A ação não é do vocabulário que agentes relatam. Nada foi gravado.")
    next_step = _("Use uma das ações registradas para agentes.")


class RowKeyReusedError(RefusedError):
    code = "chave_de_linha_com_outro_conteudo"
    title = _("A chave desta linha já é de outra ação")
    what = _("A chave já foi usada por este agente com outro conteúdo. Nada foi gravado.")
    next_step = _("Use uma chave nova para uma ação nova.")


class RunOfAnotherError(RefusedError):
    code = "rodada_de_outro"
    title = _("Esta rodada é de outro")
    what = _("A rodada foi aberta por uma pessoa ou por outro agente. Nada foi gravado.")
    next_step = _("Use o id de uma rodada deste agente.")


class ApprovalNeededError(InvalidInputError):
    """`humana` and `previa` say on whose word; `regra` has no approval to show."""

    code = "aprovacao_incompleta"
    title = _("A autorização e a aprovação não combinam")
    what = _("humana e previa pedem aprovacao e acao_hash; regra não leva nenhuma das duas.")
    next_step = _("Envie a aprovação própria, ainda não consumida, e o seu hash.")


class OtherApprovalError(RefusedError):
    """It is the agent's own and approved, but of something else, or on somebody else's word."""

    code = "aprovacao_de_outra_acao"
    title = _("A aprovação é de outra ação")
    what = _("A ação, a rodada, a entidade ou o tipo de autorização não são os da aprovação.")
    next_step = _("Confira a proposta e relate a ação que ela aprovou.")


class RuleAllowsNotError(RefusedError):
    code = "regra_nao_permite"
    title = _("A política não deixa isto por regra")
    what = _("A política em vigor não permite esta ação a este agente sem uma aprovação.")
    next_step = _("Proponha a ação, ou fale com um admin.")


class SlugTakenError(InvalidInputError):
    code = "nome_curto_em_uso"
    title = _("Este nome curto já é de outro agente")
    what = _("Outro agente da empresa já tem este nome curto. Nada foi gravado.")
    next_step = _("Escolha outro nome curto.")


class OwnerNotMemberError(InvalidInputError):
    code = "responsavel_fora_da_empresa"
    title = _("O responsável precisa ser da empresa")
    what = _("Só responde por um agente quem está ativo na empresa e tem um papel nela.")
    next_step = _("Escolha outra pessoa como responsável.")


class CallbackNotAllowedError(InvalidInputError):
    code = "retorno_nao_permitido"
    title = _("O endereço de retorno não é permitido")
    what = _("O endereço não é https público da lista de saída desta instalação.")
    next_step = _("Confira o endereço, ou peça a quem opera o console para incluí-lo na lista.")


class AlreadyIssuedError(RefusedError):
    """The form was sent a second time: the token of the first is the only one."""

    code = "token_ja_emitido"
    title = _("Este token já foi emitido")
    what = _("A página foi enviada outra vez; o token já foi mostrado e não aparece de novo.")
    next_step = _("Se não guardou o token, revogue-o e emita outro.")


class TooManyTokensError(RefusedError):
    code = "tokens_demais"
    title = _("Este agente já tem tokens demais")
    what = _("Um agente tem no máximo 10 tokens válidos ao mesmo tempo. Nada foi gravado.")
    next_step = _("Revogue os que não usa mais e emita de novo.")


class TokenEndedError(RefusedError):
    code = "token_terminado"
    title = _("Este token já terminou")
    what = _("O token venceu ou foi revogado antes. Nada mudou.")
    next_step = _("Emita um token novo, se precisar.")


# Not a code of its own at the door: said to an admin on the page, or another's in disguise.
OF_THE_PAGE = frozenset(
    {
        SlugTakenError,
        OwnerNotMemberError,
        CallbackNotAllowedError,
        AlreadyIssuedError,
        TooManyTokensError,
        TokenEndedError,
        TokenRefusedError,
        StillTooManyRequestsError,
    }
)
