"""The page of retention: who reads it, two admins for a rule, holds placed and lifted, what went."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from audit import entities
from audit.models import (
    AgenteAcao,
    LegalHold,
    TrailRetention,
    TrailRetentionActivation,
    TrailRetentionEnd,
)
from audit.months import catalogue, holds, ledger, retention
from audit.months.errors import HoldLiftedError, OtherAdminActivatesError, RetentionClosedError
from audit.reports import coverage
from audit.story import gaps
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering, months

pytestmark = pytest.mark.django_db
PAGE = "/trilha/retencao/"
RULE = {"meses": 60, "base": "Política de guarda 7/2026", "motivo": "Prazo do contrato."}


def browser(tenant: Tenant, *roles: Role) -> tuple[Client, Principal]:
    person = factories.a_principal(tenant, *roles)
    return entering.logged_in(User.objects.get(pk=person.user_id)), person


def shown(client: Client) -> str:
    return client.get(PAGE).content.decode()


def actions(tenant: Tenant) -> list[str]:
    with tenant_scope(tenant.pk):
        rows = AgenteAcao.objects.filter(acao__regex="^(retencao|guarda)").order_by("id")
        return [row.acao for row in rows]


def post(client: Client, act: str, **values: Any) -> int:
    return client.post(f"{PAGE}{act}/", values).status_code


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ADMIN, 200), (Role.AUDITOR, 200), (Role.CONFORMIDADE, 200), (Role.OPERADOR, 403)],
)
def test_the_page_is_for_who_answers_for_the_trail(role: Role, status: int) -> None:
    client, _person = browser(factories.a_tenant(), role)
    assert client.get(PAGE).status_code == status


def test_without_a_rule_nothing_expires_and_the_page_says_so() -> None:
    client, _person = browser(factories.a_tenant(), Role.AUDITOR)
    assert "nada desta empresa expira" in shown(client)


def test_a_rule_is_in_force_when_another_admin_activates_it() -> None:
    tenant = factories.a_tenant()
    (first, _one), (second, _other) = (browser(tenant, Role.ADMIN) for _ in range(2))
    assert post(first, "propor", **RULE) == 302
    with tenant_scope(tenant.pk):
        rule = TrailRetention.objects.get()
        assert retention.in_force() is None
    assert "Ativar esta regra" not in shown(first)
    words = "Uma regra de retenção da trilha espera"
    assert [words in who.get("/").content.decode() for who in (first, second)] == [False, True]
    assert "Ativar esta regra" in shown(second)
    assert post(first, "ativar", regra=str(rule.ref)) == 403
    assert post(second, "ativar", regra=str(rule.ref)) == 302
    assert "60 meses" in shown(first)
    assert actions(tenant) == ["retencao.proposta", "retencao.ativada"]


def test_a_rule_that_says_too_little_is_refused_and_what_was_typed_stays() -> None:
    client, _person = browser(factories.a_tenant(), Role.ADMIN)
    answer = client.post(f"{PAGE}propor/", RULE | {"meses": 0})
    assert answer.status_code == 422
    assert "Prazo do contrato." in answer.content.decode()


def test_an_older_rule_that_waited_is_out_of_date() -> None:
    tenant = factories.a_tenant()
    first, second = (factories.a_principal(tenant, Role.ADMIN) for _ in range(2))
    with tenant_scope(tenant.pk):
        old, new = (
            retention.propose(admin=first, months=count, basis="x" * 12, reason="y" * 12)
            for count in (6, 60)
        )
        with pytest.raises(RetentionClosedError):
            retention.activate(rule=old, admin=second)
        retention.activate(rule=new, admin=second)
        with pytest.raises(RetentionClosedError):
            retention.activate(rule=new, admin=second)
        with pytest.raises(OtherAdminActivatesError):
            retention.activate(rule=new, admin=first)


def test_the_database_too_wants_a_second_admin() -> None:
    tenant = factories.a_tenant()
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        rule = retention.propose(admin=admin, months=6, basis="x" * 12, reason="y" * 12)
        with pytest.raises(DatabaseError, match="does not activate"), transaction.atomic():
            TrailRetentionActivation.objects.create(
                tenant=tenant, retention=rule, admin=admin.subject, admin_name="admin 2"
            )


def test_a_hold_on_a_customer_is_placed_by_document_and_lifted_with_a_reason() -> None:
    tenant = factories.a_tenant()
    client, person = browser(tenant, Role.CONFORMIDADE)
    with tenant_scope(tenant.pk):
        document = entities.parse_document(factories.CPF)
        entities.resolve(principal=person, document=document, correlation_id=uuid.uuid4())
    start = {"alcance": "cliente", "documento": factories.CPF, "motivo_guarda": "Pedido 3/2026."}
    assert post(client, "guardar", **start) == 302
    with tenant_scope(tenant.pk):
        hold = LegalHold.objects.get()
    assert hold.entity_title == document.masked
    assert factories.CPF not in shown(client)
    end = {"guarda": str(hold.ref), "motivo_fim": "Encerrado 4/2026."}
    assert post(client, "encerrar", **end) == 422
    assert post(client, "encerrar", **end, ciente="on") == 302
    assert "encerrada" in shown(client)
    assert actions(tenant) == ["guarda.iniciada", "guarda.encerrada"]
    with tenant_scope(tenant.pk), pytest.raises(HoldLiftedError):
        holds.lift(hold=hold, person=person, reason="Encerrado outra vez.")


def test_a_hold_on_a_document_nobody_has_is_refused() -> None:
    client, _person = browser(factories.a_tenant(), Role.ADMIN)
    start = {"alcance": "cliente", "documento": factories.CNPJ, "motivo_guarda": "Pedido 3/2026."}
    assert post(client, "guardar", **start) == 422


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.CONFORMIDADE])
def test_only_admins_write_rules(role: Role) -> None:
    person = factories.a_principal(factories.a_tenant(), role)
    with tenant_scope(person.tenant_id), pytest.raises(RoleRequiredError):
        retention.propose(admin=person, months=6, basis="x" * 12, reason="y" * 12)


def test_another_company_s_rule_and_hold_are_not_found() -> None:
    ours, theirs = factories.a_tenant(), factories.a_tenant()
    rule = months.a_rule(theirs)
    person = factories.a_principal(theirs, Role.ADMIN)
    with tenant_scope(theirs.pk):
        hold = holds.place(person=person, entity=None, reason="Pedido do jurídico.")
    with tenant_scope(ours.pk):
        with pytest.raises(NotFoundError):
            retention.one(ref=rule.ref)
        with pytest.raises(NotFoundError):
            holds.one(ref=hold.ref)


def test_a_month_that_went_is_told_with_its_rows_and_basis() -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk):
        months.fill_tables(tenant)
    client, _person = browser(tenant, Role.AUDITOR)
    gone = shown(client).partition('id="h-idos"')[2].partition("</section>")[0]
    (row,) = re.findall(r'<th scope="row">01/1990</th>.*?</tr>', gone, re.DOTALL)
    assert re.search(r'data-label="Linhas">1</td>', row)
    assert "Política de guarda 7/2026" in row


def test_a_month_that_a_hold_kept_after_its_line_is_not_told_as_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant, kept = factories.a_tenant(), dt.date(1990, 2, 1)
    monkeypatch.setattr(catalogue, "months_of", lambda **_using: [kept])
    with tenant_scope(tenant.pk):
        months.fill_tables(tenant)
        months.a_line(tenant, kept)
        assert [gap.month for gap in gaps.of_company()] == ["01/1990"]
        assert [line.month for line in ledger.gone()] == [dt.date(1990, 1, 1)]
        assert coverage._expired("default") == dt.date(1990, 1, 1)


@pytest.mark.parametrize("act", ["guardar", "encerrar"])
def test_a_hold_with_a_short_reason_is_refused_as_a_hold(act: str) -> None:
    tenant = factories.a_tenant()
    client, person = browser(tenant, Role.CONFORMIDADE)
    with tenant_scope(tenant.pk):
        hold = holds.place(person=person, entity=None, reason="Pedido do jurídico.")
    values = {
        "guardar": {"alcance": "todos", "documento": "", "motivo_guarda": "curto"},
        "encerrar": {"guarda": str(hold.ref), "motivo_fim": "curto", "ciente": "on"},
    }
    answer = client.post(f"{PAGE}{act}/", values[act])
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Falta o motivo da guarda legal" in page
    assert "A regra não pode ser aceita" not in page
    assert ">curto</textarea>" in page.replace("\n", "")


def test_who_only_reads_is_not_told_to_send_the_page_on() -> None:
    tenant = factories.a_tenant()
    author, reader = browser(tenant, Role.ADMIN)[0], browser(tenant, Role.AUDITOR)[0]
    assert post(author, "propor", **RULE) == 302
    words = "Envie a outro admin o endereço desta página."
    assert [words in shown(who) for who in (author, reader)] == [True, False]
    assert "Um admin que não a escreveu a ativa nesta página." in shown(reader)


def test_the_day_the_oldest_month_may_go_is_said_to_be_by_this_rule_alone() -> None:
    tenant = factories.a_tenant()
    months.a_rule(tenant, 60)
    page = shown(browser(tenant, Role.AUDITOR)[0])
    assert "Por esta regra o mês mais antigo pode ir em" in page
    assert "outras empresas e guardas legais podem mantê-lo por mais tempo" in page


def a_waiting_rule(tenant: Tenant) -> tuple[TrailRetention, Principal, Principal]:
    first, second = (factories.a_principal(tenant, Role.ADMIN) for _ in range(2))
    with tenant_scope(tenant.pk):
        rule = retention.propose(admin=first, months=7, basis="Parecer 7/2026", reason="x" * 12)
    return rule, first, second


@pytest.mark.parametrize(
    ("ends", "word", "action"),
    [(0, "retirada", "retencao.retirada"), (1, "recusada", "retencao.recusada")],
)
def test_a_rule_that_waits_is_taken_back_by_its_author_or_refused_by_another_admin(
    ends: int, word: str, action: str
) -> None:
    tenant = factories.a_tenant()
    rule, *admins = a_waiting_rule(tenant)
    client = entering.logged_in(User.objects.get(pk=admins[ends].user_id))
    why = "O parecer mudou ontem."
    assert post(client, "desistir", regra=str(rule.ref), motivo_regra=why) == 302
    page = shown(client)
    assert f"de 7 meses, foi {word} por {admins[ends].name}" in page
    assert why in page
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao=action)
        assert (row.saida_resumo, retention.waiting()) == (f"7 meses: {why}", None)


def test_a_rule_without_a_reason_to_end_still_waits_and_what_was_typed_stays() -> None:
    tenant = factories.a_tenant()
    rule, first, _second = a_waiting_rule(tenant)
    client = entering.logged_in(User.objects.get(pk=first.user_id))
    answer = client.post(f"{PAGE}desistir/", {"regra": str(rule.ref), "motivo_regra": "curto"})
    assert answer.status_code == 422
    assert "curto</textarea>" in answer.content.decode()
    with tenant_scope(tenant.pk):
        assert retention.waiting() == rule


def test_a_rule_ends_once_and_is_not_activated_after_it() -> None:
    tenant = factories.a_tenant()
    rule, first, second = a_waiting_rule(tenant)
    with tenant_scope(tenant.pk):
        retention.end(rule=rule, admin=second, reason="Prazo curto demais.")
        with pytest.raises(RetentionClosedError):
            retention.end(rule=rule, admin=first, reason="Escrita por engano.")
        with pytest.raises(RetentionClosedError):
            retention.activate(rule=rule, admin=second)


@pytest.mark.parametrize("kind", ["retirada", "recusada"])
def test_the_database_too_knows_whose_act_the_end_of_a_rule_is(kind: str) -> None:
    tenant = factories.a_tenant()
    rule, first, second = a_waiting_rule(tenant)
    wrong = second if kind == "retirada" else first
    about = {"retention": rule, "kind": kind, "reason": "x" * 12}
    with tenant_scope(tenant.pk):
        with pytest.raises(DatabaseError, match="takes it back"), transaction.atomic():
            TrailRetentionEnd.objects.create(tenant=tenant, admin=wrong.subject, **about)
        retention.activate(rule=rule, admin=second)
        right = first if kind == "retirada" else second
        with pytest.raises(DatabaseError, match="in force already"), transaction.atomic():
            TrailRetentionEnd.objects.create(tenant=tenant, admin=right.subject, **about)


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.CONFORMIDADE])
def test_who_writes_no_rules_ends_none(role: Role) -> None:
    tenant = factories.a_tenant()
    rule, _first, _second = a_waiting_rule(tenant)
    client, _person = browser(tenant, role)
    assert post(client, "desistir", regra=str(rule.ref), motivo_regra="x" * 12) == 403
    assert "Recusar esta regra" not in shown(client)
