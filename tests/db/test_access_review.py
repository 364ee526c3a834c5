"""An auditor's word about who decides what, and the page on which it is given."""

from __future__ import annotations

import datetime as dt
import hashlib
import json

import pytest
from django.db import DatabaseError

from approvals.deciders import access, access_changes, access_reviews
from approvals.deciders.access_errors import AlreadyAttestedError, ListChangedError
from approvals.models import AccessReview
from audit.models import AgenteAcao
from opspilot.errors import RoleRequiredError
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import lending
from tests.db.accessing import now, picture
from tests.db.browsing import Browser, as_

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


@pytest.fixture
def auditor(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.AUDITOR)


def attest(auditor: Principal, remark: str = "") -> AccessReview:
    with tenant_scope(auditor.tenant_id):
        seen = access.now(owners={}).sha256
        return access_reviews.attest(reviewer=auditor, owners={}, seen_sha256=seen, remark=remark)


@pytest.mark.django_db
def test_an_attestation_keeps_exactly_the_list_and_its_hash(
    tenant: Tenant, auditor: Principal
) -> None:
    factories.a_principal(tenant, Role.APROVADOR)
    row = attest(auditor, "Conferido com o RH.")
    text = json.dumps(row.content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    with tenant_scope(tenant.pk):
        stored = AccessReview.objects.get()
        trail = AgenteAcao.objects.get(acao="acessos.atestados")
    assert hashlib.sha256(text.encode()).hexdigest() == stored.sha256
    assert stored.content == picture(tenant).content
    assert (stored.reviewer, stored.remark) == (auditor.subject, "Conferido com o RH.")
    assert stored.sha256 in (trail.saida_resumo or "")


@pytest.mark.django_db
def test_a_list_that_changed_since_the_page_opened_is_not_attested(
    tenant: Tenant, auditor: Principal
) -> None:
    with tenant_scope(tenant.pk):
        seen = access.now(owners={}).sha256
    factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(tenant.pk):
        with pytest.raises(ListChangedError):
            access_reviews.attest(reviewer=auditor, owners={}, seen_sha256=seen)
        assert not AccessReview.objects.exists()


@pytest.mark.django_db
def test_the_same_list_is_attested_once_by_one_auditor_and_again_by_another(
    tenant: Tenant, auditor: Principal
) -> None:
    second = factories.a_principal(tenant, Role.AUDITOR)
    attest(auditor)
    with pytest.raises(AlreadyAttestedError):
        attest(auditor)
    attest(second)
    with tenant_scope(tenant.pk):
        assert AccessReview.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("role", [r for r in Role if r != Role.AUDITOR])
def test_nobody_but_an_auditor_attests(tenant: Tenant, role: Role) -> None:
    with pytest.raises(RoleRequiredError):
        attest(factories.a_principal(tenant, role))


@pytest.mark.django_db
def test_an_auditor_who_lost_the_role_since_the_page_opened_attests_nothing(
    tenant: Tenant, auditor: Principal
) -> None:
    lending.set_roles(tenant, auditor, Role.OPERADOR)
    with pytest.raises(RoleRequiredError):
        attest(auditor)


@pytest.mark.django_db
def test_what_changed_since_an_attestation_is_told_in_words(
    tenant: Tenant, auditor: Principal
) -> None:
    stays, leaves = (factories.a_principal(tenant, Role.APROVADOR) for _ in range(2))
    row = attest(auditor)
    assert access_changes.changes(row.content, picture(tenant).content) == []
    lending.set_roles(tenant, stays, Role.ADMIN)
    lending.deactivate(leaves)
    comes = factories.a_principal(tenant, Role.APROVADOR)
    factories.a_policy(tenant, approver_role="admin")
    told = access_changes.changes(row.content, picture(tenant).content)
    assert f"{stays.name}: papéis de aprovador para admin." in told
    assert f"Saiu {leaves.name}, que tinha aprovador." in told
    assert f"Entrou {comes.name}, com aprovador." in told
    assert "A política passou da versão 1 para a 2." in told


def test_an_attestation_cannot_be_changed(committed: None, auditor: Principal) -> None:
    attest(auditor)
    with tenant_scope(auditor.tenant_id), pytest.raises(DatabaseError):
        AccessReview.objects.update(remark="outra")


@pytest.mark.parametrize("role", Role)
def test_auditors_and_admins_read_the_page_and_nobody_else(
    committed: None, tenant: Tenant, role: Role
) -> None:
    browser = Browser(factories.a_person(tenant, role))
    allowed = role in {Role.AUDITOR, Role.ADMIN}
    assert browser.status("/acessos/") == (200 if allowed else 403)
    assert browser.status("/acessos/exportar/csv/") == (200 if allowed else 403)
    assert ('href="/acessos/"' in browser.read("/")) == allowed


def test_an_admin_reads_but_is_offered_no_attestation(
    committed: None, tenant: Tenant, auditor: Principal
) -> None:
    assert "Atestar a lista de agora" in as_(auditor).read("/acessos/")
    page = as_(factories.a_principal(tenant, Role.ADMIN)).read("/acessos/")
    assert "Atestar a lista de agora" not in page
    assert "ainda não foi revisto" in page


def test_the_page_of_a_past_moment_shows_the_roles_of_then(
    committed: None, admin: Connection, tenant: Tenant, auditor: Principal
) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    lending.set_roles(tenant, person, Role.CONFORMIDADE)
    backdate(admin, tenant, person)
    then = now(tenant) - HOUR
    page = as_(auditor).read(f"/acessos/?em={in_zone(then)}")
    assert "Como era em" in page
    assert f'scope="row">{person.name}' in page
    assert "Atestar a lista de agora" not in page
    export = as_(auditor).client.get(f"/acessos/exportar/json/?em={in_zone(then)}")
    told = {p["quem"]: p["papeis"] for p in json.loads(export.content)["conteudo"]["pessoas"]}
    assert told[person.subject] == ["aprovador"]


def backdate(admin: Connection, tenant: Tenant, person: Principal) -> None:
    """As if the person's first row were two hours old, and the policy with it."""
    for table in ("membership_change", "policy_version"):
        admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only")
    try:
        admin.execute(
            "UPDATE membership_change SET at = at - interval '2 hours' WHERE id = "
            "(SELECT min(id) FROM membership_change WHERE tenant_id = %s AND subject = %s)",
            [tenant.pk, person.subject],
        )
        admin.execute(
            "UPDATE policy_version SET activated_at = activated_at - interval '2 hours' "
            "WHERE tenant_id = %s",
            [tenant.pk],
        )
    finally:
        for table in ("membership_change", "policy_version"):
            admin.execute(f"ALTER TABLE {table} ENABLE TRIGGER append_only")


def in_zone(at: dt.datetime) -> str:
    """As the field of the page writes it: the console's zone, to the minute."""
    return f"{at.astimezone(dt.timezone(dt.timedelta(hours=-3))):%Y-%m-%dT%H:%M}"


def test_of_a_time_before_the_memory_begins_the_page_supposes_nothing(
    committed: None, auditor: Principal
) -> None:
    browser = as_(auditor)
    page = browser.read("/acessos/?em=2020-01-01T10:00")
    assert "Não há registro deste momento" in page
    assert browser.status("/acessos/exportar/csv/?em=2020-01-01T10:00") == 404


@pytest.mark.parametrize("text", ["ontem", "2020-13-01T10:00", "2999-01-01T10:00"])
def test_a_moment_that_is_none_or_has_not_come_shows_now_and_says_so(
    committed: None, auditor: Principal, text: str
) -> None:
    page = as_(auditor).read(f"/acessos/?em={text}")
    assert "Como era em</label>" in page
    assert 'class="error"' in page
    assert auditor.name in page


def test_attesting_by_the_page_asks_for_a_fresh_proof_and_keeps_the_remark(
    committed: None, tenant: Tenant, auditor: Principal
) -> None:
    browser = as_(auditor)  # a session that never proved anything
    browser.read("/acessos/")
    seen = picture(tenant).sha256
    data = {"sha256": seen, "observacao": "Conferido com o RH."}
    answer = browser.client.post("/acessos/atestar/", data)
    assert answer["Location"].startswith("/conta/confirmar/")
    assert "Conferido com o RH." in browser.read("/acessos/")
    with tenant_scope(auditor.tenant_id):
        assert not AccessReview.objects.exists()


def test_the_page_of_a_review_shows_what_was_attested_and_what_changed(
    committed: None, tenant: Tenant, auditor: Principal
) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    row = attest(auditor)
    lending.set_roles(tenant, person, Role.OPERADOR)
    page = as_(auditor).read(f"/acessos/revisoes/{row.ref}/")
    assert row.sha256 in page
    assert f"{person.name}: papéis de aprovador para operador." in page
    assert "1 mudança desde então" in as_(auditor).read("/acessos/")


def test_a_review_of_another_company_is_not_found(committed: None, auditor: Principal) -> None:
    row = attest(auditor)
    stranger = as_(factories.a_principal(factories.a_tenant(), Role.AUDITOR))
    for path in (f"/acessos/revisoes/{row.ref}/", f"/acessos/revisoes/{row.ref}/exportar/json/"):
        assert stranger.status(path) == 404


def test_the_json_of_a_review_proves_its_hash(committed: None, auditor: Principal) -> None:
    row = attest(auditor)
    answer = as_(auditor).client.get(f"/acessos/revisoes/{row.ref}/exportar/json/")
    data = json.loads(answer.content)
    text = json.dumps(data["conteudo"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == data["sha256"] == row.sha256
    with tenant_scope(auditor.tenant_id):
        assert AgenteAcao.objects.filter(acao="acessos.exportados").count() == 1


def test_the_csv_opens_in_excel_and_starts_no_formula(
    committed: None, tenant: Tenant, auditor: Principal
) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    User.objects.filter(pk=person.user_id).update(display_name="=SOMA(A1)")
    answer = as_(auditor).client.get("/acessos/exportar/csv/")
    text = answer.content.decode("utf-8-sig")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert text.splitlines()[0].startswith("Pessoa;Identificador;Papéis;Decide;")
    assert f"'=SOMA(A1);{person.subject};aprovador;" in text
