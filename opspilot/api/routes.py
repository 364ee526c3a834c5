"""The operations of version 1, each with the scope it takes. None decides, none executes."""

from __future__ import annotations

from typing import Any, NoReturn
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Status
from ninja import errors as ninja_errors
from ninja.security import HttpBearer

from approvals import decisions
from approvals.agents import consumption
from approvals.models import EffectOutcome
from approvals.tasks.task_refusals import PreflightPendingError
from opspilot.api import (
    consulting,
    entry,
    problems,
    proposing,
    querying,
    reading,
    reporting,
    testing_policy,
)
from opspilot.api.action_contract import ACTIONS_BODY, ActionOut, ActionsOut
from opspilot.api.contract import (
    PAGE,
    ConsumeIn,
    EffectIn,
    Limit,
    PolicyAnswerOut,
    PolicyTestIn,
    ProposalIn,
    ProposalOut,
    ProposalPage,
    Seconds,
    StateName,
    TakenOut,
    Word,
)
from opspilot.api.entry import DoorRequest
from opspilot.api.errors import InvalidFieldsError, ScopeRequiredError
from opspilot.api.grounding_contract import GroundingIn, GroundingOut
from opspilot.api.parsing import StrictParser, read_object, read_rows
from opspilot.api.query_contract import (
    FIELDS,
    ROWS,
    AnswerOut,
    Cursor,
    QueriesOut,
    RowLimit,
)
from opspilot.api.scopes import Scope
from opspilot.tenancy.scope import tenant_scope

ROOT = "/api/"
PREFIX = "/api/v1/"
SCHEMA = f"{PREFIX}openapi.json"
DOCS = f"{PREFIX}docs"
QUERIES = f"{PREFIX}consultas/"
CONSULT = f"{PREFIX}grounding/consultar"
UNAVAILABLE = {503: problems.described(503)}

api = NinjaAPI(
    title="OpsPilot",
    version="1",
    openapi_url=None,
    docs_url=None,
    urls_namespace="agents",
    parser=StrictParser(),
)


class Token(HttpBearer):
    """The door has let the agent in; here its token must have the operation's scope."""

    openapi_bearerFormat = "opsk_…"  # noqa: N815 - OpenAPI's own name

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> bool:
        visitor = getattr(request, "visitor", None)
        if visitor is None or self.scope not in visitor.principal.scopes:
            raise ScopeRequiredError(scope=str(self.scope))
        return True

    def authenticate(self, request: HttpRequest, token: str) -> NoReturn:
        """Never asked: `__call__` reads who was let in, not the header."""
        raise NotImplementedError


def _takes(scope: Scope, **described: Any) -> dict[str, Any]:
    """What an operation asks of a token, for the check and for the description."""
    return {"auth": Token(scope), "openapi_extra": {"x-escopo": str(scope)} | described}


@api.post(
    "aprovacoes",
    response={201: ProposalOut, 200: ProposalOut},
    **_takes(Scope.PROPOSE),
    operation_id="propor",
    summary="Propor uma ação",
)
def propose(
    request: DoorRequest, data: ProposalIn, response: HttpResponse
) -> Status[ProposalOut] | HttpResponse:
    """201 com a proposta nova; 200 com a primeira, quando a rodada já a tem com este conteúdo.
    409 `preflight_pendente` com Retry-After enquanto o template de uma tarefa é lido."""
    _only(request)
    try:
        proposal, made = proposing.propose(visitor=request.visitor, data=data)
    except PreflightPendingError as exc:
        return problems.response_of(exc)  # not raised: what was put in the queue stays there
    response["Location"] = f"{PREFIX}aprovacoes/{proposal.ref}"
    return Status(201 if made else 200, reading.shown(proposal))


@api.get(
    "aprovacoes",
    response=ProposalPage,
    **_takes(Scope.READ),
    operation_id="listar",
    summary="Listar as próprias propostas",
)
def proposals(
    request: DoorRequest,
    response: HttpResponse,
    estado: StateName | None = None,
    cursor: UUID | None = None,
    limite: Limit = PAGE,
) -> ProposalPage:
    """As mais novas primeiro. A próxima página está no cabeçalho Link e em `proximo`."""
    _only(request, "estado", "cursor", "limite")
    principal = request.visitor.principal
    with tenant_scope(principal.tenant_id):
        found = reading.page(principal=principal, state=estado, after=cursor, limit=limite)
    if found.proximo:
        again = request.GET.copy()
        again["cursor"] = found.proximo
        response["Link"] = f'<{PREFIX}aprovacoes?{again.urlencode()}>; rel="next"'
    return found


@api.get(
    "aprovacoes/{uuid:ref}",
    response=ProposalOut,
    **_takes(Scope.READ),
    operation_id="ler",
    summary="Ler uma proposta, esperando por uma mudança",
)
def proposal(
    request: DoorRequest,
    ref: UUID,
    espera: Seconds = 0,
    visto: Word = "pendente",
) -> ProposalOut:
    """Com `espera`, a resposta vem assim que `situacao` deixar de ser `visto`, ou ao fim do tempo."""
    _only(request, "espera", "visto")
    return reading.awaited(
        principal=request.visitor.principal,
        ref=ref,
        seen=visto,
        seconds=espera,
        ask_again=lambda: entry.ask_again(request),
    )


@api.post(
    "aprovacoes/{uuid:ref}/cancelar",
    response=ProposalOut,
    **_takes(Scope.PROPOSE),
    operation_id="cancelar",
    summary="Cancelar uma proposta própria que ninguém decidiu",
)
def cancel(request: DoorRequest, ref: UUID) -> ProposalOut:
    """Só quem pediu cancela, e só antes da decisão."""
    _nothing(request)
    principal = request.visitor.principal
    found = reading.own(principal=principal, ref=ref)
    return reading.shown(decisions.cancel(proposal=found, requester=principal))


@api.post(
    "aprovacoes/{uuid:ref}/consumir",
    response=TakenOut,
    **_takes(Scope.CONSUME),
    operation_id="consumir",
    summary="Consumir uma aprovação própria, uma vez",
)
def consume(request: DoorRequest, ref: UUID, data: ConsumeIn) -> TakenOut:
    """A primeira chamada leva a ação aprovada; nenhuma outra. Só para o que o agente executa."""
    _only(request)
    principal = request.visitor.principal
    found = reading.own(principal=principal, ref=ref)
    taken = consumption.consume(agent=principal, proposal=found, seen_hash=data.acao_hash)
    return TakenOut(
        ref=ref,
        proposta=taken.action,
        acao_hash=taken.hash,
        executar_ate=taken.until,
        consumida_em=taken.consumption.at,
    )


@api.post(
    "aprovacoes/{uuid:ref}/efeito",
    response=ProposalOut,
    **_takes(Scope.CONSUME),
    operation_id="relatar_efeito",
    summary="Relatar o que resultou do que foi consumido",
)
def report_effect(request: DoorRequest, ref: UUID, data: EffectIn) -> ProposalOut:
    """Uma vez, também depois do prazo. A trilha guarda como palavra do agente."""
    _only(request)
    principal = request.visitor.principal
    found = reading.own(principal=principal, ref=ref)
    consumption.report_effect(
        agent=principal,
        proposal=found,
        outcome=EffectOutcome(data.resultado),
        reference=data.referencia,
        detail=data.detalhe,
        at=data.ocorrido_em,
    )
    return reading.shown(found)


@api.post(
    "acoes",
    response={201: ActionOut, 200: ActionsOut},
    **_takes(Scope.RECORD, requestBody=ACTIONS_BODY),
    operation_id="registrar",
    summary="Registrar na trilha uma ação já feita, ou até 500",
)
def record(request: DoorRequest) -> Status[ActionOut | ActionsOut]:
    """Um objeto: 201, ou a recusa. Uma lista: 200, com a resposta de cada linha; as recusadas não
    desfazem as outras. A chave de cada linha vale para sempre."""
    _only(request)
    given = read_rows(request.body)
    if isinstance(given, dict):
        return Status(201, reporting.one(visitor=request.visitor, given=given))
    return Status(200, reporting.many(visitor=request.visitor, given=given))


@api.get(
    "consultas",
    response=QueriesOut,
    **_takes(Scope.READ_TRAIL),
    operation_id="listar_consultas",
    summary="Listar as consultas prontas da trilha",
)
def queries(request: DoorRequest) -> QueriesOut:
    """As que o responsável pelo agente pode abrir, com os campos e as colunas de cada uma."""
    _only(request)
    return QueriesOut(itens=querying.listed(principal=request.visitor.principal, prefix=QUERIES))


@api.get(
    "consultas/{slug:slug}",
    response=AnswerOut,
    **_takes(Scope.READ_TRAIL, parameters=[FIELDS], responses=UNAVAILABLE),
    operation_id="consultar",
    summary="Responder a uma consulta pronta, página por página",
)
def query(
    request: DoorRequest,
    response: HttpResponse,
    slug: str,
    cursor: Cursor = "",
    limite: RowLimit = ROWS,
) -> AnswerOut:
    """As mesmas linhas da página e da linha de comando. A próxima página está no cabeçalho Link e em
    `proximo`. Cada leitura é uma linha da trilha. 503 quando passa de 20 segundos."""
    _only(request, *request.GET)
    raw = {
        name: said for name, said in request.GET.dict().items() if name not in ("cursor", "limite")
    }
    principal = request.visitor.principal
    with tenant_scope(principal.tenant_id):
        found = querying.answer(principal=principal, slug=slug, raw=raw, after=cursor, limit=limite)
    if found.proximo:
        more = found.parametros | {"cursor": found.proximo, "limite": str(limite)}
        response["Link"] = f'<{QUERIES}{found.consulta}?{urlencode(more)}>; rel="next"'
    return found


@api.post(
    "politicas/testar",
    response=PolicyAnswerOut,
    **_takes(Scope.TEST_POLICY),
    operation_id="testar_politica",
    summary="Perguntar à política o que ela faria",
)
def ask_policy(request: DoorRequest, data: PolicyTestIn) -> PolicyAnswerOut:
    """Todas as regras respondem, com o código de cada uma. Nada é criado."""
    _only(request)
    return testing_policy.ask(principal=request.visitor.principal, data=data)


@api.post(
    "grounding/consultar",
    response=GroundingOut,
    **_takes(Scope.GROUND, responses=UNAVAILABLE),
    operation_id="consultar_grounding",
    summary="Consultar as coleções concedidas ao agente",
)
def ground(request: DoorRequest, data: GroundingIn) -> GroundingOut:
    """Trechos com a sua fonte e a cobertura. Onde nada do que foi pedido está concedido, nada é
    procurado. Cada consulta deixa um recibo e uma linha da trilha. 503 quando o serviço de embeddings
    não responde."""
    _only(request)
    return consulting.consult(visitor=request.visitor, data=data)


def _nothing(request: HttpRequest) -> None:
    """An act with nothing to fill in: no parameter, and no body or an empty object."""
    _only(request)
    given = read_object(request.body) if request.body else {}
    if given:
        raise InvalidFieldsError(
            [{"campo": name[:80], "motivo": "extra_forbidden"} for name in given]
        )


def _only(request: HttpRequest, *names: str) -> None:
    """A parameter nobody knows, or one that comes twice, is refused, not ignored."""
    unknown = [name for name in request.GET if name not in names]
    twice = [name for name, values in request.GET.lists() if len(values) > 1]
    faults = [(name, "extra_forbidden") for name in unknown] + [(n, "repeated") for n in twice]
    if faults:
        problems = [{"campo": name[:80], "motivo": fault} for name, fault in faults]
        raise InvalidFieldsError(problems)


def _raise(_request: HttpRequest, exception: Any) -> NoReturn:
    """The door answers: an exception must leave the transaction it happened in."""
    raise exception


for _kind in (Exception, Http404, ninja_errors.HttpError, ninja_errors.ValidationError):
    api.add_exception_handler(_kind, _raise)
