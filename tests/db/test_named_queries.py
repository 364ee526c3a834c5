"""The named queries: what each answers, page by page, and what it says of its own answer."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.db import connection

from audit.models import AgenteAcao, EntityChange, EntityEvent
from audit.reports import catalogue, constants, cursors, running
from audit.reports.cursors import ForeignCursorError
from audit.reports.kinds import ParametersError
from audit.reports.running import QueryTooSlowError
from audit.vocabulary import Authorization, Result
from opspilot.errors import NotFoundError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import querying
from tests.db.querying import a_row, asked, values_of

pytestmark = pytest.mark.django_db

SLUGS = sorted(catalogue.NAMED)
RUN = "c0a8b6f2-0000-4000-8000-000000000000"
NEEDED = {
    "historico-da-entidade": {"entidade": str(uuid.uuid4())},
    "reconstrucao-da-rodada": {"correlacao": RUN},
    "alcance-do-incidente": {"correlacao": RUN},
}


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def inside(tenant: Tenant) -> Iterator[Tenant]:
    with tenant_scope(tenant.pk):
        yield tenant


@pytest.mark.parametrize("slug", SLUGS)
def test_every_query_runs_and_gives_the_columns_it_names(slug: str, inside: Tenant) -> None:
    found, bound = asked(slug, **NEEDED.get(slug, {}))
    running.page(found, bound)
    with connection.cursor() as cursor:
        cursor.execute(*running.statement(found, bound, limit=1))
        assert [column.name for column in cursor.description or ()] == found.names


@pytest.mark.parametrize("slug", SLUGS)
def test_every_query_says_in_its_file_what_it_answers_and_what_it_relies_on(slug: str) -> None:
    query = catalogue.get(slug)
    head = query.path.read_text().partition("SELECT")[0]
    assert head.startswith("-- ")
    assert query.index in head.partition("Index:")[2]


def test_pages_follow_one_another_with_no_row_twice_and_none_lost(inside: Tenant) -> None:
    entity = querying.an_entity(inside)
    about = {"entidade_tipo": "cliente", "entidade_id": str(entity.ref)}
    made = [a_row(inside, **about) for _ in range(7)]
    found, bound = asked("historico-da-entidade", entidade=str(entity.ref))
    seen: list[int] = []
    after = ""
    while True:
        page = running.page(found, bound, after=after, limit=3)
        seen += querying.ids(found, page.rows)
        a_row(inside, **about)  # what is new comes before the first page, and moves nothing
        if not page.next_cursor:
            break
        after = page.next_cursor
    assert seen == made[::-1]


def test_aggregates_are_paged_by_their_own_key(inside: Tenant) -> None:
    for agent in ("a", "b", "c", "d"):
        a_row(inside, agente=agent)
    found, bound = asked("custo-por-agente-e-dia", periodo="7d")
    first = running.page(found, bound, limit=3)
    second = running.page(found, bound, after=first.next_cursor, limit=3)
    agents = [row[1] for row in [*first.rows, *second.rows]]
    assert agents == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("slug", "raw"),
    [("recusas-e-nao-acoes", {"periodo": "7d"}), ("acoes-irreversiveis", {"periodo": "hoje"})],
)
def test_a_marker_of_another_query_or_other_parameters_is_refused(
    slug: str, raw: dict[str, str], inside: Tenant
) -> None:
    a_row(inside, acao="tarefa.executada")
    found, bound = asked("acoes-irreversiveis", periodo="7d")
    marker = cursors.written(found, bound, running.page(found, bound).rows[0])
    other, others = asked(slug, **raw)
    with pytest.raises(ForeignCursorError):
        running.page(other, others, after=marker)


def test_a_marker_of_another_company_or_made_up_is_refused(inside: Tenant) -> None:
    a_row(inside, acao="tarefa.executada")
    found, bound = asked("acoes-irreversiveis")
    marker = cursors.written(found, bound, running.page(found, bound).rows[0])
    with tenant_scope(factories.a_tenant().pk), pytest.raises(ForeignCursorError):
        running.page(found, bound, after=marker)
    with pytest.raises(ForeignCursorError):
        running.page(found, bound, after="eyJhIjoxfQ:1")


def test_an_unknown_query_is_the_consoles_404() -> None:
    with pytest.raises(NotFoundError):
        catalogue.get("nada-disso")


def test_the_stream_is_the_pages_and_its_hash_is_of_them(inside: Tenant) -> None:
    for _ in range(5):
        a_row(inside, acao="tarefa.executada")
    found, bound = asked("acoes-irreversiveis")
    assert list(running.stream(found, bound)) == list(running.page(found, bound).rows)
    count, sha = running.digest(found, bound)
    assert (count, sha) == running.digest(found, bound)
    assert count == 5
    a_row(inside, acao="tarefa.executada")
    assert running.digest(found, bound) != (count, sha)


def test_a_query_that_takes_too_long_is_stopped_and_the_transaction_goes_on(
    inside: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "SECONDS", 0.001)
    found, bound = asked("tempo-ate-decidir")
    slow = "SELECT pg_sleep(1), %(limit)s"
    monkeypatch.setattr("opspilot.tenancy.sql.named", lambda _path: slow)
    with pytest.raises(QueryTooSlowError):
        running.page(found, bound)
    monkeypatch.undo()
    assert running.page(found, bound).rows == []


def test_a_count_stops_one_above_its_bound(inside: Tenant) -> None:
    for _ in range(5):
        a_row(inside, acao="tarefa.executada")
    found, bound = asked("acoes-irreversiveis")
    assert running.count_up_to(found, bound, 3) == 4
    assert running.count_up_to(found, bound, 9) == 5


def test_an_unknown_cost_is_counted_and_never_summed_as_zero(inside: Tenant) -> None:
    a_row(inside, agente="x", custo_exato=Decimal("1.250001"))
    a_row(inside, agente="x", custo_exato=None)
    a_row(inside, agente="y", custo_exato=None)
    found, bound = asked("custo-por-agente-e-dia", periodo="7d")
    told = {row[1]: values_of(found, row) for row in running.page(found, bound).rows}
    assert (told["x"]["custo_centavos"], told["x"]["sem_custo"]) == (Decimal("1.250001"), 1)
    assert (told["y"]["custo_centavos"], told["y"]["sem_custo"]) == (None, 1)


def test_only_effects_that_cannot_be_undone_are_irreversible(inside: Tenant) -> None:
    effect = a_row(inside, acao="tarefa.executada")
    a_row(inside, acao="issue.criada", reversivel=True)
    a_row(inside, acao="historico.lido")
    a_row(inside, acao="tarefa.executada", resultado=Result.PENDENTE)
    found, bound = asked("acoes-irreversiveis")
    assert querying.ids(found, running.page(found, bound).rows) == [effect]


def test_the_hand_off_rate_is_over_effects_and_hand_overs(inside: Tenant) -> None:
    a_row(inside, agente="x", autorizacao=Authorization.HUMANA)
    a_row(inside, agente="x", autorizacao=Authorization.PREVIA)
    a_row(inside, agente="x", autorizacao=Authorization.PREVIA)
    a_row(inside, agente="x", acao="repasse.humano", autorizacao=Authorization.REGRA)
    a_row(inside, agente="x", resultado=Result.PENDENTE, autorizacao=Authorization.PENDENTE)
    found, bound = asked("repasse-humano")
    told = values_of(found, running.page(found, bound).rows[0])
    assert told == {
        "agente": "x", "efeitos": 3, "humana": 1, "automatica": 2, "repasses": 1,
        "taxa_repasse": Decimal("25.00"), "taxa_humana": Decimal("33.33"),
    }  # fmt: skip


def test_what_was_not_done_is_listed_with_what_was_refused(inside: Tenant) -> None:
    refused = a_row(inside, acao="acao.recusada", resultado=Result.RECUSADO)
    handed = a_row(inside, acao="repasse.humano")
    expired = a_row(inside, acao="aprovacao.expirada", resultado=Result.EXPIRADO)
    a_row(inside)
    found, bound = asked("recusas-e-nao-acoes")
    assert querying.ids(found, running.page(found, bound).rows) == [expired, handed, refused]


def test_a_decision_names_the_policy_in_force_at_its_moment(inside: Tenant) -> None:
    first = factories.a_policy(inside)
    a_row(inside, acao="aprovacao.concedida", politica_versao=first.number)
    second = factories.a_policy(inside, expires_minutes=30)
    a_row(
        inside, acao="aprovacao.recusada", resultado=Result.RECUSADO, politica_versao=first.number
    )
    found, bound = asked("politica-na-decisao")
    told = [values_of(found, row) for row in running.page(found, bound).rows]
    assert [(t["politica_da_proposta"], t["politica_em_vigor"]) for t in told] == [
        (first.number, second.number),
        (first.number, first.number),
    ]


def test_an_incident_reaches_the_entities_of_its_agents_around_it_and_no_others(
    inside: Tenant,
) -> None:
    run = uuid.uuid4()
    own, near, far = (str(querying.an_entity(inside).ref) for _ in range(3))
    a_row(inside, agente="x", correlacao_id=run, entidade_tipo="cliente", entidade_id=own)
    a_row(inside, agente="x", entidade_tipo="cliente", entidade_id=near)
    a_row(inside, agente="y", entidade_tipo="cliente", entidade_id=far)
    found, bound = asked("alcance-do-incidente", correlacao=str(run))
    told = {row[1]: row[2] for row in running.page(found, bound).rows}
    assert told == {own: "mesma rodada", near: "mesmo agente"}
    found, bound = asked("alcance-do-incidente", correlacao=str(run), alcance="tempo")
    assert {row[1]: row[2] for row in running.page(found, bound).rows}[far] == "mesmo tempo"


def test_an_incident_does_not_grow_while_it_is_looked_into(inside: Tenant) -> None:
    run, reader = uuid.uuid4(), str(querying.an_entity(inside).ref)
    own = str(querying.an_entity(inside).ref)
    a_row(inside, agente="x", correlacao_id=run, entidade_tipo="cliente", entidade_id=own)
    for action in constants.of_every_query()["of_the_trail"]:
        a_row(inside, agente="x", acao=action, entidade_tipo="cliente", entidade_id=reader)
        a_row(inside, acao=action, entidade_tipo="cliente", entidade_id=own)
    found, bound = asked("alcance-do-incidente", correlacao=str(run), alcance="tempo")
    told = [values_of(found, row) for row in running.page(found, bound).rows]
    assert [(t["entidade_id"], t["acoes"]) for t in told] == [(own, 1)]


def test_a_history_tells_its_readings_only_when_asked(inside: Tenant) -> None:
    entity = querying.an_entity(inside)
    about = {"entidade_tipo": "cliente", "entidade_id": str(entity.ref)}
    done, read = a_row(inside, **about), a_row(inside, acao="historico.lido", **about)
    for raw, wanted in (
        ({}, [done]),
        ({"leituras": "com"}, [read, done]),
        ({"acao": "historico.lido"}, [read]),
    ):
        found, bound = asked("historico-da-entidade", entidade=str(entity.ref), **raw)
        assert querying.ids(found, running.page(found, bound).rows) == wanted


def test_an_answer_of_a_fixed_end_stays_as_it_was_while_its_period_goes_on(inside: Tenant) -> None:
    a_row(inside, acao="historico.lido")
    found, bound = asked("quem-leu-o-que", periodo="hoje")
    first = running.digest(found, bound)
    again = asked("quem-leu-o-que", **bound.fixed)[1]
    a_row(inside, acao="historico.lido")
    assert running.digest(found, again) == first
    assert running.digest(found, bound) != first


@pytest.mark.parametrize("end", ["ontem", "2026-11-30", "2026-11-30T10:00:00", "9999-01-01T00:00Z"])
def test_an_end_that_is_no_moment_is_refused(end: str, inside: Tenant) -> None:
    with pytest.raises(ParametersError):
        asked("quem-leu-o-que", periodo="hoje", fim=end)


def test_a_refusal_is_no_error(inside: Tenant) -> None:
    for result in (Result.OK, Result.OK, Result.ERRO, Result.DESCONHECIDO, Result.RECUSADO):
        a_row(inside, acao="tarefa.executada", resultado=result)
    found, bound = asked("erros-por-acao")
    told = values_of(found, running.page(found, bound).rows[0])
    assert (told["recusado"], told["taxa_erro"]) == (1, Decimal("50.00"))


def test_the_cost_of_a_result_counts_only_useful_ones(inside: Tenant) -> None:
    a_row(inside, agente="x", custo_exato=Decimal(3))
    a_row(inside, agente="x", acao="acao.recusada", custo_exato=Decimal(1))
    found, bound = asked("custo-por-resultado-util")
    told = values_of(found, running.page(found, bound).rows[0])
    assert (told["uteis"], told["custo_por_resultado"]) == (1, Decimal(4))


def test_the_last_vote_ends_the_wait_for_a_decision(inside: Tenant) -> None:
    tenant, requester = inside, factories.a_principal(inside)
    proposal = factories.a_proposal(tenant, by=requester)
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    found, bound = asked("tempo-ate-decidir")
    told = [values_of(found, row) for row in running.page(found, bound).rows]
    assert [(t["acao"], t["decisao"], t["propostas"]) for t in told] == [
        ("issue.criada", "aprovacao.concedida", 1)
    ]
    assert 0 <= told[0]["mediana_s"] < 60


def test_the_history_of_a_merged_entry_has_the_rows_of_both(inside: Tenant) -> None:
    kept, merged = querying.an_entity(inside), querying.an_entity(inside)
    rows = [
        a_row(inside, entidade_tipo="cliente", entidade_id=str(one.ref)) for one in (kept, merged)
    ]
    EntityEvent.objects.create(
        tenant_id=inside.pk, entity=merged, into=kept, kind=EntityChange.UNIDA,
        reason="são a mesma pessoa", by="usuario:1", by_name="x",
    )  # fmt: skip
    found, bound = asked("historico-da-entidade", entidade=str(kept.ref))
    assert querying.ids(found, running.page(found, bound).rows) == rows[::-1]


def test_the_answer_says_since_when_the_trail_can_know(inside: Tenant) -> None:
    found, bound = asked("acoes-irreversiveis", de="2020-01-01")
    covered = running.page(found, bound).coverage
    assert covered.begins_later
    assert covered.since is not None and covered.since.year > 2020  # noqa: PT018
    assert (covered.rows, covered.complete, covered.to_now) == (0, True, True)


def test_an_answer_around_a_run_covers_the_run_s_time_and_its_window(
    inside: Tenant,
) -> None:
    run = uuid.uuid4()
    a_row(inside, correlacao_id=run)
    at = AgenteAcao.objects.get(correlacao_id=run).ocorrido_em
    found, bound = asked("alcance-do-incidente", correlacao=str(run), janela="15min")
    covered = running.page(found, bound).coverage
    assert covered.since == at - dt.timedelta(minutes=15)
    assert not covered.begins_later


@pytest.mark.parametrize("raw", [{"alcance": "rodada"}, {"correlacao": RUN}])
def test_an_answer_about_the_run_alone_or_an_unknown_one_covers_the_whole_trail(
    raw: dict[str, str], inside: Tenant
) -> None:
    run = uuid.uuid4()
    a_row(inside, correlacao_id=run)
    found, bound = asked("alcance-do-incidente", **{"correlacao": str(run)} | raw)
    covered = running.page(found, bound).coverage
    assert (covered.begins_later, covered.to_now) == (True, True)
