"""`Idempotency-Key`: sent twice, done once, answered twice; and what happens when it goes wrong."""

from __future__ import annotations

import uuid
from functools import partial

import pytest

from approvals.models import AgenteAprovacao
from opspilot.api import idempotency
from opspilot.api.models import Agent, IdempotencyKey
from opspilot.api.scopes import Scope
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests.agents import Answered, AtTheDoor, a_token, at_the_door, body
from tests.conftest import Connection
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def door(committed: None) -> AtTheDoor:
    return at_the_door()


def count(door: AtTheDoor) -> int:
    with tenant_scope(door.tenant.pk):
        return AgenteAprovacao.objects.count()


def keys(door: AtTheDoor) -> list[IdempotencyKey]:
    with tenant_scope(door.tenant.pk):
        return list(IdempotencyKey.objects.all())


def propose(door: AtTheDoor, key: str, **changes: object) -> Answered:
    return door.post("aprovacoes", body(**changes), Idempotency_Key=key)


def test_the_same_key_and_body_get_the_recorded_answer(door: AtTheDoor) -> None:
    key = str(uuid.uuid4())
    first, again = propose(door, key), propose(door, key)
    assert (first.status, again.status) == (201, 201)
    assert again.data == first.data
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert count(door) == 1


def test_without_a_key_two_requests_are_two_proposals(door: AtTheDoor) -> None:
    door.post("aprovacoes", body())
    door.post("aprovacoes", body())
    assert count(door) == 2


def test_the_same_key_with_another_body_is_refused(door: AtTheDoor) -> None:
    propose(door, "k-1")
    answer = propose(door, "k-1", modelo="outro")
    assert (answer.status, answer.data["codigo"]) == (422, "chave_com_outro_conteudo")
    assert count(door) == 1


def test_the_same_key_at_another_address_is_refused(door: AtTheDoor) -> None:
    ref = propose(door, "k-1").data["ref"]
    answer = door.post(f"aprovacoes/{ref}/cancelar", Idempotency_Key="k-1")
    assert answer.data["codigo"] == "chave_com_outro_conteudo"


def test_two_agents_may_use_the_same_key(door: AtTheDoor) -> None:
    other = at_the_door(door.tenant)
    refs = {propose(each, "k-1").data["ref"] for each in (door, other)}
    assert len(refs) == 2


def test_many_at_once_with_one_key_act_once(door: AtTheDoor) -> None:
    answers = at_once([partial(propose, door, "k-1")] * 8)
    statuses = sorted(a.status for a in answers if isinstance(a, Answered))
    assert len(statuses) == 8
    assert set(statuses) <= {201, 409}
    assert 201 in statuses
    assert count(door) == 1


def test_a_request_under_way_is_not_done_a_second_time(door: AtTheDoor) -> None:
    propose(door, "k-1")
    with tenant_scope(door.tenant.pk):
        IdempotencyKey.objects.update(status=None)
    answer = propose(door, "k-1")
    assert (answer.status, answer.data["codigo"]) == (409, "pedido_em_andamento")
    assert int(answer.headers["Retry-After"]) > 0


def test_a_request_that_died_gives_its_key_to_the_next(door: AtTheDoor, admin: Connection) -> None:
    propose(door, "k-1")
    admin.execute(
        "UPDATE idempotency_key SET status = NULL, "
        "lease_until = clock_timestamp() - interval '1 second' WHERE tenant_id = %s",
        [door.tenant.pk],
    )
    assert propose(door, "k-1").status == 201


def test_a_request_that_lost_its_key_meanwhile_is_undone(
    door: AtTheDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = idempotency.claim

    def stolen(**arguments: object) -> object:
        found = made(**arguments)  # type: ignore[arg-type]
        with tenant_scope(door.tenant.pk):
            IdempotencyKey.objects.update(claim=uuid.uuid4())
        return found

    monkeypatch.setattr("opspilot.api.acts.idempotency.claim", stolen)
    answer = propose(door, "k-1")
    assert (answer.status, answer.data["codigo"]) == (409, "pedido_ultrapassado")
    assert count(door) == 0


def test_a_token_that_opens_less_is_not_given_the_recorded_answer(door: AtTheDoor) -> None:
    propose(door, "k-1")
    issued = a_token(door.agent, scopes=[Scope.READ])
    weak = AtTheDoor(door.tenant, door.agent, issued.token, issued.text)
    assert propose(weak, "k-1").data["codigo"] == "chave_com_outro_conteudo"


def test_a_refusal_gives_the_key_back(door: AtTheDoor) -> None:
    assert propose(door, "k-1", comando={"alias": "nenhum"}).status == 422
    assert keys(door) == []
    assert propose(door, "k-1").status == 201


def test_a_fault_gives_the_key_back(door: AtTheDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_proposal: AgenteAprovacao) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr("opspilot.api.routes.reading.shown", broken)
        assert propose(door, "k-1").status == 500
    assert propose(door, "k-1").status == 201
    assert count(door) == 1


def test_a_key_is_forgotten_after_a_day(door: AtTheDoor, admin: Connection) -> None:
    propose(door, "k-1")
    admin.execute(
        "UPDATE idempotency_key SET expires_at = clock_timestamp() - interval '1 second' "
        "WHERE tenant_id = %s",
        [door.tenant.pk],
    )
    assert propose(door, "k-1", modelo="outro").status == 201
    assert len(keys(door)) == 1


def test_a_key_is_kept_for_a_day(door: AtTheDoor) -> None:
    propose(door, "k-1")
    (row,) = keys(door)
    assert row.expires_at - row.lease_until > idempotency.KEPT - 2 * idempotency.LEASE


@pytest.mark.parametrize("key", ["", "com espaço", "x" * 201, "é"])
def test_a_key_that_is_none_is_refused(door: AtTheDoor, key: str) -> None:
    answer = propose(door, key)
    assert (answer.status, answer.data["codigo"]) == (400, "chave_invalida")


def test_the_key_itself_is_nowhere_kept(door: AtTheDoor, admin: Connection) -> None:
    propose(door, "cliente-529.982.247-25")
    rows = admin.execute(
        "SELECT k::text FROM idempotency_key k WHERE tenant_id = %s", [door.tenant.pk]
    ).fetchall()
    assert rows
    assert not [text for (text,) in rows if "982" in text and "cliente" in text]


def test_the_answers_of_an_agent_that_never_came_again_are_forgotten_and_no_others(
    door: AtTheDoor, admin: Connection
) -> None:
    other = at_the_door()
    for one in (door, other):
        propose(one, "k-1")
        propose(one, "k-2")
    with tenant_scope(door.tenant.pk):
        Agent.objects.update(active=False)
        old = IdempotencyKey.objects.order_by("pk").values_list("pk", flat=True)[0]
    admin.execute(
        "UPDATE idempotency_key SET expires_at = clock_timestamp() - interval '1 minute' "
        "WHERE id = %s",
        [old],
    )
    tasks.forget_sessions(0)
    assert (len(keys(door)), len(keys(other))) == (1, 2)
