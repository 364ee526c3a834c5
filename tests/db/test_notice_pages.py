"""`/avisos/`: who opens it, how a destination is added, and what it never shows."""

from __future__ import annotations

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import Settings

from audit.models import AgenteAcao
from opspilot.notices import signing
from opspilot.notices.models import Destination
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering, noticing

pytestmark = pytest.mark.usefixtures("committed")
URL = "https://hooks.example.com/services/T0/segredo-do-outro-lado"
FORM = {"nome": "Plantão", "endereco": URL, "formato": "padrao"}


@pytest.fixture
def tenant(settings: Settings) -> Tenant:
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com"]
    return factories.a_tenant()


@pytest.fixture
def keeper(tenant: Tenant) -> User:
    return factories.a_person(tenant, Role.ADMIN)


@pytest.fixture
def client(keeper: User) -> Client:
    return entering.logged_in(keeper)


def places(tenant: Tenant) -> list[Destination]:
    with tenant_scope(tenant.pk):
        return list(Destination.objects.order_by("pk"))


@pytest.mark.parametrize("role", [Role.OPERADOR, Role.APROVADOR, Role.AUDITOR, Role.CONFORMIDADE])
def test_only_admins_open_the_page(tenant: Tenant, role: Role) -> None:
    client = Client()
    client.force_login(factories.a_person(tenant, role))
    assert client.get("/avisos/").status_code == 403
    assert client.post("/avisos/incluir/", FORM).status_code == 403
    assert places(tenant) == []


def test_a_page_without_a_destination_says_what_happens_now(client: Client) -> None:
    page = client.get("/avisos/").content.decode()
    assert "Nenhum destino. Os avisos saem só por e-mail." in page
    assert "Tudo o que precisava sair saiu." in page


def test_an_admin_adds_a_destination_and_sees_its_secret_once(
    client: Client, tenant: Tenant
) -> None:
    answer = client.post("/avisos/incluir/", FORM)
    (row,) = places(tenant)
    assert answer["Location"] == f"/avisos/{row.ref}/"
    secret = signing.secret(row)
    first = client.get(answer["Location"])
    assert secret in first.content.decode()
    assert "no-store" in first["Cache-Control"]
    assert secret not in client.get(answer["Location"]).content.decode()


def test_another_admin_does_not_see_the_secret(client: Client, tenant: Tenant) -> None:
    client.post("/avisos/incluir/", FORM)
    (row,) = places(tenant)
    other = entering.logged_in(factories.a_person(tenant, Role.ADMIN))
    assert "whsec_" not in other.get(f"/avisos/{row.ref}/").content.decode()


def test_no_page_shows_the_path_of_an_address(client: Client, tenant: Tenant) -> None:
    client.post("/avisos/incluir/", FORM)
    (row,) = places(tenant)
    for path in ("/avisos/", f"/avisos/{row.ref}/"):
        page = client.get(path).content.decode()
        assert "hooks.example.com" in page
        assert "segredo-do-outro-lado" not in page


def test_the_trail_says_who_added_and_switched_off_what_without_the_address(
    client: Client, tenant: Tenant, keeper: User
) -> None:
    client.post("/avisos/incluir/", FORM)
    (row,) = places(tenant)
    for _ in range(2):
        client.post(f"/avisos/{row.ref}/desligar/")
    with tenant_scope(tenant.pk):
        rows = list(AgenteAcao.objects.filter(acao__startswith="destino.").order_by("id"))
    assert [found.acao for found in rows] == ["destino.incluido", "destino.desligado"]
    assert all(str(keeper.pk) in str(found.entrada_resumo) for found in rows)
    assert not [found for found in rows if "segredo" in str(found.saida_resumo)]


@pytest.mark.parametrize(
    "address",
    [
        "https://other.example.com/",
        "http://hooks.example.com/",
        "https://hooks.example.com@evil.example/",
        "https://127.0.0.1/",
        "javascript:alert(1)",
    ],
)
def test_an_address_outside_the_list_is_refused_and_what_was_typed_stays(
    client: Client, tenant: Tenant, address: str
) -> None:
    answer = client.post("/avisos/incluir/", FORM | {"endereco": address})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "destino_nao_permitido" in page
    assert "Plantão" in page
    assert places(tenant) == []


def test_adding_asks_for_a_recent_proof_of_who_it_is(client: Client, tenant: Tenant) -> None:
    entering.grow_old(client)
    answer = client.post("/avisos/incluir/", FORM)
    assert answer["Location"].startswith("/conta/confirmar/")
    assert places(tenant) == []


def test_a_destination_of_another_company_is_not_found(client: Client, tenant: Tenant) -> None:
    foreign = noticing.a_destination(factories.a_tenant(), URL)
    for path in ("", "testar/", "desligar/"):
        url = f"/avisos/{foreign.ref}/{path}"
        answer = client.post(url) if path else client.get(url)
        assert answer.status_code == 404
    with tenant_scope(foreign.tenant_id):
        assert Destination.objects.get(pk=foreign.pk).active


def test_opening_an_address_that_acts_does_nothing(client: Client, tenant: Tenant) -> None:
    row = noticing.a_destination(tenant, URL)
    for path in ("testar/", "desligar/"):
        assert client.get(f"/avisos/{row.ref}/{path}").status_code == 302
    assert places(tenant)[0].active
    assert noticing.notices(tenant) == []


def test_what_could_not_be_delivered_is_seen_with_its_reason(
    client: Client,
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noticing.a_reachable(tenant, Role.APROVADOR)

    def down(_message: EmailMessage) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailMessage, "send", down)
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.work(tenant)
    page = client.get("/avisos/").content.decode()
    assert "1 aviso espera por outra tentativa." in page
    assert "não foi possível conectar" in page


def test_the_panel_says_to_an_admin_that_notices_do_not_leave(
    client: Client,
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noticing.a_reachable(tenant, Role.APROVADOR)
    assert "/avisos/" not in client.get("/").content.decode()

    def down(_message: EmailMessage) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailMessage, "send", down)
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.work(tenant)
    assert 'href="/avisos/"' in client.get("/").content.decode()


@pytest.mark.parametrize("chosen", [True, False])
def test_a_person_switches_letters_off_and_on(client: Client, keeper: User, chosen: bool) -> None:
    User.objects.filter(pk=keeper.pk).update(mail_notices=not chosen)
    look = {"tema": "system", "contraste": "normal", "densidade": "comfortable"}
    client.post("/conta/preferencias/", look | ({"avisos": "on"} if chosen else {}))
    assert User.objects.get(pk=keeper.pk).mail_notices is chosen


def test_the_account_page_leads_an_admin_there_and_nobody_else(
    client: Client, tenant: Tenant
) -> None:
    assert 'href="/avisos/"' in client.get("/conta/").content.decode()
    other = entering.logged_in(factories.a_person(tenant, Role.APROVADOR))
    assert 'href="/avisos/"' not in other.get("/conta/").content.decode()
