"""What the worker checks at the remotes, how the page says it, and the command that asks now."""

from __future__ import annotations

import datetime as dt
import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now
from pytest_django import Settings

from approvals import policies
from opspilot.conectores import asking, checks, lane
from opspilot.conectores.models import Connector, ConnectorCheck
from opspilot.connectors import readers
from opspilot.connectors.errors import BreakerOpenError, NotSentError, RefusedByRemoteError
from opspilot.resilience.models import Breaker
from opspilot.sandbox.process import start_gitlab
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.roles import CONNECTOR_CHECKERS, CONNECTOR_READERS
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db.browsing import a_browser
from tests.db.checking import FakeGitLab

pytestmark = pytest.mark.usefixtures("committed")
FIXTURES = Path(policies.__file__).parent / "fixtures"
INDEX, PRESS = "/conectores/", "/conectores/conferir/"
PATHS = {
    project["project_id"]: project["path"] for project in factories.POLICY["projects"].values()
}
LABELS = frozenset(
    label for project in factories.POLICY["projects"].values() for label in project["labels"]
)


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def healthy(**changes: Any) -> FakeGitLab:
    return FakeGitLab(**{"paths": PATHS, "labels_there": LABELS} | changes)


def the_row(tenant: Tenant, connector: Connector = Connector.GITLAB) -> ConnectorCheck:
    with tenant_scope(tenant.pk):
        return ConnectorCheck.objects.get(connector=connector)


def change(tenant: Tenant, **values: Any) -> None:
    with tenant_scope(tenant.pk):
        ConnectorCheck.objects.filter(connector=Connector.GITLAB).update(**values)


def checked(tenant: Tenant, reader: FakeGitLab) -> ConnectorCheck:
    """The row of GitLab after one look of the worker."""
    lane.refresh(tenant_id=tenant.pk, check_id=lane.NO_ROWS)
    change(tenant, next_at=Now())
    lane.refresh(tenant_id=tenant.pk, check_id=the_row(tenant).pk, reader=reader)
    return the_row(tenant)


def test_a_company_that_was_never_checked_is_due_and_its_rows_are_made() -> None:
    tenant = factories.a_tenant()
    factories.a_person(tenant, Role.ADMIN)
    assert (tenant.pk, lane.NO_ROWS) in tasks.due("checks", 100_000)
    lane.refresh(tenant_id=tenant.pk, check_id=lane.NO_ROWS)
    with tenant_scope(tenant.pk):
        made = [(tenant.pk, row.pk) for row in ConnectorCheck.objects.all()]
    due = tasks.due("checks", 100_000)
    assert len(made) == len(Connector)
    assert set(made) <= set(due)
    assert (tenant.pk, lane.NO_ROWS) not in due


def test_a_remote_as_the_policy_has_it_is_well(tenant: Tenant) -> None:
    row = checked(tenant, healthy())
    assert (row.worst, row.basis) == ("ok", "")
    assert {found["check"] for found in row.findings} >= {"alcance", "projeto", "etiquetas"}


def test_what_the_policy_allows_is_asked_of_the_remote(tenant: Tenant) -> None:
    row = checked(tenant, healthy(labels_there=frozenset({"runbook"})))
    missing = [found for found in row.findings if found["check"] == "etiquetas"]
    assert row.worst == "falha"
    assert missing[0]["facts"]["faltam"] == ["incidente"]


def test_the_next_check_is_a_quarter_of_an_hour_away(tenant: Tenant) -> None:
    row = checked(tenant, healthy())
    assert row.next_at is not None
    assert row.checked_at is not None
    assert row.next_at - row.checked_at == dt.timedelta(minutes=15)
    assert (tenant.pk, row.pk) not in tasks.due("checks", 100_000)


def test_with_no_pace_only_a_person_has_it_checked(tenant: Tenant, settings: Settings) -> None:
    settings.OPSPILOT_CHECK_SECONDS = 0.0
    assert checked(tenant, healthy()).next_at is None
    with tenant_scope(tenant.pk):
        checks.press()
    assert (tenant.pk, the_row(tenant).pk) in tasks.due("checks", 100_000)


def test_a_check_that_is_not_due_asks_nothing(tenant: Tenant) -> None:
    row, reader = checked(tenant, healthy()), healthy()
    lane.refresh(tenant_id=tenant.pk, check_id=row.pk, reader=reader)
    assert reader.asked == []


def test_a_remote_that_does_not_answer_is_one_finding(tenant: Tenant) -> None:
    row = checked(tenant, healthy(failing=NotSentError("x")))
    assert row.findings == [
        {"check": "alcance", "state": "falha", "facts": {"motivo": "sem_resposta"}}
    ]


def test_an_open_breaker_leaves_the_last_result_and_waits(tenant: Tenant) -> None:
    before = checked(tenant, healthy())
    row = checked(tenant, healthy(failing=BreakerOpenError("x", 30.0)))
    assert (row.worst, row.checked_at) == ("ok", before.checked_at)
    assert row.next_at is not None
    assert row.lease_until is None


def test_a_worker_that_lost_the_row_writes_nothing(tenant: Tenant) -> None:
    before = checked(tenant, healthy())
    late = healthy(labels_there=frozenset())
    late.meanwhile = lambda: change(tenant, claim_token="6a1f24a8-8b1c-4d7e-9b1a-1f2e3d4c5b6a")
    row = checked(tenant, late)
    assert (row.worst, row.checked_at) == ("ok", before.checked_at)
    assert late.asked == ["version"]


def test_without_a_policy_the_instance_is_checked_all_the_same() -> None:
    tenant = factories.a_tenant()
    row = checked(tenant, healthy())
    assert (row.worst, row.basis) == ("ok", "sem_politica")


def test_a_connector_with_no_address_is_said_to_be_none(tenant: Tenant, settings: Settings) -> None:
    settings.OPSPILOT_GITLAB_URL = ""
    reader = healthy()
    assert checked(tenant, reader).basis == "nao_configurado"
    assert reader.asked == []
    assert "Este conector não está configurado" in a_browser(tenant, Role.AUDITOR).read(INDEX)


@pytest.mark.parametrize("role", list(Role))
def test_who_reads_the_page_and_who_presses(tenant: Tenant, role: Role) -> None:
    browser = a_browser(tenant, role)
    assert browser.status(INDEX) == (200 if role in CONNECTOR_READERS else 403)
    assert ("Conferir agora" in browser.read(INDEX)) == (role in CONNECTOR_CHECKERS)
    pressed = browser.client.post(PRESS)
    assert pressed.status_code == (302 if role in CONNECTOR_CHECKERS else 403)


def test_before_the_first_check_the_page_says_so(tenant: Tenant) -> None:
    assert "Ainda não foi conferido" in a_browser(tenant, Role.ADMIN).read(INDEX)


def test_a_finding_says_what_it_means_and_what_to_do(tenant: Tenant) -> None:
    checked(tenant, healthy(labels_there=frozenset({"runbook"})))
    page = a_browser(tenant, Role.ADMIN).read(INDEX)
    assert "Não existem em aurora/infra: incidente." in page
    assert "Crie as etiquetas no GitLab ou tire-as da política." in page


def test_what_is_well_is_one_line_with_its_details_folded(tenant: Tenant) -> None:
    checked(tenant, healthy())
    page = a_browser(tenant, Role.ADMIN).read(INDEX)
    well = len(the_row(tenant).findings)
    assert f"{well} verificações em ordem" in " ".join(page.split())
    shown, _fold, folded = page.partition("em ordem")
    assert "O endereço configurado responde." not in shown
    assert "O endereço configurado responde." in folded


def test_what_is_not_well_stands_outside_the_fold(tenant: Tenant) -> None:
    checked(tenant, healthy(labels_there=frozenset()))
    page = a_browser(tenant, Role.ADMIN).read(INDEX)
    assert "Etiquetas" in page.partition("em ordem")[0]


def test_a_result_of_more_than_an_hour_is_called_old(tenant: Tenant) -> None:
    checked(tenant, healthy())
    admin = a_browser(tenant, Role.ADMIN)
    assert "mais de uma hora" not in admin.read(INDEX)
    change(tenant, checked_at=Now() - dt.timedelta(minutes=61))
    assert "mais de uma hora" in admin.read(INDEX)


def test_a_press_makes_the_checks_due_at_once(tenant: Tenant) -> None:
    row = checked(tenant, healthy())
    page = a_browser(tenant, Role.ADMIN).send(PRESS)
    assert "Conferência pedida." in page
    assert (tenant.pk, row.pk) in tasks.due("checks", 100_000)


def test_a_second_press_within_a_minute_is_refused(tenant: Tenant) -> None:
    admin = a_browser(tenant, Role.ADMIN)
    admin.send(PRESS)
    again = admin.client.post(PRESS)
    assert again.status_code == 429
    assert "A conferência acabou de ser pedida" in again.content.decode()
    assert f'href="{INDEX}" aria-keyshortcuts="Escape"' in again.content.decode()


def test_another_company_sees_nothing_of_it(tenant: Tenant) -> None:
    checked(tenant, healthy(labels_there=frozenset()))
    page = a_browser(factories.a_tenant(), Role.ADMIN).read(INDEX)
    assert "aurora/infra" not in page


def test_the_dashboard_has_a_line_only_when_something_is_wrong(tenant: Tenant) -> None:
    admin = a_browser(tenant, Role.ADMIN)
    checked(tenant, healthy())
    assert "GitLab: falha" not in admin.read("/")
    checked(tenant, healthy(labels_there=frozenset()))
    assert "GitLab: falha" in admin.read("/")


def test_the_dashboard_of_an_operador_says_nothing_of_it(tenant: Tenant) -> None:
    checked(tenant, healthy(labels_there=frozenset()))
    assert "GitLab: falha" not in a_browser(tenant, Role.OPERADOR).read("/")


def doctor(*arguments: str, code: int = 0) -> dict[str, Any]:
    """What the command's last line says, once it has ended with this code."""
    out = io.StringIO()
    try:
        call_command("doctor", *arguments, "--json", stdout=out)
        ended = 0
    except SystemExit as exc:
        ended = int(str(exc.code))
    assert ended == code, out.getvalue()
    found: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])
    return found


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> FakeGitLab:
    reader = healthy()
    monkeypatch.setattr(readers, "gitlab_reader", lambda: reader)
    return reader


def test_the_command_ends_with_zero_while_nothing_fails(tenant: Tenant, remote: FakeGitLab) -> None:
    found = doctor("gitlab", "--tenant", tenant.slug)
    assert (found["ok"], found["connectors"]["gitlab"]["worst"]) == (True, "ok")


def test_the_command_ends_with_one_when_something_fails(tenant: Tenant, remote: FakeGitLab) -> None:
    remote.failing = RefusedByRemoteError("x", 401)
    found = doctor("gitlab", "--tenant", tenant.slug, code=1)
    assert found["connectors"]["gitlab"]["findings"] == [
        {"check": "alcance", "state": "falha", "facts": {"motivo": "recusado", "codigo": 401}}
    ]


def test_the_command_stores_nothing(tenant: Tenant, remote: FakeGitLab) -> None:
    doctor("gitlab", "--tenant", tenant.slug)
    with tenant_scope(tenant.pk):
        assert not ConnectorCheck.objects.exists()


def test_a_connector_asked_for_by_name_must_be_configured(
    tenant: Tenant, remote: FakeGitLab, settings: Settings
) -> None:
    settings.OPSPILOT_SEMAPHORE_URL = ""
    assert doctor("--tenant", tenant.slug)["connectors"]["semaphore"]["configured"] is False
    doctor("semaphore", "--tenant", tenant.slug, code=1)


def test_the_command_says_when_a_question_was_put_off(tenant: Tenant, remote: FakeGitLab) -> None:
    remote.failing = BreakerOpenError("x", 12.0)
    found = doctor("gitlab", "--tenant", tenant.slug, code=1)
    facts = found["connectors"]["gitlab"]["findings"][0]["facts"]
    assert facts == {"motivo": "adiado", "segundos": 12}


def test_the_command_knows_no_company_that_is_none() -> None:
    with pytest.raises(CommandError):
        call_command("doctor", "--tenant", "nenhuma-assim")


@pytest.mark.parametrize("company", ["aurora", "boreal"])
def test_the_played_gitlab_is_as_the_demo_policy_takes_it_to_be(
    tmp_path: Path, settings: Settings, company: str
) -> None:
    tenant, sandbox = factories.a_tenant(), start_gitlab(data=tmp_path, token="token-of-a-check")
    document = json.loads((FIXTURES / f"{company}.json").read_text())
    with tenant_scope(tenant.pk):
        policies.install(document=document, by="instalação")
    settings.OPSPILOT_GITLAB_URL = sandbox.base_url
    settings.OPSPILOT_GITLAB_TOKEN = "token-of-a-check"
    readers.gitlab_reader.cache_clear()
    try:
        found = doctor("gitlab", "--tenant", tenant.slug)
    finally:
        readers.gitlab_reader.cache_clear()
        sandbox.stop()
    assert found["connectors"]["gitlab"]["worst"] == "ok"


def test_the_worst_of_nothing_is_well() -> None:
    assert asking.worst([]) == "ok"


def test_a_configured_provider_of_models_shows_how_it_fares(
    tenant: Tenant, settings: Settings
) -> None:
    name = f"provedor-{uuid.uuid4().hex[:8]}"
    settings.OPSPILOT_PROVIDERS = ({"name": name, "url": "http://x/v1", "model": "m"},)
    Breaker.objects.create(connector=f"model:{name}", state="open", opened_at=Now())
    page = a_browser(tenant, Role.ADMIN).read(INDEX)
    assert f"Modelos de {name}" in page
    assert "nada é enviado até lá" in page
