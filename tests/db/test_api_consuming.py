"""Through the door: an approved action is taken once by who asked, and reported; the tester asks."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import DatabaseError

from approvals.agents import standing
from approvals.deciders.access_errors import AgentOwnerError
from approvals.errors import NotEligibleError
from approvals.models import AgenteAprovacao, State
from opspilot.api import agents
from opspilot.api.agents import Details
from opspilot.api.scopes import Scope
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import REASON, Answered, AtTheDoor, at_the_door, body
from tests.db import agents_asking, lending
from tests.db.agents_asking import FIELDS, REFUND, SORTED
from tests.db.deciding import insert_verdict
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def door(committed: None) -> AtTheDoor:
    """An agent that the policy lets ask for refunds."""
    tenant = factories.a_tenant()
    agents_asking.a_policy(tenant)
    return at_the_door(tenant, slug="agente-a")


def ask(door: AtTheDoor, kind: str = REFUND, **fields: object) -> Answered:
    given = FIELDS | fields if kind == REFUND else fields
    return door.post("aprovacoes", {"acao": kind, "comando": given, "justificativa": REASON})


def approved(door: AtTheDoor) -> Answered:
    answer = ask(door)
    with tenant_scope(door.tenant.pk):
        proposal = AgenteAprovacao.objects.get(ref=answer.data["ref"])
    factories.approve(proposal, factories.a_principal(door.tenant, Role.APROVADOR))
    return answer


def consume(door: AtTheDoor, answer: Answered) -> Answered:
    said = {"acao_hash": answer.data["acao_hash"]}
    return door.post(f"aprovacoes/{answer.data['ref']}/consumir", said)


def test_an_approved_action_is_handed_over_as_it_was_frozen(door: AtTheDoor) -> None:
    made = approved(door)
    taken = consume(door, made)
    assert taken.status == 200
    assert taken.data["proposta"] == made.data["proposta"]
    read = door.get(f"aprovacoes/{made.data['ref']}").data
    assert (read["situacao"], read["consumo"]["tipo"]) == ("consumida", "consumida")


def test_it_is_handed_over_once_also_under_a_race(door: AtTheDoor) -> None:
    made = approved(door)
    answers = at_once([partial(consume, door, made)] * 8)
    statuses = sorted(a.status for a in answers if isinstance(a, Answered))
    assert statuses == [200] + [409] * 7


def test_a_lost_answer_is_given_again_to_the_same_key(door: AtTheDoor) -> None:
    made = approved(door)
    path, said = f"aprovacoes/{made.data['ref']}/consumir", {"acao_hash": made.data["acao_hash"]}
    first = door.post(path, said, Idempotency_Key="k-1")
    assert door.post(path, said, Idempotency_Key="k-1").data == first.data
    assert door.post(path, said).data["codigo"] == "ja_consumida"


def test_nothing_is_handed_over_before_somebody_approved(door: AtTheDoor) -> None:
    answer = consume(door, ask(door))
    assert (answer.status, answer.data["codigo"]) == (409, "nao_aprovada")


def test_another_hash_than_the_approved_one_gets_nothing(door: AtTheDoor) -> None:
    made = approved(door)
    answer = door.post(f"aprovacoes/{made.data['ref']}/consumir", {"acao_hash": "a" * 64})
    assert (answer.status, answer.data["codigo"]) == (409, "conteudo_mudou")


def test_what_the_console_carries_out_is_not_handed_over(door: AtTheDoor) -> None:
    answer = consume(door, door.post("aprovacoes", body()))
    assert (answer.status, answer.data["codigo"]) == (409, "nada_a_consumir")


def test_the_effect_is_reported_once(door: AtTheDoor) -> None:
    made = approved(door)
    path = f"aprovacoes/{made.data['ref']}/efeito"
    said = {
        "resultado": "ok",
        "referencia": "estorno 81",
        "ocorrido_em": "2026-11-30T09:00:00-03:00",
    }
    assert door.post(path, said).data["codigo"] == "nada_consumido"
    consume(door, made)
    effect = door.post(path, said).data["consumo"]["efeito"]
    assert (effect["resultado"], effect["referencia"]) == ("ok", "estorno 81")
    assert door.post(path, said).data["codigo"] == "efeito_ja_relatado"


@pytest.mark.parametrize(
    "when",
    [
        "2026-11-30T09:00:00",
        "ontem",
        7,
        "1764504000",
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-03:00",
    ],
)
def test_a_time_without_a_zone_or_out_of_reach_is_refused(door: AtTheDoor, when: object) -> None:
    ref = approved(door).data["ref"]
    said = {"resultado": "ok", "ocorrido_em": when}
    answer = door.post(f"aprovacoes/{ref}/efeito", said)
    assert answer.status == 422
    assert answer.data["campos"][0]["campo"] == "ocorrido_em"


def changed_hands(door: AtTheDoor) -> tuple[AgenteAprovacao, Principal]:
    """A proposal of an agent that somebody else answers for since, and who: an approver."""
    ref, owner = ask(door).data["ref"], factories.a_principal(door.tenant, Role.APROVADOR)
    with tenant_scope(door.tenant.pk):
        agents.change(
            principal=factories.a_principal(door.tenant, Role.ADMIN),
            agent=door.agent,
            details=Details(name="Agente A", purpose="Estornos.", owner_id=owner.user_id),
        )
        return AgenteAprovacao.objects.get(ref=ref), owner


def test_who_answers_for_the_agent_by_now_does_not_decide_what_it_asked_before(
    door: AtTheDoor,
) -> None:
    proposal, owner = changed_hands(door)
    with pytest.raises(AgentOwnerError):
        factories.approve(proposal, owner)
    delegate = factories.a_principal(door.tenant, Role.OPERADOR)
    lending.lend(owner, delegate)
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, delegate)
    other = factories.a_principal(door.tenant, Role.APROVADOR)
    assert factories.approve(proposal, other).estado == State.APROVADA


def test_the_database_itself_refuses_the_vote_of_who_answers_for_it_by_now(
    door: AtTheDoor,
) -> None:
    proposal, owner = changed_hands(door)
    with pytest.raises(DatabaseError, match="the owner of the agent does not decide"):
        insert_verdict(proposal, subject=owner.subject, verdict="aprovar")


def test_what_its_approver_could_not_approve_any_more_is_not_handed_over(door: AtTheDoor) -> None:
    answer, approver = ask(door), factories.a_principal(door.tenant, Role.APROVADOR)
    with tenant_scope(door.tenant.pk):
        proposal = AgenteAprovacao.objects.get(ref=answer.data["ref"])
    factories.approve(proposal, approver)
    lending.send_away(door.tenant, approver)
    refused = consume(door, answer)
    assert (refused.status, refused.data["codigo"]) == (409, "aprovacao_ausente")


def test_a_kind_that_a_rule_approves_may_be_taken_at_once(door: AtTheDoor) -> None:
    made = ask(door, SORTED, classe="a")
    assert made.data["estado"] == "aprovada"
    assert consume(door, made).status == 200


def test_what_a_standing_permission_approved_names_nobody_to_the_agent(door: AtTheDoor) -> None:
    owner, *admins = (factories.a_principal(door.tenant, Role.ADMIN) for _ in range(3))
    with tenant_scope(door.tenant.pk):
        row = standing.propose(admin=admins[0], owner=owner.subject, terms=agents_asking.terms())
        standing.confirm(permission=row, admin=admins[1], owner=owner.subject)
    made = ask(door)
    assert made.data["estado"] == "aprovada"
    assert made.data["motivo"] is None
    assert not [person.name for person in admins if person.name in str(made.data)]


def test_a_token_that_only_proposes_takes_nothing(door: AtTheDoor) -> None:
    made = approved(door)
    weak = at_the_door(door.tenant, scopes=[Scope.PROPOSE, Scope.READ])
    assert consume(weak, made).data["codigo"] == "escopo_exigido"


def test_the_tester_answers_for_every_rule_and_creates_nothing(door: AtTheDoor) -> None:
    said = {"acao": REFUND, "comando": FIELDS | {"valor": 10**9, "extra": "x"}}
    answer = door.post("politicas/testar", said)
    assert answer.status == 200
    assert answer.data["permitida"] is False
    assert len(answer.data["codigos"]) == 2
    assert len(answer.data["regras"]) > 5
    with tenant_scope(door.tenant.pk):
        assert not AgenteAprovacao.objects.exists()


def test_the_tester_says_what_an_allowed_action_would_take(door: AtTheDoor) -> None:
    answer = door.post("politicas/testar", {"acao": REFUND, "comando": FIELDS})
    assert answer.data["permitida"] is True
    assert answer.data["resultado"] == {"risco": "medio", "aprovacoes": 1, "papel": "aprovador"}


def test_the_tester_asks_as_the_agent_that_asks(door: AtTheDoor) -> None:
    other = at_the_door(door.tenant)
    answer = other.post("politicas/testar", {"acao": REFUND, "comando": FIELDS})
    assert answer.data["permitida"] is False


def test_the_kind_cannot_be_named_a_second_time(door: AtTheDoor) -> None:
    said = {"acao": REFUND, "comando": FIELDS | {"kind": SORTED}}
    assert door.post("politicas/testar", said).status == 422
