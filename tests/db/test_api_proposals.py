"""What an agent proposes, reads and cancels by its token, and what it can never do with one."""

from __future__ import annotations

import datetime as dt
import unicodedata
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from approvals import canonical, decisions
from approvals.models import AgenteAprovacao, Decision, State
from audit.models import AgenteAcao
from opspilot.api import reading
from opspilot.api.models import AgentToken
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import Answered, AtTheDoor, at_the_door, body
from tests.db.deciding import refuse
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def door(committed: None) -> AtTheDoor:
    return at_the_door()


def stored(door: AtTheDoor, answer: Answered) -> AgenteAprovacao:
    with tenant_scope(door.tenant.pk):
        return AgenteAprovacao.objects.get(ref=answer.data["ref"])


def count(door: AtTheDoor) -> int:
    with tenant_scope(door.tenant.pk):
        return AgenteAprovacao.objects.count()


def without_request(answer: Answered) -> dict[str, Any]:
    return {name: value for name, value in answer.data.items() if name != "pedido"}


def test_a_proposal_of_an_agent_waits_in_the_inbox_like_any_other(door: AtTheDoor) -> None:
    answer = door.post("aprovacoes", body())
    assert answer.status == 201
    assert answer.headers["Location"] == f"/api/v1/aprovacoes/{answer.data['ref']}"
    proposal = stored(door, answer)
    assert proposal.estado == State.PENDENTE
    assert proposal.solicitante == f"agente:{door.agent.slug}"
    assert (proposal.agente, proposal.agente_dono) == (
        door.agent.slug,
        f"usuario:{door.agent.owner_id}",
    )


def test_what_is_answered_is_the_frozen_action_with_its_hash(door: AtTheDoor) -> None:
    answer = door.post("aprovacoes", body())
    assert canonical.action_hash(answer.data["proposta"]) == answer.data["acao_hash"]
    assert answer.data["proposta"]["target"]["project_id"] == 412
    assert answer.data["situacao"] == "pendente"


def test_the_model_and_the_instruction_are_the_request_s_or_else_the_agent_s() -> None:
    door = at_the_door(model="modelo-do-cadastro", instruction_hash="a" * 64)
    own = stored(door, door.post("aprovacoes", body()))
    said = stored(door, door.post("aprovacoes", body(modelo="outro", instrucao_hash="b" * 64)))
    assert (own.modelo, own.instrucao_hash) == ("modelo-do-cadastro", "a" * 64)
    assert (said.modelo, said.instrucao_hash) == ("outro", "b" * 64)


def test_the_trail_names_the_agent_that_proposed(door: AtTheDoor) -> None:
    proposal = stored(door, door.post("aprovacoes", body()))
    with tenant_scope(door.tenant.pk):
        row = AgenteAcao.objects.get(aprovacao_id=proposal.pk)
    assert (row.agente, row.autorizacao) == (door.agent.slug, "pendente")


def test_the_same_run_and_content_give_the_first_proposal_again(door: AtTheDoor) -> None:
    run = str(uuid.uuid4())
    first = door.post("aprovacoes", body(correlacao_id=run))
    again = door.post("aprovacoes", body(correlacao_id=run))
    assert (first.status, again.status) == (201, 200)
    assert again.data["ref"] == first.data["ref"]
    assert count(door) == 1


def test_order_of_labels_and_form_of_letters_make_no_other_content(door: AtTheDoor) -> None:
    run, title = str(uuid.uuid4()), "Reiniciar a fila de cobrança"
    labels = ["incidente", "runbook"]
    first = door.post(
        "aprovacoes", body(correlacao_id=run, comando={"title": title, "labels": labels})
    )
    other = {"title": unicodedata.normalize("NFD", title), "labels": labels[::-1]}
    again = door.post("aprovacoes", body(correlacao_id=run, comando=other))
    assert (again.status, again.data["ref"]) == (200, first.data["ref"])


def test_a_link_that_became_text_makes_no_other_content(door: AtTheDoor) -> None:
    run, text = str(uuid.uuid4()), "Veja https://mal.example/x"
    asked = body(correlacao_id=run, comando={"description": text})
    first, again = door.post("aprovacoes", asked), door.post("aprovacoes", asked)
    assert first.data["proposta"]["description"] == "Veja https: //mal.example/x"
    assert (again.status, again.data["ref"]) == (200, first.data["ref"])


def test_an_agent_says_from_when_on_it_may_be_carried_out(door: AtTheDoor) -> None:
    moment = (clock_now() + dt.timedelta(hours=1)).replace(microsecond=0)
    asked = body(correlacao_id=str(uuid.uuid4()), executar_de=moment.isoformat())
    first, again = door.post("aprovacoes", asked), door.post("aprovacoes", asked)
    assert stored(door, first).executar_de == moment
    assert (again.status, again.data["ref"]) == (200, first.data["ref"])
    later = asked | {"executar_de": (moment + dt.timedelta(minutes=5)).isoformat()}
    answer = door.post("aprovacoes", later)
    assert (answer.status, answer.data["codigo"]) == (409, "rodada_com_outro_conteudo")


@pytest.mark.parametrize("moment", ["2020-06-01T00:00:00Z", "9999-12-31T23:59:59Z", "amanhã"])
def test_a_moment_that_is_over_or_none_is_refused(door: AtTheDoor, moment: str) -> None:
    answer = door.post("aprovacoes", body(executar_de=moment))
    assert answer.status == 422
    assert count(door) == 0


def clock_now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def test_one_changed_label_in_the_same_run_is_a_conflict(door: AtTheDoor) -> None:
    run = str(uuid.uuid4())
    first = door.post("aprovacoes", body(correlacao_id=run))
    changed = body(correlacao_id=run, comando={"labels": ["runbook"]})
    answer = door.post("aprovacoes", changed)
    assert (answer.status, answer.data["codigo"]) == (409, "rodada_com_outro_conteudo")
    assert stored(door, first).proposta["labels"] == ["incidente"]


def test_the_run_of_somebody_else_is_a_conflict(door: AtTheDoor) -> None:
    person = factories.a_proposal(door.tenant)
    answer = door.post("aprovacoes", body(correlacao_id=str(person.correlacao_id)))
    assert answer.status == 409


def test_the_run_of_a_person_that_has_no_proposal_yet_is_a_conflict_too(door: AtTheDoor) -> None:
    run = factories.a_run(door.tenant, by=factories.a_principal(door.tenant))
    answer = door.post("aprovacoes", body(correlacao_id=str(run.ref)))
    assert (answer.status, answer.data["codigo"]) == (409, "rodada_com_outro_conteudo")
    with tenant_scope(door.tenant.pk):
        assert not AgenteAcao.objects.filter(correlacao_id=run.ref).exists()


def test_ten_at_once_in_one_run_make_one_proposal(door: AtTheDoor) -> None:
    run = str(uuid.uuid4())
    answers = at_once([partial(door.post, "aprovacoes", body(correlacao_id=run))] * 10)
    assert sorted(a.status for a in answers if isinstance(a, Answered)) == [200] * 9 + [201]
    assert count(door) == 1


def test_an_agent_asks_for_no_more_than_its_owner_may() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    door = at_the_door(tenant, owner=factories.a_principal(tenant, Role.AUDITOR))
    answer = door.post("aprovacoes", body())
    assert (answer.status, answer.data["codigo"]) == (422, "papel_nao_pede")


def test_a_kind_the_policy_has_not_is_refused(door: AtTheDoor) -> None:
    for kind in ("tarefa.executada", "estorno.emitido", "politica.ativada", "nada.disso"):
        answer = door.post("aprovacoes", body(acao=kind))
        assert answer.status == 422, kind
    assert count(door) == 0


def test_a_description_of_two_hundred_thousand_letters_is_refused(door: AtTheDoor) -> None:
    answer = door.post("aprovacoes", body(comando={"description": "a" * 200_000}))
    assert (answer.status, answer.data["codigo"]) == (422, "comando_invalido")
    assert len(str(answer.data)) < 1_000


def test_after_a_refusal_the_next_one_links_to_it(door: AtTheDoor) -> None:
    first = stored(door, door.post("aprovacoes", body()))
    refuse(first, factories.a_principal(door.tenant, Role.APROVADOR))
    changed = body(anterior=str(first.ref), comando={"labels": ["runbook"]})
    assert stored(door, door.post("aprovacoes", changed)).anterior_id == first.pk


def test_a_foreign_proposal_cannot_be_asked_again(door: AtTheDoor) -> None:
    other = at_the_door(door.tenant)
    theirs = other.post("aprovacoes", body())
    assert door.post("aprovacoes", body(anterior=theirs.data["ref"])).status == 404


def test_another_s_a_foreign_and_an_unknown_reference_look_alike(door: AtTheDoor) -> None:
    beside, abroad = at_the_door(door.tenant), at_the_door()
    refs = [d.post("aprovacoes", body()).data["ref"] for d in (beside, abroad)]
    refs += [str(factories.a_proposal(door.tenant).ref), str(uuid.uuid4())]
    ways: list[Callable[[str], Answered]] = [
        lambda ref: door.get(f"aprovacoes/{ref}"),
        lambda ref: door.get(f"aprovacoes/{ref}?espera=5"),
        lambda ref: door.post(f"aprovacoes/{ref}/cancelar"),
        lambda ref: door.post(f"aprovacoes/{ref}/consumir", {"acao_hash": "a" * 64}),
        lambda ref: door.post(f"aprovacoes/{ref}/efeito", {"resultado": "ok"}),
        lambda ref: door.get(f"aprovacoes?cursor={ref}"),
    ]
    for way in ways:
        answers = [way(ref) for ref in refs]
        assert {a.status for a in answers} == {404}
        assert all(without_request(a) == without_request(answers[0]) for a in answers)
    with tenant_scope(door.tenant.pk):
        rows = AgenteAcao.objects.filter(agente=door.agent.slug, saida_resumo="nao_encontrado")
        texts = [str(list(row.values())) for row in rows.values()]
    assert len(texts) == len(ways) * len(refs)
    assert not [ref for ref in refs for text in texts if ref in text]


def test_an_agent_cancels_its_own_once(door: AtTheDoor) -> None:
    ref = door.post("aprovacoes", body()).data["ref"]
    answer = door.post(f"aprovacoes/{ref}/cancelar")
    assert (answer.status, answer.data["estado"]) == (200, "cancelada")
    again = door.post(f"aprovacoes/{ref}/cancelar", {})
    assert (again.status, again.data["codigo"]) == (409, "ja_decidida")


def test_cancelling_takes_no_fields(door: AtTheDoor) -> None:
    ref = door.post("aprovacoes", body()).data["ref"]
    assert door.post(f"aprovacoes/{ref}/cancelar", {"aprovar": True}).status == 422


def test_the_reason_of_a_refusal_is_read_by_the_agent_and_no_name_of_a_person(
    door: AtTheDoor,
) -> None:
    proposal = stored(door, door.post("aprovacoes", body()))
    person = factories.a_principal(door.tenant, Role.APROVADOR)
    refuse(proposal, person, "Falta a janela de manutenção.")
    answer = door.get(f"aprovacoes/{proposal.ref}")
    assert (answer.data["estado"], answer.data["motivo"]) == (
        "recusada",
        "Falta a janela de manutenção.",
    )
    assert person.name not in str(answer.data)
    late = door.post(f"aprovacoes/{proposal.ref}/cancelar")
    assert late.data["codigo"] == "ja_decidida"
    assert person.name not in str(late.data)


def test_a_list_holds_the_own_ones_page_by_page_the_newest_first(door: AtTheDoor) -> None:
    at_the_door(door.tenant).post("aprovacoes", body())
    made = [door.post("aprovacoes", body()).data["ref"] for _ in range(5)]
    seen, path = [], "aprovacoes?limite=2&estado=pendente"
    while path:
        answer = door.get(path)
        seen += [line["ref"] for line in answer.data["itens"]]
        link = answer.headers.get("Link", "")
        assert bool(link) == bool(answer.data["proximo"])
        path = link.removeprefix("</api/v1/").removesuffix('>; rel="next"')
    assert seen == made[::-1]


def test_a_state_narrows_the_list(door: AtTheDoor) -> None:
    door.post("aprovacoes", body())
    assert door.get("aprovacoes?estado=aprovada").data["itens"] == []


def test_a_waiting_request_answers_as_soon_as_somebody_decides(
    door: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = stored(door, door.post("aprovacoes", body()))
    person = factories.a_principal(door.tenant, Role.APROVADOR)
    looked: list[bool] = []

    def sleep(_seconds: float) -> None:
        looked.append(connection.connection is None)
        refuse(proposal, person)

    monkeypatch.setattr("opspilot.api.reading.time.sleep", sleep)
    answer = door.get(f"aprovacoes/{proposal.ref}?espera=25")
    assert answer.data["situacao"] == "recusada"
    assert looked == [True]  # no connection was held while it waited


def test_a_wait_ends_by_itself(door: AtTheDoor) -> None:
    ref = door.post("aprovacoes", body()).data["ref"]
    answer = door.get(f"aprovacoes/{ref}?espera=1")
    assert (answer.status, answer.data["situacao"]) == (200, "pendente")


def test_a_state_already_seen_is_waited_past(
    door: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = door.post("aprovacoes", body()).data["ref"]
    waits: list[float] = []
    monkeypatch.setattr("opspilot.api.reading.time.sleep", waits.append)
    assert door.get(f"aprovacoes/{ref}?espera=1&visto=aprovada").data["situacao"] == "pendente"
    assert waits == []


def test_those_who_wait_leave_threads_for_the_others(
    door: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = door.post("aprovacoes", body()).data["ref"]
    others = [uuid.uuid4() for _ in range(reading.WAITING)]
    assert all(reading._places.take(tenant_id) for tenant_id in others)
    try:
        monkeypatch.setattr("opspilot.api.reading.time.sleep", lambda _s: pytest.fail("it waited"))
        assert door.get(f"aprovacoes/{ref}?espera=25").status == 200
    finally:
        for tenant_id in others:
            reading._places.leave(tenant_id)


def test_a_token_that_is_revoked_ends_the_wait(
    door: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = door.post("aprovacoes", body()).data["ref"]

    def revoke(_seconds: float) -> None:
        with tenant_scope(door.tenant.pk):
            AgentToken.objects.filter(pk=door.token.pk).update(revoked_at=Now())

    monkeypatch.setattr("opspilot.api.reading.ASKED_AGAIN", 0.0)
    monkeypatch.setattr("opspilot.api.reading.time.sleep", revoke)
    answer = door.get(f"aprovacoes/{ref}?espera=25")
    assert (answer.status, answer.data["codigo"]) == (401, "token_revogado")


WORDS = ("aprovar", "recusar", "devolver", "retomar", "retirar", "comentar", "executar", "decidir")


def test_no_address_of_the_door_decides(door: AtTheDoor) -> None:
    proposal = stored(door, door.post("aprovacoes", body()))
    said = {"acao_hash": proposal.acao_hash, "motivo": "um motivo bem escrito"}
    for word in WORDS:
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            answer = door.ask(method, f"aprovacoes/{proposal.ref}/{word}", said)
            assert answer.status == 404, (method, word)
    with tenant_scope(door.tenant.pk):
        proposal.refresh_from_db()
        assert not Decision.objects.exists()
    assert proposal.estado == State.PENDENTE


def test_an_agent_handed_to_the_decision_itself_decides_nothing(door: AtTheDoor) -> None:
    proposal = factories.a_proposal(door.tenant)
    agent: Any = door.visitor.principal
    with tenant_scope(door.tenant.pk), pytest.raises(AttributeError):
        decisions.approve(proposal=proposal, approver=agent, seen_hash=proposal.acao_hash)
    with tenant_scope(door.tenant.pk):
        assert not Decision.objects.exists()
