"""From the ledger to destinations and agents: what they are told, and when they are left alone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings
from standardwebhooks import Webhook

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from opspilot.api import agents as keeping
from opspilot.api.models import Agent
from opspilot.notices import destinations, recipients, signing
from opspilot.notices.models import Destination, NoticeState
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import agents, factories
from tests.conftest import Connection
from tests.db import deciding, noticing
from tests.hooks import Receiver, receiving

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def approver(tenant: Tenant) -> User:
    return noticing.a_reachable(tenant, Role.APROVADOR)


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    with receiving() as found:
        settings.OPSPILOT_EGRESS_HTTP = [found.base]
        yield found


@pytest.fixture
def hook(tenant: Tenant, receiver: Receiver) -> Destination:
    return noticing.a_destination(tenant, f"{receiver.base}/in")


def test_a_destination_gets_a_thin_signed_body_that_the_stock_library_verifies(
    tenant: Tenant, hook: Destination, receiver: Receiver
) -> None:
    proposal = factories.a_proposal(tenant)
    noticing.work(tenant)
    (seen,) = receiver.seen
    body = Webhook(signing.secret(hook)).verify(seen.body, seen.headers)
    assert body["type"] == "aprovacao.pendente"
    assert body["data"] == {
        "id": str(proposal.ref),
        "url": f"http://127.0.0.1:8000/aprovacoes/{proposal.ref}/",
    }
    assert set(body) == {"type", "timestamp", "data"}


def test_a_message_has_the_same_id_at_every_try(
    admin: Connection, tenant: Tenant, hook: Destination, receiver: Receiver
) -> None:
    receiver.answers(503)
    factories.a_proposal(tenant)
    noticing.work(tenant)
    receiver.answers(204)
    noticing.time_comes(admin, tenant)
    noticing.deliver(tenant)
    first, second = receiver.seen
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    (row,) = noticing.notices(tenant)
    assert row.state == NoticeState.ENVIADO


def test_each_event_has_a_word_of_the_vocabulary(
    admin: Connection, tenant: Tenant, hook: Destination, receiver: Receiver
) -> None:
    factories.a_policy(tenant, escalonamento={"depois_de_percentual": 50, "para_papel": "admin"})
    proposal = factories.a_proposal(tenant)
    noticing.work(tenant)
    noticing.grow_old(admin, proposal, 0.8)
    noticing.work(tenant)
    deciding.refuse(proposal, deciding.approver(tenant))
    noticing.work(tenant)
    types = [json.loads(seen.body)["type"] for seen in receiver.seen]
    assert sorted(types) == [
        "aprovacao.escalonada", "aprovacao.pendente", "aprovacao.recusada", "aprovacao.vencendo",
    ]  # fmt: skip


@pytest.mark.parametrize("format_", ["slack", "teams"])
def test_a_room_of_people_gets_text_and_a_link_and_no_content(
    tenant: Tenant, receiver: Receiver, format_: str
) -> None:
    noticing.a_destination(tenant, f"{receiver.base}/in", format=format_)
    proposal = factories.a_proposal(tenant, **noticing.HIGH)
    noticing.work(tenant)
    (seen,) = receiver.seen
    body, text = json.loads(seen.body), seen.body.decode()
    assert f"/aprovacoes/{proposal.ref}/" in text
    assert "Risco: alto" in text
    assert not [w for w in ("pagamentos", "aurora", proposal.solicitante_nome) if w in text]
    if format_ == "slack":
        assert list(body) == ["text"]
    else:
        (card,) = body["attachments"]
        assert [act["type"] for act in card["content"]["actions"]] == ["Action.OpenUrl"]


def test_a_room_of_people_gets_one_message_for_what_is_of_low_risk(
    admin: Connection, tenant: Tenant, receiver: Receiver
) -> None:
    noticing.a_destination(tenant, f"{receiver.base}/in", format="slack")
    for _ in range(3):
        factories.a_proposal(tenant)
    noticing.work(tenant)
    assert receiver.seen == []
    noticing.time_comes(admin, tenant)
    noticing.deliver(tenant)
    (seen,) = receiver.seen
    assert "3 decisões" in json.loads(seen.body)["text"]


def test_a_destination_that_is_gone_is_switched_off_and_says_so_in_the_trail(
    tenant: Tenant, hook: Destination, receiver: Receiver
) -> None:
    receiver.answers(410)
    factories.a_proposal(tenant)
    factories.a_proposal(tenant)
    noticing.work(tenant)
    with tenant_scope(tenant.pk):
        hook.refresh_from_db()
        rows = AgenteAcao.objects.filter(acao="destino.desligado").count()
    assert (hook.active, hook.off_reason, rows) == (False, "destino_410", 1)
    assert len(receiver.seen) == 1
    states = sorted(row.state for row in noticing.notices(tenant))
    assert states == [NoticeState.DESCARTADO, NoticeState.FALHOU]


def test_a_destination_that_was_switched_off_gets_nothing(
    tenant: Tenant, hook: Destination, receiver: Receiver
) -> None:
    by = factories.a_principal(tenant, Role.ADMIN)
    factories.a_proposal(tenant)
    noticing.spread(tenant)
    with tenant_scope(tenant.pk):
        destinations.switch_off(admin=by, ref=hook.ref)
    noticing.deliver(tenant)
    assert receiver.seen == []


def test_a_destination_taken_off_the_list_gets_nothing_and_is_seen_to(
    tenant: Tenant, hook: Destination, receiver: Receiver, settings: Settings
) -> None:
    settings.OPSPILOT_EGRESS_HTTP = []
    factories.a_proposal(tenant)
    noticing.work(tenant)
    assert receiver.seen == []
    (row,) = noticing.failed(tenant)
    assert row.outcome == "nao_permitido"


def test_each_destination_has_a_secret_of_its_own(tenant: Tenant, hook: Destination) -> None:
    other = noticing.a_destination(factories.a_tenant(), hook.url)
    assert signing.secret(hook) != signing.secret(other)
    assert signing.secret(hook) == signing.secret(hook)


def test_a_silent_destination_is_tried_once_and_what_stands_behind_it_waits(
    tenant: Tenant,
    hook: Destination,
    receiver: Receiver,
    approver: User,
    mailoutbox: list[EmailMessage],
) -> None:
    receiver.answers(503)
    for _ in range(3):
        factories.a_proposal(tenant, **noticing.HIGH)
    noticing.work(tenant)
    assert len(receiver.seen) == 1
    assert len(noticing.subjects_to(approver, mailoutbox)) == 3
    tries = [row.attempts for row in noticing.notices(tenant, recipient=recipients.name_of(hook))]
    assert sorted(tries) == [0, 0, 1]


def test_two_workers_send_a_message_once(
    tenant: Tenant, hook: Destination, receiver: Receiver
) -> None:
    factories.a_proposal(tenant)
    noticing.together(tenant, noticing.spread)
    noticing.together(tenant, noticing.deliver)
    assert len(receiver.seen) == 1


def test_a_test_message_is_sent_and_says_that_it_is_one(
    tenant: Tenant, hook: Destination, receiver: Receiver
) -> None:
    with tenant_scope(tenant.pk):
        by = factories.a_principal(tenant, Role.ADMIN)
        for _ in range(2):  # a second press while the first one waits
            destinations.try_out(admin=by, ref=hook.ref)
    noticing.deliver(tenant)
    (seen,) = receiver.seen
    assert json.loads(seen.body)["type"] == "aviso.teste"
    (row,) = noticing.notices(tenant)
    assert (row.state, row.recipient) == (NoticeState.ENVIADO, recipients.name_of(hook))


def an_agent_s(
    admin: Connection, tenant: Tenant, receiver: Receiver
) -> tuple[AgenteAprovacao, str]:
    """A proposal of an agent that said where to call, and the secret it verifies calls with."""
    agent = agents.an_agent(tenant, callback_url=f"{receiver.base}/cb")
    keeper = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        secret = keeping.rotate_callback_secret(principal=keeper, agent=agent)
    proposal = factories.a_proposal(tenant)
    admin.execute(
        "UPDATE agente_aprovacao SET agente = %s WHERE id = %s", [agent.slug, proposal.pk]
    )
    return proposal, secret


def test_the_agent_that_asked_hears_how_it_ended_and_nothing_before(
    admin: Connection, tenant: Tenant, receiver: Receiver
) -> None:
    proposal, secret = an_agent_s(admin, tenant, receiver)
    noticing.work(tenant)
    assert receiver.seen == []
    deciding.refuse(proposal, deciding.approver(tenant))
    noticing.work(tenant)
    (seen,) = receiver.seen
    body = Webhook(secret).verify(seen.body, seen.headers)
    assert (seen.path, body["type"]) == ("/cb", "aprovacao.recusada")
    assert body["data"]["url"].endswith(f"/api/v1/aprovacoes/{proposal.ref}")


def test_an_agent_that_was_switched_off_is_not_called(
    admin: Connection, tenant: Tenant, receiver: Receiver
) -> None:
    proposal, _secret = an_agent_s(admin, tenant, receiver)
    deciding.refuse(proposal, deciding.approver(tenant))
    noticing.spread(tenant)
    with tenant_scope(tenant.pk):
        Agent.objects.update(active=False)
    noticing.deliver(tenant)
    assert receiver.seen == []
