"""Reports kept under a name: the worker answers them in their owner's name and says what changed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from audit.models import AgenteAcao, ReportState, SavedReport
from audit.reports import answers, running, saved, saved_page
from audit.reports.kinds import ParametersError
from audit.reports.saved_errors import NotActiveError, NotYoursError
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.notices.models import Kind
from opspilot.tenancy.models import Membership, Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import noticing, querying, saving
from tests.db.browsing import as_

pytestmark = pytest.mark.usefixtures("committed")
LIST = "/trilha/consultas/salvas/"


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Principal:
    return noticing.principal(tenant, noticing.a_reachable(tenant, Role.AUDITOR))


def irreversible(tenant: Tenant) -> int:
    return querying.a_row(tenant, acao="tarefa.executada")


def a_first_answer(
    admin: Connection, person: Principal, tenant: Tenant, **wished: Any
) -> SavedReport:
    report = saving.a_report(person, **wished)
    saving.a_week_passes(admin, tenant)
    saving.work(tenant)
    return report


def words(tenant: Tenant) -> str:
    """What the newest answer says."""
    run = saving.runs(tenant)[-1]
    return saved_page.answer_words(run)[1]


def acts(tenant: Tenant) -> list[str]:
    with tenant_scope(tenant.pk):
        found = AgenteAcao.objects.filter(acao__startswith="relatorio.").order_by("pk")
        return list(found.values_list("acao", flat=True))


def test_a_report_is_due_when_its_hour_comes_and_not_before(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    report = saving.a_report(auditor)
    assert saving.due(tenant) == []
    saving.a_week_passes(admin, tenant)
    assert saving.due(tenant) == [report.pk]
    saving.work(tenant)
    assert saving.due(tenant) == []


def test_the_answer_is_the_query_s_own_count_and_hash(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    irreversible(tenant)
    a_first_answer(admin, auditor, tenant)
    (run,) = saving.runs(tenant)
    with tenant_scope(tenant.pk):
        expected = running.digest(*querying.asked(saving.IRREVERSIBLE, periodo="7d"))
    assert (run.rows, run.sha256) == expected
    assert run.rows == 1


def test_a_week_later_nothing_new_is_the_same_and_names_the_day_before(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    irreversible(tenant)
    a_first_answer(admin, auditor, tenant)
    saving.a_week_passes(admin, tenant)
    saving.work(tenant)
    assert re.fullmatch(r"igual a \d\d/\d\d", words(tenant))


def test_a_week_later_what_entered_is_counted_and_listed(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    irreversible(tenant)
    report = a_first_answer(admin, auditor, tenant)
    saving.a_week_passes(admin, tenant)
    new = irreversible(tenant)
    saving.work(tenant)
    assert re.fullmatch(r"mudou desde \d\d/\d\d: 1 entrou, 0 saíram", words(tenant))
    assert f"linha {new}" in as_(auditor).read(f"{LIST}{report.ref}/")


def test_a_period_in_words_moves_with_the_clock(tenant: Tenant, auditor: Principal) -> None:
    report = saving.a_report(auditor)
    assert saving.again(report).address == {"periodo": "7d"}


def test_the_hash_of_a_report_is_recorded_and_shown_under_a_name_of_its_own(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    report = a_first_answer(admin, auditor, tenant)
    (run,) = saving.runs(tenant)
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="historico.lido")
    assert row.fontes[0]["sha256_do_relatorio"] == run.sha256
    assert "sha256" not in row.fontes[0]
    assert f" sha256_do_relatorio={run.sha256}" in str(row.saida_resumo)
    page = as_(auditor).read(f"{LIST}{report.ref}/")
    assert f"Hash do relatório (SHA-256) <code>{run.sha256}</code>" in page


def test_its_own_rows_do_not_change_an_answer_about_a_customer(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    ref = str(querying.an_entity(tenant).ref)
    about = {"tipo": "cliente", "entidade": ref}
    a_first_answer(admin, auditor, tenant, slug="historico-da-entidade", address=about)
    saving.a_week_passes(admin, tenant)
    saving.work(tenant)
    assert saving.runs(tenant)[-1].is_same is True


def test_too_many_rows_to_keep_are_compared_by_count_and_hash(
    tenant: Tenant, auditor: Principal, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "KEPT", 0)
    irreversible(tenant)
    a_first_answer(admin, auditor, tenant)
    saving.a_week_passes(admin, tenant)
    irreversible(tenant)
    saving.work(tenant)
    assert saving.runs(tenant)[-1].lines is None
    assert words(tenant).endswith("antes 1 linhas, agora 2")


def test_its_owner_is_told_by_a_letter_with_a_link_and_no_content(
    tenant: Tenant, auditor: Principal, admin: Connection, mailoutbox: Any
) -> None:
    report = a_first_answer(admin, auditor, tenant, name="Nome do relatório")
    noticing.deliver(tenant)
    (letter,) = mailoutbox
    assert letter.to == [User.objects.get(pk=auditor.user_id).email]
    assert f"{LIST}{report.ref}/" in letter.body
    assert "Nome do relatório" not in letter.body


def test_a_deleted_report_is_not_told_of_any_more(
    tenant: Tenant, auditor: Principal, admin: Connection, mailoutbox: Any
) -> None:
    report = a_first_answer(admin, auditor, tenant)
    with tenant_scope(tenant.pk):
        saved.delete(person=auditor, ref=report.ref)
    noticing.deliver(tenant)
    assert mailoutbox == []


def test_an_answer_is_a_reading_in_the_owner_s_name(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    report = a_first_answer(admin, auditor, tenant)
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="historico.lido")
    assert row.entrada_resumo == auditor.signature
    assert row.fontes[0]["relatorio"] == str(report.ref)


def test_without_the_role_it_rests_answers_nothing_and_says_so(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    report = saving.a_report(auditor, shared_with=["conformidade"])
    with tenant_scope(tenant.pk):
        Membership.objects.filter(user_id=auditor.user_id).update(roles=["operador"])
    saving.a_week_passes(admin, tenant)
    saving.work(tenant)
    assert saving.again(report).state == ReportState.RESTING
    assert saving.runs(tenant) == []
    other = factories.a_principal(tenant, Role.CONFORMIDADE)
    assert "não tem mais papel para a consulta" in as_(other).read(f"{LIST}{report.ref}/")


def test_a_query_that_is_too_slow_leaves_an_answer_that_says_so_and_comes_again(
    tenant: Tenant, auditor: Principal, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_slow(*_: Any, **__: Any) -> Any:
        raise running.QueryTooSlowError

    monkeypatch.setattr(answers, "answer", too_slow)
    report = a_first_answer(admin, auditor, tenant)
    assert "passou de 20 segundos" in words(tenant)
    assert saving.again(report).next_at is not None


def test_a_report_that_is_paused_while_it_is_answered_keeps_no_answer(
    tenant: Tenant, auditor: Principal, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = saving.a_report(auditor)
    saving.a_week_passes(admin, tenant)
    plain = answers.answer

    def pausing(*args: Any, **named: Any) -> answers.Answer:
        saved.pause(person=auditor, ref=report.ref)
        return plain(*args, **named)

    monkeypatch.setattr(answers, "answer", pausing)
    saving.work(tenant)
    assert saving.runs(tenant) == []


def test_a_report_whose_worker_died_five_times_is_paused_and_says_so(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    report = saving.a_report(auditor)
    saving.a_week_passes(admin, tenant)
    admin.execute("UPDATE saved_report SET attempts = 5 WHERE id = %s", [report.pk])
    saving.work(tenant)
    assert saving.again(report).state == ReportState.PAUSED
    assert "interrompido" in words(tenant)


def test_a_paused_report_is_not_due_and_comes_back_when_resumed(
    tenant: Tenant, auditor: Principal
) -> None:
    report = saving.a_report(auditor)
    with tenant_scope(tenant.pk):
        saved.pause(person=auditor, ref=report.ref)
        with pytest.raises(NotActiveError):
            saved.run_now(person=auditor, ref=report.ref)
        saved.resume(person=auditor, ref=report.ref)
        saved.run_now(person=auditor, ref=report.ref)
    assert saving.due(tenant) == [report.pk]


def test_every_act_is_a_row_of_the_trail(tenant: Tenant, auditor: Principal) -> None:
    report = saving.a_report(auditor)
    with tenant_scope(tenant.pk):
        saved.run_now(person=auditor, ref=report.ref)
        saved.pause(person=auditor, ref=report.ref)
        saved.resume(person=auditor, ref=report.ref)
        saved.delete(person=auditor, ref=report.ref)
    kinds = ["salvo", "pedido", "pausado", "retomado", "excluido"]
    assert acts(tenant) == [f"relatorio.{kind}" for kind in kinds]


def test_a_report_is_shown_to_its_owner_and_to_the_roles_it_is_shared_with(
    tenant: Tenant, auditor: Principal
) -> None:
    report = saving.a_report(auditor, shared_with=["conformidade"])
    shared = factories.a_principal(tenant, Role.CONFORMIDADE)
    other = factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(tenant.pk):
        assert [row.pk for row in saved.shown_to(shared)] == [report.pk]
        assert saved.shown_to(other) == []
        with pytest.raises(NotFoundError):
            saved.one(person=other, ref=report.ref)


def test_who_only_sees_a_report_neither_runs_nor_stops_it(
    tenant: Tenant, auditor: Principal
) -> None:
    report = saving.a_report(auditor, shared_with=["conformidade"])
    other = factories.a_principal(tenant, Role.CONFORMIDADE)
    with tenant_scope(tenant.pk):
        for act in (saved.run_now, saved.pause, saved.delete):
            with pytest.raises(NotYoursError):
                act(person=other, ref=report.ref)


def test_an_admin_stops_a_report_and_does_not_run_it(tenant: Tenant, auditor: Principal) -> None:
    report, boss = saving.a_report(auditor), factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        with pytest.raises(NotYoursError):
            saved.run_now(person=boss, ref=report.ref)
        saved.pause(person=boss, ref=report.ref)
    assert saving.again(report).state == ReportState.PAUSED


def test_nobody_saves_a_query_they_may_not_open(tenant: Tenant) -> None:
    approver = factories.a_principal(tenant, Role.APROVADOR)
    with pytest.raises(RoleRequiredError):
        saving.a_report(approver, slug="quem-leu-o-que")


def test_a_document_number_is_not_kept(tenant: Tenant, auditor: Principal) -> None:
    with pytest.raises(ParametersError):
        saving.a_report(auditor, slug="historico-da-entidade", address={"entidade": factories.CPF})


def test_the_page_saves_what_the_query_s_address_asks_and_shows_it_in_the_list(
    tenant: Tenant, auditor: Principal
) -> None:
    browser = as_(auditor)
    query = f"/trilha/consultas/{saving.IRREVERSIBLE}/"
    assert "salvar/?periodo=ontem" in browser.read(f"{query}?periodo=ontem")
    page = browser.send(
        f"{query}salvar/guardar/?periodo=ontem", nome="Ontem", agenda="diario", hora="7"
    )
    assert "ontem" in page
    assert "todo dia, 07:00" in browser.read(LIST)


def test_a_name_is_asked_for_and_what_was_filled_in_stays(
    tenant: Tenant, auditor: Principal
) -> None:
    address = f"/trilha/consultas/{saving.IRREVERSIBLE}/salvar/guardar/?periodo=ontem"
    page = as_(auditor).send(address, nome="", agenda="mensal", hora="7")
    assert re.search(r'value="mensal"[^>]*checked', page)
    assert "periodo=ontem" in page


def test_an_empty_list_says_how_to_save_one(tenant: Tenant, auditor: Principal) -> None:
    assert "Nenhum relatório salvo" in as_(auditor).read(LIST)


def test_a_notice_is_of_the_kind_that_names_reports(
    tenant: Tenant, auditor: Principal, admin: Connection
) -> None:
    a_first_answer(admin, auditor, tenant)
    (notice,) = noticing.notices(tenant)
    assert notice.kind == Kind.RELATORIO
