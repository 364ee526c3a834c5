"""The questions that are always ready: what each asks, gives, relies on, and who answers for it."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from audit.reports import columns, constants
from audit.reports.columns import BY_TIME
from audit.reports.kinds import (
    AgentParameter,
    ChoiceParameter,
    CorrelationParameter,
    EntityParameter,
    PeriodParameter,
    action_parameter,
    result_parameter,
)
from audit.reports.shapes import Column, NamedQuery
from opspilot.errors import NotFoundError
from opspilot.tenancy.principal import Role

_ALWAYS = PeriodParameter(
    default="tudo", presets=("tudo", "hoje", "ontem", "7d", "mes_passado", "intervalo")
)
_PERIOD = PeriodParameter()
_AGENT = AgentParameter()
_RUN = CorrelationParameter(required=True)
_WINDOW = ChoiceParameter(
    "janela",
    _("Em volta da rodada"),
    default="1h",
    choices=(("15min", _("15 minutos")), ("1h", _("1 hora")), ("24h", _("24 horas"))),
)
_REACH = ChoiceParameter(
    "alcance",
    _("Alcance"),
    default="agente",
    choices=(
        ("rodada", _("só a rodada")),
        ("agente", _("a rodada e os mesmos agentes")),
        ("tempo", _("tudo em volta dela")),
    ),
)
_WITH_READINGS = ChoiceParameter(
    "leituras",
    _("Leituras do histórico"),
    default="sem",
    choices=(("sem", _("sem leituras")), ("com", _("com leituras"))),
)
_UNKNOWN = Column("sem_custo", _("Linhas sem custo informado"), "integer", total=True)

_QUERIES = (
    NamedQuery(
        slug="historico-da-entidade",
        version=2,
        question=_("O que foi feito sobre um cliente, e quem autorizou?"),
        about=_("Cada linha sobre ele, com o tipo de autorização, quem decidiu e quanto custou."),
        parameters=(
            EntityParameter(required=True),
            _ALWAYS,
            action_parameter(among=constants.about_somebody),
            result_parameter(),
            _WITH_READINGS,
        ),
        columns=columns.trail(without=("entidade_id", "agente")),
        key=BY_TIME,
        file="report_entity_history.sql",
        index="agente_acao_entidade",
        owner=Role.CONFORMIDADE,
    ),
    NamedQuery(
        slug="reconstrucao-da-rodada",
        version=1,
        question=_("O que aconteceu numa rodada, do gatilho ao efeito?"),
        about=_("Todas as linhas de uma rodada, da primeira à última."),
        parameters=(_RUN,),
        columns=columns.trail(without=("correlacao_id",)),
        key=BY_TIME,
        file="report_run.sql",
        index="agente_acao_correlacao",
    ),
    NamedQuery(
        slug="custo-por-agente-e-dia",
        version=1,
        question=_("Quanto custou cada agente, por dia?"),
        about=_("Linha sem custo informado não vale zero: a soma passa a dizer “pelo menos”."),
        parameters=(_PERIOD, _AGENT),
        columns=(
            Column("dia", _("Dia"), "day"),
            columns.AGENT,
            Column("linhas", _("Linhas"), "integer", total=True),
            Column("custo_centavos", _("Custo (R$)"), "money", floor="sem_custo", total=True),
            _UNKNOWN,
            Column("tokens_entrada", _("Tokens de entrada"), "integer", total=True),
            Column("tokens_saida", _("Tokens de saída"), "integer", total=True),
        ),
        key=("dia", "agente"),
        file="report_cost.sql",
        index="agente_acao_quando",
        owner=Role.ADMIN,
    ),
    NamedQuery(
        slug="acoes-irreversiveis",
        version=1,
        question=_("O que foi feito no período e não pode ser desfeito?"),
        about=_("Efeitos sem volta, também os que não concluíram ou ficaram desconhecidos."),
        parameters=(_PERIOD, _AGENT, action_parameter(among=constants.in_the_world)),
        columns=columns.trail(),
        key=BY_TIME,
        file="report_irreversible.sql",
        index="agente_acao_quando",
        owner=Role.ADMIN,
    ),
    NamedQuery(
        slug="repasse-humano",
        version=2,
        question=_("Com que frequência uma pessoa precisou entrar?"),
        about=_("Repasses ao lado dos efeitos concluídos, e quantos destes uma pessoa aprovou."),
        parameters=(_PERIOD, _AGENT),
        columns=(
            columns.AGENT,
            Column("efeitos", _("Efeitos concluídos"), "integer", total=True),
            Column("humana", _("Destes, aprovados por uma pessoa"), "integer", total=True),
            Column("automatica", _("Destes, por regra ou permissão"), "integer", total=True),
            Column("repasses", _("Repasses a uma pessoa"), "integer", total=True),
            Column("taxa_repasse", _("Repasses, de repasses e efeitos (%)"), "percent"),
            Column("taxa_humana", _("Aprovados por uma pessoa, dos efeitos (%)"), "percent"),
        ),
        key=("agente",),
        file="report_handoff.sql",
        index="agente_acao_quando",
    ),
    NamedQuery(
        slug="recusas-e-nao-acoes",
        version=1,
        question=_("O que foi recusado, bloqueado, repassado ou venceu?"),
        about=_("A regra aparecendo: o que não foi feito, e por quê."),
        parameters=(_PERIOD, _AGENT, action_parameter(among=constants.not_done)),
        columns=columns.trail(
            without=("custo_centavos", "autorizacao"),
            instead=(columns.WHO, columns.REASON, columns.ERROR),
        ),
        key=BY_TIME,
        file="report_refusals.sql",
        index="agente_acao_quando",
    ),
    NamedQuery(
        slug="politica-na-decisao",
        version=1,
        question=_("Que política valia em cada decisão?"),
        about=_("A versão sob a qual a proposta foi preparada e a que estava em vigor na decisão."),
        parameters=(_PERIOD, CorrelationParameter()),
        columns=(
            columns.NUMBER,
            columns.WHEN,
            columns.RUN,
            columns.ACTION,
            columns.RESULT,
            columns.hidden("autorizacao", _("Autorização"), "authorization"),
            columns.DECIDED_BY,
            columns.hidden("aprovacao_id", _("Número da aprovação"), "number"),
            Column("politica_da_proposta", _("Política da proposta"), "integer"),
            Column("politica_em_vigor", _("Política em vigor"), "integer"),
            columns.hidden("politica_sha256", _("Política em vigor (SHA-256)")),
        ),
        key=BY_TIME,
        file="report_policy_at_decision.sql",
        index="agente_acao_quando",
    ),
    NamedQuery(
        slug="quem-leu-o-que",
        version=1,
        question=_("Quem leu ou exportou o quê da trilha?"),
        about=_("Ler e exportar também ficam na trilha; aqui está cada leitura."),
        parameters=(_PERIOD, EntityParameter()),
        columns=(
            columns.NUMBER,
            columns.WHEN,
            columns.hidden("correlacao_id", _("Rodada"), "run"),
            columns.ACTION,
            Column("entrada_resumo", _("Quem"), "person"),
            columns.ENTITY_TYPE,
            columns.ENTITY,
            Column("saida_resumo", _("O quê")),
            columns.hidden("fontes", _("Fontes"), "json"),
        ),
        key=BY_TIME,
        file="report_readings.sql",
        index="agente_acao_leituras",
        owner=Role.CONFORMIDADE,
        roles=(Role.AUDITOR, Role.CONFORMIDADE, Role.ADMIN),
    ),
    NamedQuery(
        slug="alcance-do-incidente",
        version=2,
        question=_("Quem um incidente pode ter alcançado?"),
        about=_(
            "Clientes, pedidos e contratos tocados pela rodada, pelos agentes dela ou em volta."
        ),
        parameters=(_RUN, _REACH, _WINDOW),
        columns=(
            Column("entidade_tipo", _("Tipo")),
            columns.ENTITY,
            Column("laco", _("Laço")),
            Column("acoes", _("Ações"), "integer"),
            Column("rodadas", _("Rodadas"), "integer"),
            Column("primeira", _("Primeira"), "moment"),
            Column("ultima", _("Última"), "moment"),
        ),
        key=("entidade_tipo", "entidade_id"),
        file="report_incident_scope.sql",
        index="agente_acao_correlacao",
        owner=Role.CONFORMIDADE,
    ),
    NamedQuery(
        slug="erros-por-acao",
        version=1,
        question=_("Que ações mais falham?"),
        about=_("Das que foram tentadas, quantas não concluíram ou ficaram desconhecidas."),
        parameters=(_PERIOD, _AGENT),
        columns=(
            columns.ACTION,
            Column("ok", _("Concluídas"), "integer"),
            Column("erro", _("Não concluídas"), "integer"),
            Column("desconhecido", _("Desconhecidas"), "integer"),
            Column("recusado", _("Recusadas"), "integer"),
            Column("taxa_erro", _("Taxa de erro (%)"), "percent"),
        ),
        key=("acao",),
        file="report_errors.sql",
        index="agente_acao_quando",
        owner=Role.ADMIN,
    ),
    NamedQuery(
        slug="custo-por-resultado-util",
        version=1,
        question=_("Quanto custa um resultado útil de cada agente?"),
        about=_("O vocabulário diz que ações são úteis; contam as que concluíram."),
        parameters=(_PERIOD, _AGENT),
        columns=(
            columns.AGENT,
            Column("uteis", _("Resultados úteis"), "integer", total=True),
            Column("custo_centavos", _("Custo (R$)"), "money", floor="sem_custo", total=True),
            _UNKNOWN,
            Column("custo_por_resultado", _("Por resultado (R$)"), "money", floor="sem_custo"),
        ),
        key=("agente",),
        file="report_cost_per_result.sql",
        index="agente_acao_quando",
        owner=Role.ADMIN,
    ),
    NamedQuery(
        slug="tempo-ate-decidir",
        version=1,
        question=_("Quanto tempo as propostas esperam por uma decisão?"),
        about=_("Da preparação ao fim da espera, por ação e por como ela terminou."),
        parameters=(_PERIOD,),
        columns=(
            columns.ACTION,
            Column("decisao", _("Como terminou"), "action"),
            Column("propostas", _("Propostas"), "integer"),
            Column("mediana_s", _("Mediana"), "seconds"),
            Column("p90_s", _("9 de 10 em até"), "seconds"),
            Column("maior_s", _("A mais longa"), "seconds"),
        ),
        key=("acao", "decisao"),
        file="report_time_to_decision.sql",
        index="agente_acao_quando",
    ),
)

NAMED: dict[str, NamedQuery] = {query.slug: query for query in _QUERIES}


def get(slug: str) -> NamedQuery:
    """The query with this slug; any other is the console's 404, which leads back to the library."""
    if slug not in NAMED:
        raise NotFoundError(back_url=reverse("audit:queries"))
    return NAMED[slug]
