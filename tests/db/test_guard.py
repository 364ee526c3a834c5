"""What never enters the trail, through every path that writes it; what was masked is counted."""

from __future__ import annotations

import base64
import dataclasses
import uuid
from typing import Any

import pytest
from django.db import connection

from approvals.models import AgenteAprovacao
from audit import trail
from audit.guard.refusing import ForbiddenContentError
from audit.models import AgenteAcao, MaskingCount
from audit.models.trail import ReadOnlyError
from audit.vocabulary import Authorization, Result
from opspilot.errors import InvalidInputError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import at_the_door, body

# Assembled here, so that no file holds the shape of a live secret.
KEY = "glpat-" + "x1" * 10
PACKED = base64.b64encode(KEY.encode()).decode()
URL = f"https://git.example/api?private_token={KEY[6:]}"
BARE, DOTTED = "52998224725", "529.982.247-25"
FORBIDDEN = (KEY, PACKED, KEY[6:], BARE, DOTTED)
SOURCES: list[dict[str, Any]] = [
    {"token": "curto", "texto": f'{{"cpf": "{BARE}", "outro": "{DOTTED}"}}', "chave": PACKED},
    {DOTTED: {"dentro": [URL, f"\\n{BARE}"]}},
]

pytestmark = pytest.mark.django_db


def an_entry(**values: Any) -> trail.Entry:
    entry = trail.Entry(
        correlacao_id=uuid.uuid4(),
        acao="conhecimento.consultado",
        resultado=Result.ERRO,
        autorizacao=Authorization.REGRA,
    )
    return dataclasses.replace(entry, **values)


def everywhere() -> trail.Entry:
    """What must not be kept, in every text that a caller may choose."""
    text = f"{KEY} {PACKED} {URL} {BARE} {DOTTED}"
    names = (
        "entrada_resumo", "saida_resumo", "erro", "reversao_ref", "aprovado_por", "agente",
        "agente_versao", "modelo", "modelo_pedido", "instrucao_hash", "entidade_tipo",
        "entidade_id",
    )  # fmt: skip
    return an_entry(fontes=SOURCES, **dict.fromkeys(names, text))


def stored(tenant: Tenant) -> str:
    """Every column of every row of the tenant, as the database prints it."""
    with tenant_scope(tenant.pk), connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(to_jsonb(a)::text, ' ') FROM agente_acao a")
        return str(cursor.fetchone()[0])


def write_one(entry: trail.Entry) -> None:
    trail.record(entry)


def write_many(entry: trail.Entry) -> None:
    trail.record_many([entry, an_entry(), entry])


def write_statement(entry: trail.Entry) -> None:
    with connection.cursor() as cursor:
        cursor.execute(*trail.statement(entry))


@pytest.mark.parametrize("write", [write_one, write_many, write_statement])
def test_case_audit_13_no_secret_reaches_the_table_by_any_form_of_the_writer(write: Any) -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk):
        write(everywhere())
    text = stored(tenant)
    assert [word for word in FORBIDDEN if word in text] == []
    assert "curto" not in text


def test_case_audit_13_a_refusal_s_row_is_masked_too() -> None:
    tenant = factories.a_tenant()
    person = factories.a_principal(tenant, Role.OPERADOR)
    named = dataclasses.replace(person, name=f"operador {DOTTED}")
    with tenant_scope(tenant.pk):
        trail.record_refusal(
            principal=named, error=InvalidInputError(entity_type="cliente", entity_id=BARE)
        )
    assert [word for word in FORBIDDEN if word in stored(tenant)] == []


def test_case_audit_13_the_model_writes_nothing() -> None:
    with tenant_scope(factories.a_tenant().pk):
        with pytest.raises(ReadOnlyError):
            AgenteAcao(acao="x").save()
        with pytest.raises(ReadOnlyError):
            AgenteAcao.objects.create(acao="x")
        with pytest.raises(ReadOnlyError):
            AgenteAcao.objects.bulk_create([AgenteAcao(acao="x")])


def test_case_audit_13_no_function_of_the_database_writes_the_trail() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace "
            r"AND prosrc ~* 'insert\s+into\s+agente_acao\M'"
        )
        assert cursor.fetchall() == []


def test_case_audit_13_what_was_approved_carries_none_into_the_trail() -> None:
    tenant = factories.a_tenant()
    asked: dict[str, Any] = {"title": f"Trocar {KEY}", "description": f"Do CPF {BARE}"}
    for field, value in asked.items():
        with pytest.raises(ForbiddenContentError) as refused:
            factories.a_proposal(tenant, **{field: value})
        assert refused.value.facts["fields"] == [field]
    with tenant_scope(tenant.pk):
        assert not AgenteAprovacao.objects.exists()


def test_the_door_says_in_which_field_and_not_what() -> None:
    door = at_the_door()
    for given, field in (
        (body(comando={"title": f"Trocar {KEY}"}), "comando.title"),
        (body(justificativa=f"O cliente do CPF {DOTTED} pediu."), "justificativa"),
    ):
        answer = door.post("aprovacoes", given)
        assert (answer.status, answer.data["codigo"]) == (422, "conteudo_proibido")
        assert answer.data["campos"] == [{"campo": field, "motivo": "invalido"}]
        assert [word for word in FORBIDDEN if word in str(answer.data)] == []


def test_what_was_masked_is_counted_by_field_and_kind() -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk):
        row_id = trail.record(
            an_entry(erro=f"{KEY} de {BARE} e {DOTTED}", fontes=[{"token": "abc"}])
        )
        found = MaskingCount.objects.filter(trail_row=row_id)
        assert {(c.field, c.kind, c.count) for c in found} == {
            ("erro", "segredo", 1), ("erro", "cpf", 2), ("fontes", "segredo", 1),
        }  # fmt: skip


def test_a_batch_counts_what_it_masked_by_row() -> None:
    with tenant_scope(factories.a_tenant().pk):
        ids = trail.record_many([an_entry(), an_entry(erro=BARE), an_entry(saida_resumo="a" * 600)])
        found = MaskingCount.objects.order_by("trail_row")
        assert [(c.trail_row, c.field, c.kind) for c in found] == [
            (ids[1], "erro", "cpf"), (ids[2], "saida_resumo", "longo"),
        ]  # fmt: skip


def test_a_row_with_nothing_to_mask_counts_nothing() -> None:
    with tenant_scope(factories.a_tenant().pk):
        trail.record(an_entry(entrada_resumo="Fila parada às 14:16"))
        assert not MaskingCount.objects.exists()


def test_a_batch_keeps_its_order_and_is_what_single_rows_would_be() -> None:
    made = [
        an_entry(saida_resumo=f"linha {n}", custo_exato=None, tokens_entrada=n, fontes=[{"n": n}])
        for n in range(50)
    ]
    with tenant_scope(factories.a_tenant().pk):
        ids = trail.record_many(made)
        one = AgenteAcao.objects.get(id=trail.record(made[7]))
        rows = list(AgenteAcao.objects.filter(id__in=ids).order_by("id"))
    assert ids == sorted(ids)
    assert [row.saida_resumo for row in rows] == [entry.saida_resumo for entry in made]
    own = {"id", "ocorrido_em", "linha_hash"}
    columns = [f.attname for f in AgenteAcao._meta.concrete_fields if f.name not in own]
    assert [getattr(rows[7], c) for c in columns] == [getattr(one, c) for c in columns]


def test_a_batch_is_one_statement_and_none_of_it_stays_when_one_row_cannot() -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk), pytest.raises(KeyError):
        trail.record_many([an_entry(), an_entry(acao="inventada")])
    with tenant_scope(tenant.pk):
        assert not AgenteAcao.objects.exists()
        assert trail.record_many([]) == []
