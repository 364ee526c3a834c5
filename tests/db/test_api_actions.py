"""Agents report what they did: each row answered for itself, on a word that can be checked."""

from __future__ import annotations

import datetime as dt
import time
import uuid
from decimal import Decimal
from functools import partial
from typing import Any

import psycopg
import pytest

from audit import entities, trail
from audit.models import AgenteAcao, Entity, MaskingCount
from opspilot.api import reported
from opspilot.api.models import ReportedAction
from opspilot.api.reported import Made
from opspilot.api.scopes import Scope
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import Answered, AtTheDoor, at_the_door
from tests.conftest import Connection
from tests.db import agents_asking
from tests.db.agents_asking import REFUND, SORTED
from tests.db.races import at_once
from tests.db.reporting import a_door, a_row, approved, codes, report, the_row
from tests.db.reviewing import an_entry

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def door(committed: None) -> AtTheDoor:
    return a_door()


def test_an_action_is_written_as_the_agent_tells_it(door: AtTheDoor) -> None:
    told = (dt.datetime.now(dt.UTC) - dt.timedelta(days=3)).replace(microsecond=0)
    answer = door.post(
        "acoes",
        a_row(
            custo_exato="12.345678", tokens_entrada=900, tokens_saida=41, modelo="modelo-x",
            informado_em=told.isoformat(), fontes=[{"tipo": "pedido", "id": "P-1"}],
            saida_resumo="classe a", duracao_ms=812,
        ),
    )  # fmt: skip
    assert answer.status == 201
    row = the_row(door, answer.data)
    assert (row.agente, row.acao, row.autorizacao) == ("agente-a", SORTED, "regra")
    assert (row.custo_exato, row.tokens_entrada, row.modelo) == (
        Decimal("12.345678"),
        900,
        "modelo-x",
    )
    assert row.informado_em == told
    assert dt.datetime.now(dt.UTC) - row.ocorrido_em < dt.timedelta(minutes=1)
    assert row.politica_versao is not None


def test_case_audit_15_a_cost_that_was_not_told_is_unknown_and_not_zero(door: AtTheDoor) -> None:
    row = the_row(door, report(door, a_row())[0])
    assert (row.custo_exato, row.uso_conhecido) == (None, False)


def test_rows_are_answered_one_by_one_and_in_order(door: AtTheDoor) -> None:
    lines = report(
        door,
        a_row(chave="k-1"), a_row(chave="k-2", acao="acao.inventada"), a_row(chave="k-3"),
        a_row(chave="k-4", inventado=1), "nada", a_row(chave="k-6", custo_exato=1.5),
    )  # fmt: skip
    assert [line["chave"] for line in lines] == ["k-1", "k-2", "k-3", "k-4", None, "k-6"]
    assert codes(lines) == [
        (201, None), (422, "acao_nao_relatavel"), (201, None), (422, "campos_invalidos"),
        (422, "campos_invalidos"), (422, "campos_invalidos"),
    ]  # fmt: skip
    assert lines[5]["campos"][0]["campo"] == "custo_exato"
    assert lines[0]["id"] < lines[2]["id"]


@pytest.mark.parametrize("action", ["aprovacao.concedida", "politica.ativada", "issue.criada"])
def test_an_agent_writes_no_word_of_the_console(door: AtTheDoor, action: str) -> None:
    assert codes(report(door, a_row(acao=action))) == [(422, "acao_nao_relatavel")]


def test_the_same_key_and_body_is_the_same_row_and_answer(door: AtTheDoor) -> None:
    row = a_row()
    first = door.post("acoes", row)
    assert door.post("acoes", row).data == first.data
    assert report(door, row, row, a_row())[:2] == [first.data, first.data]
    with tenant_scope(door.tenant.pk):
        assert AgenteAcao.objects.filter(acao=SORTED).count() == 2


@pytest.mark.parametrize(
    "key",
    ["k\n", "\tk", " k", "k ", "a b", "\u00a0k", "k" * 200 + " ", "k" * 201, "", "ação", 7, None],
)
def test_a_key_with_a_blank_or_of_another_form_is_refused_and_its_list_goes_on(
    door: AtTheDoor, key: object
) -> None:
    lines = report(door, a_row(chave="k"), a_row(chave=key), a_row(chave="k" * 200))
    assert codes(lines) == [(201, None), (422, "campos_invalidos"), (201, None)]
    assert lines[1]["chave"] is None
    assert lines[1]["campos"][0]["campo"] == "chave"
    assert codes(report(door, a_row(chave=key))) == [(422, "campos_invalidos")]
    with tenant_scope(door.tenant.pk):
        assert AgenteAcao.objects.filter(acao=SORTED).count() == 2


def test_the_same_key_with_another_body_is_a_conflict_of_its_row(door: AtTheDoor) -> None:
    row = a_row(chave="k-1")
    lines = report(door, row, row | {"resultado": "erro"}, a_row())
    assert codes(lines) == [(201, None), (409, "chave_de_linha_com_outro_conteudo"), (201, None)]
    again = door.post("acoes", row | {"resultado": "erro"})
    assert (again.status, again.data["codigo"]) == (409, "chave_de_linha_com_outro_conteudo")


def test_a_key_holds_across_months_also_when_its_time_would_be_too_old_now(door: AtTheDoor) -> None:
    old = dt.datetime.now(dt.UTC) - dt.timedelta(days=45)
    row = a_row(chave="k-1", informado_em=old.isoformat())
    assert codes(report(door, row)) == [(422, "campos_invalidos")]
    with tenant_scope(door.tenant.pk):
        body = reported.body_hash(row)
        reported.keep(agent_id=door.agent.pk, made=[Made("k-1", body, 4711)])
    assert report(door, row)[0]["id"] == 4711


def test_case_audit_15_one_key_is_one_row_though_it_comes_again_in_another_month(
    door: AtTheDoor, admin: Connection
) -> None:
    row = a_row(chave="k-1")
    first = door.post("acoes", row).data
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = replica")
        admin.execute(
            "UPDATE agente_acao SET ocorrido_em = ocorrido_em + interval '1 month' WHERE id = %s",
            [first["id"]],
        )
    assert door.post("acoes", row).data == first
    assert report(door, row) == [first]
    with tenant_scope(door.tenant.pk):
        assert AgenteAcao.objects.filter(correlacao_id=row["correlacao_id"]).count() == 1


def test_case_audit_15_no_month_could_hold_a_key_that_is_unique_over_all(admin: Connection) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported), admin.transaction():
        admin.execute("CREATE UNIQUE INDEX one_key ON agente_acao (tenant_id, request_id)")


def test_keys_are_each_agent_s_own(door: AtTheDoor) -> None:
    row = a_row(chave="k-1", acao="repasse.humano")
    other = at_the_door(door.tenant, slug="agente-b")
    theirs = a_row(chave="k-1", acao="repasse.humano")
    assert door.post("acoes", row).data["id"] != other.post("acoes", theirs).data["id"]


def test_the_same_rows_sent_at_once_are_written_once(door: AtTheDoor) -> None:
    rows = [a_row(chave=f"k-{n}") for n in range(5)]
    answers = at_once([partial(door.post, "acoes", rows)] * 4)
    said = [a.data["linhas"] for a in answers if isinstance(a, Answered)]
    assert said == [said[0]] * 4
    with tenant_scope(door.tenant.pk):
        assert AgenteAcao.objects.filter(acao=SORTED).count() == 5
        assert ReportedAction.objects.count() == 5


def test_a_document_number_is_resolved_and_never_kept(door: AtTheDoor) -> None:
    row = a_row(entidade={"documento": factories.CPF})
    first = the_row(door, report(door, row)[0])
    with tenant_scope(door.tenant.pk):
        entity = Entity.objects.get()
        text = " ".join(str(values) for values in AgenteAcao.objects.values_list())
        kept = " ".join(str(values) for values in ReportedAction.objects.values_list())
    assert (first.entidade_tipo, first.entidade_id) == ("cliente", str(entity.ref))
    digits = "".join(filter(str.isdigit, factories.CPF))
    assert digits not in text + kept
    by_id = a_row(entidade={"tipo": "cliente", "id": str(entity.ref)})
    assert the_row(door, report(door, by_id)[0]).entidade_id == str(entity.ref)


def test_another_company_s_entity_looks_like_an_unknown_one(door: AtTheDoor) -> None:
    elsewhere = factories.a_tenant()
    person = factories.a_principal(elsewhere, Role.OPERADOR)
    with tenant_scope(elsewhere.pk):
        theirs = entities.resolve(
            principal=person,
            document=entities.parse_document(factories.CPF),
            correlation_id=uuid.uuid4(),
        )
    foreign, unknown = (
        report(door, a_row(chave="k", entidade={"id": str(ref)}))[0]
        for ref in (theirs.ref, uuid.uuid4())
    )
    assert foreign == unknown
    assert (foreign["status"], foreign["codigo"]) == (404, "nao_encontrado")


@pytest.mark.parametrize(
    "entity",
    [
        {},
        {"id": str(uuid.uuid4()), "documento": factories.CPF},
        {"tipo": "pedido", "documento": factories.CPF},
    ],
)
def test_an_entity_is_named_one_way(door: AtTheDoor, entity: dict[str, Any]) -> None:
    assert codes(report(door, a_row(entidade=entity))) == [(422, "campos_invalidos")]


def test_a_person_s_run_and_another_agent_s_are_not_written_into(door: AtTheDoor) -> None:
    person = factories.a_principal(door.tenant, Role.OPERADOR)
    run = factories.a_run(door.tenant, by=person)
    neighbour = at_the_door(door.tenant, slug="agente-b")
    proposed = approved(door)
    rows = [a_row(acao="repasse.humano", correlacao_id=str(run.ref))]
    rows.append(a_row(acao="repasse.humano", correlacao_id=proposed["correlacao_id"]))
    assert codes(report(neighbour, *rows)) == [(409, "rodada_de_outro")] * 2


def test_a_run_that_only_the_trail_knows_is_of_who_wrote_its_first_row(door: AtTheDoor) -> None:
    mine = a_row(acao="repasse.humano")
    neighbour = at_the_door(door.tenant, slug="agente-b")
    with tenant_scope(door.tenant.pk):
        console = uuid.uuid4()
        trail.record(an_entry(correlacao_id=console))
    report(door, mine)
    rows = [
        a_row(acao="repasse.humano", correlacao_id=str(run))
        for run in (mine["correlacao_id"], console)
    ]
    assert codes(report(neighbour, *rows)) == [(409, "rodada_de_outro")] * 2
    assert codes(report(door, rows[0])) == [(201, None)]


@pytest.mark.parametrize("days", [1, -31])
def test_the_agent_s_clock_is_neither_of_the_future_nor_of_long_ago(
    door: AtTheDoor, days: int
) -> None:
    when = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    (line,) = report(door, a_row(informado_em=when.isoformat()))
    assert line["campos"] == [{"campo": "informado_em", "motivo": "value_error"}]


def test_what_never_enters_is_masked_and_counted_here_too(door: AtTheDoor) -> None:
    key = "glpat-" + "x1" * 10
    said = {
        "erro": f"401 de https://git.example/?private_token={key}",
        "fontes": [{"token": "abc"}],
    }
    row = the_row(door, report(door, a_row(resultado="erro", **said))[0])
    assert key[6:] not in str(row.erro)
    assert row.fontes == [{"token": "[segredo]"}]
    with tenant_scope(door.tenant.pk):
        assert MaskingCount.objects.filter(trail_row=row.id).count() == 2


def test_a_refused_row_leaves_one_row_of_its_code(door: AtTheDoor) -> None:
    report(door, *[a_row(acao="acao.inventada") for _ in range(3)], a_row(acao=REFUND))
    with tenant_scope(door.tenant.pk):
        left = AgenteAcao.objects.filter(acao="acao.recusada").order_by("id")
        assert [row.saida_resumo for row in left] == ["acao_nao_relatavel", "regra_nao_permite"]


@pytest.mark.parametrize("count", [0, 501])
def test_a_call_has_one_to_five_hundred_rows(door: AtTheDoor, count: int) -> None:
    answer = door.post("acoes", [{}] * count)
    assert (answer.status, answer.data["campos"][0]["campo"]) == (422, "corpo")


def test_the_operation_asks_for_its_own_scope() -> None:
    others = at_the_door(scopes=[scope for scope in Scope if scope != Scope.RECORD])
    answer = others.post("acoes", a_row())
    assert (answer.status, answer.data["codigo"]) == (403, "escopo_exigido")


def test_two_companies_report_beside_each_other_and_see_nothing_of_it(door: AtTheDoor) -> None:
    elsewhere = factories.a_tenant()
    agents_asking.a_policy(elsewhere)
    other = at_the_door(elsewhere, slug="agente-a")
    row = a_row(chave="k-1")
    mine, theirs = report(door, row)[0], report(other, row)[0]
    assert mine["id"] != theirs["id"]
    with tenant_scope(elsewhere.pk):
        assert not AgenteAcao.objects.filter(id=mine["id"]).exists()
        assert ReportedAction.objects.get().trail_row == theirs["id"]


def test_five_hundred_rows_are_one_call(door: AtTheDoor) -> None:
    rows = [a_row(chave=f"k-{n}", saida_resumo=f"classe a, caso {n}") for n in range(500)]
    started = time.perf_counter()
    lines = report(door, *rows)
    print(f"500 rows in {(time.perf_counter() - started) * 1000:.0f} ms")
    assert [line["status"] for line in lines] == [201] * 500
    assert [line["id"] for line in lines] == sorted(line["id"] for line in lines)


def test_an_entity_of_a_row_that_was_refused_is_not_registered(door: AtTheDoor) -> None:
    about: dict[str, Any] = {"entidade": {"documento": factories.CPF}}
    lines = report(door, a_row(acao=REFUND, **about), a_row(**about))
    assert codes(lines) == [(409, "regra_nao_permite"), (201, None)]
    with tenant_scope(door.tenant.pk):
        assert the_row(door, lines[1]).entidade_id == str(Entity.objects.get().ref)
        assert AgenteAcao.objects.filter(acao="entidade.registrada").count() == 1
