"""Tokens and agents as the services keep them: shown once, kept as an HMAC, ended and never revived."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from pytest_django import Settings

from audit.models import AgenteAcao
from opspilot.api import agents, callbacks, tokens
from opspilot.api.agents import Details
from opspilot.api.errors import (
    AlreadyIssuedError,
    CallbackNotAllowedError,
    OwnerNotMemberError,
    SlugTakenError,
    TokenEndedError,
    TooManyTokensError,
)
from opspilot.api.models import Agent, AgentToken
from opspilot.api.scopes import Scope
from opspilot.errors import NotFoundError
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, a_token, an_agent, at_the_door
from tests.conftest import Connection

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def home(committed: None) -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def admin_person(home: Tenant) -> Principal:
    return factories.a_principal(home, Role.ADMIN)


def acts(tenant: Tenant) -> list[AgenteAcao]:
    with tenant_scope(tenant.pk):
        return list(
            AgenteAcao.objects.filter(acao__regex=r"^(agente|token|segredo)\.").order_by("id")
        )


def fresh(door: AtTheDoor) -> AgentToken:
    with tenant_scope(door.tenant.pk):
        return AgentToken.objects.select_related("agent").get(pk=door.token.pk)


def details(owner: Principal, **changes: object) -> Details:
    values = {"name": "Coletor", "purpose": "Recolhe alertas.", "owner_id": owner.user_id}
    return Details(**(values | changes))  # type: ignore[arg-type]


def test_the_text_of_a_token_is_nowhere_in_the_database(admin: Connection) -> None:
    door = at_the_door()
    door.get("aprovacoes")
    secret = door.text.removeprefix(f"{door.token.prefix}_")
    tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    found = [
        name
        for (name,) in tables
        if admin.execute(
            f'SELECT count(*) FROM "{name}" t WHERE t::text LIKE %s',  # noqa: S608 - our own tables
            [f"%{secret}%"],
        ).fetchone()
        != (0,)
    ]
    assert found == []


def test_a_token_is_in_no_log_and_no_row_whatever_happens_to_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    door = at_the_door()

    def broken(**_arguments: object) -> None:
        raise ZeroDivisionError(door.text)

    door.post("aprovacoes", {"acao": door.text, "comando": {door.text: door.text}})
    door.get(f"aprovacoes?estado={door.text}")
    with monkeypatch.context() as patched:
        patched.setattr("opspilot.api.routes.reading.page", broken)
        answer = door.get("aprovacoes")
    assert answer.status == 500
    assert door.text not in str(answer.data)
    with tenant_scope(door.tenant.pk):
        rows = [str(list(row.values())) for row in AgenteAcao.objects.values()]
    assert rows
    assert not [row for row in rows if door.text in row]
    assert "Bearer" not in capfd.readouterr().err


def test_another_installation_s_key_makes_the_tokens_worthless(settings: Settings) -> None:
    door = at_the_door()
    settings.OPSPILOT_HMAC_KEY = "of another installation"
    assert door.get("aprovacoes").data["codigo"] == "token_desconhecido"


def test_a_token_has_256_bits_beside_its_visible_beginning() -> None:
    door = at_the_door()
    assert door.text.startswith(f"{door.token.prefix}_")
    secret = door.text.removeprefix(f"{door.token.prefix}_")
    assert len(secret) == 43  # 32 bytes in base64


def test_the_same_form_sent_twice_makes_one_token(home: Tenant, admin_person: Principal) -> None:
    agent, ref = an_agent(home), uuid.uuid4()
    with tenant_scope(home.pk):
        tokens.issue(principal=admin_person, agent=agent, ref=ref, scopes=[Scope.READ], days=30)
        with pytest.raises(AlreadyIssuedError):
            tokens.issue(principal=admin_person, agent=agent, ref=ref, scopes=[Scope.READ], days=30)
        assert AgentToken.objects.count() == 1


@pytest.mark.parametrize(
    ("scopes", "days"), [([], 30), (["aprovacoes:decidir"], 30), ([Scope.READ], 3650)]
)
def test_a_scope_or_a_life_that_is_not_on_the_list_makes_no_token(
    home: Tenant, admin_person: Principal, scopes: list[str], days: int
) -> None:
    agent = an_agent(home)
    with tenant_scope(home.pk), pytest.raises(ValueError, match=r"scope|Scope"):
        tokens.issue(
            principal=admin_person, agent=agent, ref=uuid.uuid4(), scopes=scopes, days=days
        )


def test_no_scope_names_a_decision() -> None:
    words = ("decid", "aprovar", "recusar", "executar", "ativar", "admin")
    assert not [scope for scope in Scope for word in words if word in str(scope)]


def test_an_agent_has_so_many_valid_tokens_and_no_more(
    home: Tenant, admin_person: Principal
) -> None:
    agent = an_agent(home)
    for _ in range(tokens.MOST):
        a_token(agent)
    with pytest.raises(TooManyTokensError):
        a_token(agent)


def test_after_a_rotation_both_let_in_for_a_while_and_then_only_the_new_one(
    admin: Connection,
) -> None:
    door = at_the_door(scopes=[Scope.READ])
    person = factories.a_principal(door.tenant, Role.ADMIN)
    with tenant_scope(door.tenant.pk):
        issued = tokens.rotate(principal=person, token=fresh(door), ref=uuid.uuid4())
    new = AtTheDoor(door.tenant, door.agent, issued.token, issued.text)
    assert (door.get("aprovacoes").status, new.get("aprovacoes").status) == (200, 200)
    assert issued.token.scopes == [str(Scope.READ)]
    left = fresh(door).expires_at - clock.now()
    assert dt.timedelta(0) < left <= tokens.OVERLAP
    admin.execute(
        "UPDATE agent_token SET created_at = created_at - interval '2 hours', "
        "expires_at = clock_timestamp() - interval '1 second' WHERE id = %s",
        [door.token.pk],
    )
    assert (door.get("aprovacoes").status, new.get("aprovacoes").status) == (401, 200)


def test_what_has_ended_is_neither_rotated_nor_revoked_again() -> None:
    door = at_the_door()
    person = factories.a_principal(door.tenant, Role.ADMIN)
    with tenant_scope(door.tenant.pk):
        tokens.revoke(principal=person, token=fresh(door))
        with pytest.raises(TokenEndedError):
            tokens.revoke(principal=person, token=fresh(door))
        with pytest.raises(TokenEndedError):
            tokens.rotate(principal=person, token=fresh(door), ref=uuid.uuid4())


@pytest.mark.parametrize(
    "change",
    [
        "expires_at = expires_at + interval '1 day'",
        "revoked_at = NULL",
        "revoked_at = clock_timestamp() + interval '1 day'",
    ],
)
def test_the_database_lets_no_token_live_longer_or_come_back(change: str) -> None:
    door = at_the_door()
    person = factories.a_principal(door.tenant, Role.ADMIN)
    with tenant_scope(door.tenant.pk):
        tokens.revoke(principal=person, token=fresh(door))
    with (
        tenant_scope(door.tenant.pk),
        pytest.raises(DatabaseError, match="a token only ends"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE agent_token SET {change}")  # noqa: S608 - our own words


@pytest.mark.parametrize("column", ["hash", "scopes", "agent_id", "prefix"])
def test_the_runtime_role_cannot_change_what_a_token_is(column: str) -> None:
    door = at_the_door()
    with (
        tenant_scope(door.tenant.pk),
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE agent_token SET {column} = {column}")  # noqa: S608


def test_each_act_leaves_its_row_and_no_secret(home: Tenant, admin_person: Principal) -> None:
    agent = an_agent(home)
    owner = factories.a_principal(home, Role.OPERADOR)
    issued = a_token(agent)
    with tenant_scope(home.pk):
        agents.change(principal=admin_person, agent=agent, details=details(owner))
        new = tokens.rotate(principal=admin_person, token=issued.token, ref=uuid.uuid4())
        tokens.revoke(principal=admin_person, token=new.token)
        secret = agents.rotate_callback_secret(principal=admin_person, agent=agent)
        agents.switch(principal=admin_person, agent=agent, active=False)
        agents.switch(principal=admin_person, agent=agent, active=True)
    rows = acts(home)
    assert [row.acao for row in rows] == [
        "agente.criado",
        "token.emitido",
        "agente.alterado",
        "token.trocado",
        "token.revogado",
        "segredo.trocado",
        "agente.desativado",
        "agente.reativado",
    ]
    assert {row.correlacao_id for row in rows} == {agent.ref}
    texts = " ".join(f"{row.entrada_resumo} {row.saida_resumo}" for row in rows)
    assert issued.token.prefix in texts
    assert not [text for text in (issued.text, new.text, secret) if text in texts]


def test_a_change_that_changes_nothing_leaves_no_row(home: Tenant, admin_person: Principal) -> None:
    owner = factories.a_principal(home, Role.OPERADOR)
    agent = an_agent(home, owner=owner)
    same = Details(name=agent.name, purpose=agent.purpose, owner_id=agent.owner_id)
    with tenant_scope(home.pk):
        agents.change(principal=admin_person, agent=agent, details=same)
        agents.switch(principal=admin_person, agent=agent, active=True)
    assert [row.acao for row in acts(home)] == ["agente.criado"]


def test_the_owner_is_somebody_active_in_the_company(home: Tenant, admin_person: Principal) -> None:
    stranger = factories.a_principal(factories.a_tenant(), Role.OPERADOR)
    with tenant_scope(home.pk), pytest.raises(OwnerNotMemberError):
        agents.create(principal=admin_person, slug="coletor", details=details(stranger))


def test_a_short_name_is_one_agent_s_in_a_company_and_free_in_another(
    home: Tenant, admin_person: Principal
) -> None:
    an_agent(home, slug="coletor")
    an_agent(factories.a_tenant(), slug="coletor")
    owner = factories.a_principal(home, Role.OPERADOR)
    with tenant_scope(home.pk), pytest.raises(SlugTakenError):
        agents.create(principal=admin_person, slug="coletor", details=details(owner))


def test_a_foreign_agent_is_no_agent(home: Tenant) -> None:
    theirs = an_agent(factories.a_tenant())
    with tenant_scope(home.pk), pytest.raises(NotFoundError):
        agents.get(ref=theirs.ref)


@pytest.mark.parametrize(
    "url",
    [
        "http://retorno.example/x",
        "https://outro.example/x",
        "https://u:p@retorno.example/x",
        "https://127.0.0.1/x",
        "https://retorno.example.evil.example/x",
        "ftp://retorno.example",
        "https://retorno.example/../x",
    ],
)
def test_a_callback_outside_the_list_is_refused_when_it_is_set(
    home: Tenant, admin_person: Principal, settings: Settings, url: str
) -> None:
    settings.OPSPILOT_EGRESS_HTTP = ["retorno.example"]
    owner = factories.a_principal(home, Role.OPERADOR)
    with tenant_scope(home.pk), pytest.raises(CallbackNotAllowedError):
        agents.create(
            principal=admin_person, slug="coletor", details=details(owner, callback_url=url)
        )


def test_a_secret_is_derived_and_two_sign_for_a_day_after_a_rotation(
    home: Tenant, admin_person: Principal
) -> None:
    agent = an_agent(home)
    assert callbacks.signing_secrets(agent=agent, at=clock.now()) == []
    with tenant_scope(home.pk):
        first = agents.rotate_callback_secret(principal=admin_person, agent=agent)
        second = agents.rotate_callback_secret(principal=admin_person, agent=agent)
        agent = Agent.objects.get(pk=agent.pk)
    assert callbacks.signing_secrets(agent=agent, at=clock.now()) == [second, first]
    later = clock.now() + callbacks.OVERLAP
    assert callbacks.signing_secrets(agent=agent, at=later) == [second]
    assert first != second


def test_two_agents_never_share_a_secret(home: Tenant) -> None:
    one, two = an_agent(home), an_agent(home)
    assert callbacks.secret(agent=one, number=1) != callbacks.secret(agent=two, number=1)


def test_the_look_up_by_token_gives_pairs_and_nothing_else(home: Tenant) -> None:
    issued = a_token(an_agent(home))
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM principal_of_token(%s)", [tokens.hash_of(issued.text)])
        assert [column.name for column in cursor.description] == ["tenant_id", "id"]
        assert cursor.fetchall() == [(home.pk, issued.token.pk)]


def test_a_page_of_the_console_never_names_a_token_s_hash(home: Tenant) -> None:
    issued = a_token(an_agent(home))
    client = Client()
    client.force_login(factories.a_person(home, Role.ADMIN))
    page = client.get(f"/agentes/{issued.token.agent.ref}/").content.decode()
    assert issued.token.prefix in page
    assert issued.token.hash not in page
