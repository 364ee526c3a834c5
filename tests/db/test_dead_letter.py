"""What the worker gave up is seen in one place, and an admin has it tried again with a reason."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.db.models import Model

from approvals.models import Execution, ExecutionState, PackState, ProofPack
from audit.models import AgenteAcao, ReportState, SavedReport, SavedReportRun, Trace, TraceState
from grounding.access import granting
from grounding.models import Upload, UploadState
from opspilot.accounts.models import MailKind, MailState, OutgoingMail
from opspilot.dead_letter import lanes, page, redriving
from opspilot.dead_letter.errors import NothingMarkedError, ReasonTooShortError
from opspilot.dead_letter.redriving import Outcome
from opspilot.errors import RoleRequiredError
from opspilot.harness.models import Run, RunState
from opspilot.notices.models import Kind, Notice, NoticeState
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db import giving_up
from tests.db.browsing import a_browser, as_

pytestmark = pytest.mark.django_db
REASON = "O disco foi esvaziado às 9 horas."


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def admin(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.ADMIN, Role.AUDITOR)


def counted(tenant: Tenant) -> dict[str, int]:
    """Of the lanes in which something is stopped."""
    with tenant_scope(tenant.pk):
        return {slug: count for slug, count in lanes.counts().items() if count}


def offered(admin: Principal) -> list[str]:
    """Every name that the page would post."""
    with tenant_scope(admin.tenant_id):
        lines = [line for section in page.sections(admin) for line in section.lines]
    return [line.name for line in lines if line.name]


def again(admin: Principal, *marked: str) -> Outcome:
    with tenant_scope(admin.tenant_id):
        return redriving.try_again(admin=admin, marked=marked, reason=REASON)


def fresh(row: Model, tenant: Tenant) -> Model:
    with tenant_scope(tenant.pk):
        row.refresh_from_db()
    return row


def recorded(tenant: Tenant) -> list[AgenteAcao]:
    with tenant_scope(tenant.pk):
        return list(AgenteAcao.objects.filter(acao="trabalho.repetido"))


MAKE: dict[str, Callable[[Principal], object]] = {
    "rodada": lambda admin: giving_up.a_run(_tenant(admin)),
    "arquivo": lambda admin: giving_up.an_upload(_tenant(admin)),
    "aviso": lambda admin: giving_up.a_notice(_tenant(admin)),
    "carta": lambda admin: giving_up.a_letter(User.objects.get(pk=admin.user_id)),
    "rastro": lambda admin: giving_up.a_trace(_tenant(admin)),
    "amostra": lambda admin: giving_up.a_pack(_tenant(admin)),
    "relatorio": giving_up.a_report,
}


def _aged(model: type[Model], field: str) -> Callable[[], object]:
    """The moment by which its lane goes is long past; its state stays."""
    return lambda: model._default_manager.update(**{field: clock.now() - giving_up.LONG_AGO})


def _paused_by_a_person() -> object:
    report = SavedReport.objects.get()
    return SavedReportRun.objects.create(tenant_id=report.tenant_id, report=report, version=1)


def _trace_asked_anew() -> object:
    trace = Trace.objects.select_related("tenant").get()
    return giving_up.a_trace(
        trace.tenant, entity_ref=trace.entity_ref, state=TraceState.READY, code=""
    )


def _pack_asked_anew() -> object:
    pack = ProofPack.objects.select_related("tenant").get()
    return giving_up.a_pack(pack.tenant, seed=pack.seed, state=PackState.READY, code="")


NO_LONGER: dict[str, Callable[[], object]] = {
    "rodada": _aged(Run, "finished_at"),
    "arquivo": _aged(Upload, "finished_at"),
    "aviso": _aged(Notice, "settled_at"),
    "rastro": _trace_asked_anew,
    "amostra": _pack_asked_anew,
    "relatorio": _paused_by_a_person,
}


def _tenant(admin: Principal) -> Tenant:
    with tenant_scope(admin.tenant_id):
        return Tenant.objects.get(pk=admin.tenant_id)


def test_a_company_in_which_nothing_stopped_counts_nothing(tenant: Tenant) -> None:
    assert counted(tenant) == {}


@pytest.mark.parametrize("slug", MAKE)
def test_what_a_lane_gave_up_is_counted_offered_and_queued_again_once(
    admin: Principal, slug: str
) -> None:
    MAKE[slug](admin)
    tenant = _tenant(admin)
    assert counted(tenant) == {slug: 1}
    (name,) = offered(admin)
    assert name.startswith(f"{slug}:")
    assert again(admin, name) == Outcome(queued=1, left=0)
    assert counted(tenant) == {}
    assert again(admin, name) == Outcome(queued=0, left=1)
    (row,) = recorded(tenant)
    assert (row.saida_resumo, row.entrada_resumo) == (f"{slug}: {REASON}", admin.signature)


@pytest.mark.parametrize(
    ("slug", "kind"),
    [
        ("rodada", "run"),
        ("arquivo", "upload"),
        ("aviso", "notice"),
        ("rastro", "traces"),
        ("amostra", "packs"),
    ],
)
def test_what_is_tried_again_is_due(admin: Principal, slug: str, kind: str) -> None:
    MAKE[slug](admin)

    def mine() -> list[uuid.UUID | None]:
        return [owner for owner, _ in tasks.due(kind, 100_000) if owner == admin.tenant_id]  # type: ignore[arg-type]

    assert mine() == []
    again(admin, *offered(admin))
    assert mine() == [admin.tenant_id]


def test_each_begins_with_all_its_attempts(admin: Principal, tenant: Tenant) -> None:
    made = [giving_up.a_run(tenant), giving_up.an_upload(tenant), giving_up.a_notice(tenant)]
    again(admin, *offered(admin))
    assert [fresh(row, tenant).attempts for row in made] == [0, 0, 0]  # type: ignore[attr-defined]


def test_an_effect_is_shown_with_its_page_and_never_repeated_from_here() -> None:
    approved = giving_up.an_effect()
    admin = factories.a_principal(approved.tenant, Role.ADMIN)
    assert counted(approved.tenant) == {"execucao": 1}
    assert offered(admin) == []
    browser = as_(admin)
    text = browser.read("/fila/")
    assert f'href="/aprovacoes/{approved.proposal.ref}/"' in text
    assert "Tentar de novo os marcados" not in text
    before = approved.execution().updated_at
    assert again(admin, f"execucao:{approved.proposal.ref}") == Outcome(queued=0, left=1)
    assert approved.execution().updated_at == before


def test_an_unknown_effect_is_stopped_only_when_nobody_looks_for_it_any_more() -> None:
    searched = giving_up.an_effect(ExecutionState.DESCONHECIDA, next_lookup_at=clock.now())
    assert counted(searched.tenant) == {}
    with tenant_scope(searched.tenant.pk):
        Execution.objects.update(next_lookup_at=None)
    assert counted(searched.tenant) == {"execucao": 1}


def test_a_run_in_review_is_there_with_those_that_failed(admin: Principal, tenant: Tenant) -> None:
    run = giving_up.a_run(tenant, state=RunState.REVIEW, code="modelo_em_pausa", finished_at=None)
    assert "em revisão: nenhum modelo respondeu" in as_(admin).read("/fila/")
    assert again(admin, *offered(admin)).queued == 1
    assert isinstance(found := fresh(run, tenant), Run)
    assert found.state == RunState.QUEUED


def test_a_run_tried_again_waits_from_now_on(admin: Principal, tenant: Tenant) -> None:
    run = giving_up.a_run(tenant, created_at=clock.now() - giving_up.LONG_AGO)
    again(admin, *offered(admin))
    assert isinstance(found := fresh(run, tenant), Run)
    assert found.lease_until is not None
    assert (clock.now() - found.lease_until).total_seconds() < 60


def test_a_destination_s_test_and_what_is_long_past_are_not_shown(tenant: Tenant) -> None:
    giving_up.a_notice(tenant, kind=Kind.TESTE)
    long_ago = clock.now() - giving_up.LONG_AGO
    giving_up.a_notice(tenant, settled_at=long_ago)
    giving_up.a_run(tenant, finished_at=long_ago)
    giving_up.a_trace(tenant, asked_at=long_ago)
    assert counted(tenant) == {}


def test_a_run_that_a_person_took_over_is_theirs(admin: Principal, tenant: Tenant) -> None:
    run = giving_up.a_run(tenant, state=RunState.REVIEW, held_by="operador 2 (usuario:2)")
    assert counted(tenant) == {}
    assert again(admin, f"rodada:{run.ref}") == Outcome(queued=0, left=1)
    assert isinstance(found := fresh(run, tenant), Run)
    assert (found.state, found.held_by) == (RunState.REVIEW, run.held_by)


@pytest.mark.parametrize("slug", ["rodada", "arquivo", "aviso", "rastro", "amostra", "relatorio"])
def test_only_what_the_page_offers_is_tried_again(admin: Principal, slug: str) -> None:
    MAKE[slug](admin)
    (name,) = offered(admin)
    with tenant_scope(admin.tenant_id):
        NO_LONGER[slug]()
    assert counted(_tenant(admin)) == {}
    assert again(admin, name) == Outcome(queued=0, left=1)


def test_what_was_asked_for_anew_is_not_stopped(tenant: Tenant) -> None:
    trace, pack = giving_up.a_trace(tenant), giving_up.a_pack(tenant)
    giving_up.a_trace(tenant, entity_ref=trace.entity_ref, state=TraceState.READY)
    giving_up.a_pack(tenant, seed=pack.seed, state=PackState.READY)
    assert counted(tenant) == {}


def test_a_report_that_a_person_paused_is_not_stopped(admin: Principal, tenant: Tenant) -> None:
    report = giving_up.a_report(admin)
    with tenant_scope(tenant.pk):
        SavedReport.objects.update(state=ReportState.ACTIVE)
    assert counted(tenant) == {}
    assert isinstance(fresh(report, tenant), SavedReport)


def test_a_letter_with_a_link_to_a_new_password_is_sent_only_to_who_asks(admin: Principal) -> None:
    giving_up.a_letter(User.objects.get(pk=admin.user_id), kind=MailKind.RESET)
    assert counted(_tenant(admin)) == {}


def test_letters_of_another_company_s_people_are_not_there(admin: Principal) -> None:
    letter = giving_up.a_letter(factories.a_person(factories.a_tenant(), Role.ADMIN))
    assert counted(_tenant(admin)) == {}
    for marked in (f"carta:{letter.pk}", f"carta:{uuid.uuid4()}"):
        assert again(admin, marked) == Outcome(queued=0, left=1)
    letter.refresh_from_db()
    assert letter.state == MailState.FAILED


def test_another_company_s_work_is_neither_seen_nor_tried_again(admin: Principal) -> None:
    other = factories.a_tenant()
    theirs = factories.a_principal(other, Role.ADMIN)
    giving_up.a_run(other)
    giving_up.a_trace(other)
    names = offered(theirs)
    assert offered(admin) == []
    assert again(admin, *names) == Outcome(queued=0, left=2)
    assert counted(other) == {"rodada": 1, "rastro": 1}


def test_a_file_of_a_collection_that_the_admin_does_not_read_is_not_named(
    admin: Principal, tenant: Tenant
) -> None:
    upload = giving_up.an_upload(tenant)
    with tenant_scope(tenant.pk):
        row = Upload.objects.select_related("collection").get(pk=upload.pk)
        assert page.sections(admin)[0].lines[0].line.title == row.name
        for role in Role:
            granting.revoke(
                principal=admin, collection=row.collection, subject=f"papel:{role}", reason=REASON
            )
        (line,) = page.sections(admin)[0].lines
    assert (line.name, row.name in line.line.title) == ("", False)
    assert again(admin, f"arquivo:{row.ref}") == Outcome(queued=0, left=1)


def test_a_trace_names_who_asked_and_not_whom_it_is_about(admin: Principal, tenant: Tenant) -> None:
    trace = giving_up.a_trace(tenant)
    text = as_(admin).read("/fila/")
    assert "pedido por conformidade 1" in text
    assert str(trace.entity_ref) not in text


def test_it_needs_a_reason_a_mark_and_an_admin(admin: Principal, tenant: Tenant) -> None:
    giving_up.a_run(tenant)
    names = offered(admin)
    with tenant_scope(tenant.pk):
        with pytest.raises(ReasonTooShortError):
            redriving.try_again(admin=admin, marked=names, reason="   já   ")
        with pytest.raises(NothingMarkedError):
            redriving.try_again(admin=admin, marked=[], reason=REASON)
        with pytest.raises(RoleRequiredError):
            redriving.try_again(
                admin=factories.a_principal(tenant, Role.APROVADOR), marked=names, reason=REASON
            )
    assert counted(tenant) == {"rodada": 1}


@pytest.mark.parametrize("role", list(Role))
def test_only_admins_open_the_page_and_have_its_link(tenant: Tenant, role: Role) -> None:
    browser = a_browser(tenant, role)
    assert browser.status("/fila/") == (200 if role == Role.ADMIN else 403)
    assert ('href="/fila/"' in browser.read("/")) == (role == Role.ADMIN)


def test_the_page_says_when_nothing_is_stopped(tenant: Tenant) -> None:
    assert "Nada parado" in a_browser(tenant, Role.ADMIN).read("/fila/")


def test_the_form_queues_what_is_marked_and_says_how_many(admin: Principal, tenant: Tenant) -> None:
    giving_up.a_run(tenant)
    giving_up.a_trace(tenant)
    names = offered(admin)
    text = as_(admin).send(
        "/fila/tentar/", marcado=[*names, f"rastro:{uuid.uuid4()}"], motivo=REASON
    )
    assert "2 voltaram à fila." in text
    assert "1 não estava mais parado." in text
    assert "Nada parado" in text


def test_a_short_reason_keeps_the_marks(admin: Principal, tenant: Tenant) -> None:
    giving_up.a_run(tenant)
    (name,) = offered(admin)
    response = as_(admin).client.post("/fila/tentar/", {"marcado": name, "motivo": "já"})
    text = response.content.decode()
    assert response.status_code == 422
    assert f'value="{name}" checked' in text
    assert "já</textarea>" in text


def test_the_dashboard_says_how_much_is_stopped(admin: Principal, tenant: Tenant) -> None:
    browser = as_(admin)
    assert "nada parado" in browser.read("/")
    giving_up.a_run(tenant)
    giving_up.a_pack(tenant)
    assert "2 parados" in browser.read("/")


def test_models_of_the_lanes_are_written_by_nobody_here(admin: Principal, tenant: Tenant) -> None:
    """Every kind at once: what is not marked stays as it is."""
    for make in MAKE.values():
        make(admin)
    (marked, *_others) = offered(admin)
    assert again(admin, marked) == Outcome(queued=1, left=0)
    assert sum(counted(tenant).values()) == len(MAKE) - 1
    with tenant_scope(tenant.pk):
        assert Upload.objects.get().state == UploadState.REJECTED
        assert Notice.objects.get().state == NoticeState.FALHOU
        assert Trace.objects.get().state == TraceState.FAILED
        assert ProofPack.objects.get().state == PackState.FAILED
    assert OutgoingMail.objects.filter(user_id=admin.user_id).get().state == MailState.FAILED
