"""`POST /api/v1/grounding/consultar`: an agent asks as itself, over what is granted to it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from grounding.models import Receipt
from grounding.retrieval import consult
from opspilot.api.scopes import Scope
from opspilot.connectors.errors import UnavailableError
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import Answered, AtTheDoor, at_the_door, body
from tests.db import consults

pytestmark = pytest.mark.usefixtures("committed")
PATH = "grounding/consultar"


@pytest.fixture
def door(committed: None) -> AtTheDoor:
    """An agent that reads `plataforma`, whose company has `pessoal` too."""
    found = at_the_door()
    factories.a_published_document(found.tenant)
    factories.a_published_document(
        found.tenant, text=consults.OTHER, name="f.md", collection="pessoal"
    )
    consults.give(found.tenant, f"agente:{found.agent.slug}")
    return found


def asked(door: AtTheDoor, question: str = consults.QUESTION, **context: Any) -> Answered:
    given = {"agente_id": door.agent.slug} | context
    return door.post(PATH, {"query": question, "contexto": given})


def test_an_agent_gets_passages_with_their_source_and_the_coverage(door: AtTheDoor) -> None:
    answer = asked(door, escopos_permitidos=["plataforma", "pessoal", "inventada"])
    assert answer.status == 200
    assert answer.data["indices_consultados"] == ["plataforma"]
    assert answer.data["nao_concedidos"] == 2
    assert answer.data["cobertura"] in {"alta", "media", "baixa"}
    assert {chunk["fonte"] for chunk in answer.data["chunks"]} == {"plataforma/fila.md"}
    text = "".join(chunk["texto"] for chunk in answer.data["chunks"])
    assert "systemctl restart payments-consumer" in text


def test_the_consult_is_one_row_of_the_agent_with_its_receipt(door: AtTheDoor) -> None:
    answer = asked(door)
    with tenant_scope(door.tenant.pk):
        row = AgenteAcao.objects.get(acao="conhecimento.consultado")
        kept = Receipt.objects.get(ref=answer.data["recibo"])
    assert (row.agente, row.fontes[-1]) == (door.agent.slug, {"recibo": answer.data["recibo"]})
    assert kept.asker == f"agente:{door.agent.slug}"
    assert len(kept.passages) == len(answer.data["chunks"])


def test_nobody_consults_in_another_agent_s_name(door: AtTheDoor) -> None:
    answer = asked(door, agente_id="outro-agente")
    assert (answer.status, answer.data["codigo"]) == (403, "agente_de_outro_token")


@pytest.mark.parametrize(
    "context",
    [
        {"tenant": "boreal"},
        {"papel": "admin"},
        {"top_k": 0},
        {"top_k": 21},
        {"top_k": "5"},
        {"filtros": {"autor": "x"}},
        {"filtros": {"data": {"de": 20261130}}},
        {"escopos_permitidos": "plataforma"},
    ],
)
def test_what_the_contract_does_not_know_is_refused(
    door: AtTheDoor, context: dict[str, Any]
) -> None:
    assert asked(door, **context).status == 422


def test_the_filters_of_the_contract_are_obeyed(door: AtTheDoor) -> None:
    assert asked(door, filtros={"data": {"de": "2020-01-01"}}).data["chunks"]
    assert asked(door, filtros={"data": {"ate": "2020-01-01"}}).data["chunks"] == []
    assert asked(door, filtros={"tipo": "contato"}).data["cobertura"] == "nenhuma"


def test_a_token_without_the_scope_is_refused(committed: None) -> None:
    door = at_the_door(scopes=[Scope.PROPOSE])
    assert (asked(door).status, asked(door).data["codigo"]) == (403, "escopo_exigido")


def test_no_transaction_is_open_while_the_question_is_embedded(
    door: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, inside = consult.prepare, []

    def watched(text: str, **known: Any) -> consult.Query:
        inside.append(connection.in_atomic_block)
        return prepare(text, **known)

    monkeypatch.setattr(consult, "prepare", watched)
    asked(door)
    assert inside == [False]


def test_a_silent_embedder_is_said_and_nothing_is_kept(
    door: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(_text: str, **_known: Any) -> consult.Query:
        raise UnavailableError("no answer")

    monkeypatch.setattr(consult, "prepare", silent)
    answer = asked(door)
    assert (answer.status, answer.data["codigo"]) == (503, "embeddings_sem_resposta")
    assert "Retry-After" in answer.headers
    with tenant_scope(door.tenant.pk):
        assert not Receipt.objects.exists()


def test_a_proposal_rests_on_the_agent_s_own_receipt(door: AtTheDoor) -> None:
    receipt = asked(door).data
    made = door.post("aprovacoes", body(recibo=receipt["recibo"]))
    assert made.status == 201
    with tenant_scope(door.tenant.pk):
        proposal = AgenteAprovacao.objects.get(ref=made.data["ref"])
    assert proposal.cobertura == receipt["cobertura"]
    seen = [chunk["metadados"]["sha256"] for chunk in receipt["chunks"]]
    assert [item["sha256"] for item in proposal.evidencia] == seen


def test_a_receipt_that_is_not_the_agent_s_own_carries_no_proposal(door: AtTheDoor) -> None:
    others = at_the_door(door.tenant)
    consults.give(door.tenant, f"agente:{others.agent.slug}")
    receipt = asked(others).data["recibo"]
    for ref in (receipt, str(uuid.uuid4())):
        assert door.post("aprovacoes", body(recibo=ref)).status == 404


def test_where_the_policy_asks_for_a_consult_none_is_not_enough(door: AtTheDoor) -> None:
    factories.a_policy(door.tenant, must_consult=True)
    refused = door.post("aprovacoes", body())
    assert (refused.status, refused.data["codigo"]) == (422, "consulta_exigida")
    receipt = asked(door).data["recibo"]
    assert door.post("aprovacoes", body(recibo=receipt)).status == 201


def test_a_consult_that_found_nothing_carries_no_proposal(door: AtTheDoor) -> None:
    receipt = asked(door, filtros={"tipo": "contato"}).data["recibo"]
    refused = door.post("aprovacoes", body(recibo=receipt))
    assert refused.data["codigo"] == "sem_base"
