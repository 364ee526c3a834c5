"""What a project has open at the remote: read by the worker, shown with its time, deciding nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now

from approvals.inbox import open_issues, open_issues_lane
from approvals.inbox.open_issues import Seen
from approvals.models import AgenteAprovacao, OpenIssueList
from opspilot.connectors.errors import (
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.connectors.issues import OpenIssue, OpenIssues
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db import deciding
from tests.db.deciding import approver
from tests.db.reading import the_page_of

pytestmark = pytest.mark.usefixtures("committed")

TITLE = "Reiniciar o consumidor de pagamentos"


class FakeLists:
    """An IssueLists that gives the same answer, or fails the same way, every time."""

    def __init__(
        self, *titles: str, complete: bool = True, failing: Exception | None = None
    ) -> None:
        self.titles, self.complete, self.failing = titles, complete, failing
        self.asked: list[int] = []
        self.meanwhile: Callable[[], Any] = lambda: None

    def open_issues(self, project_id: int, *, pages: int) -> OpenIssues:
        self.asked.append(project_id)
        self.meanwhile()
        if self.failing is not None:
            raise self.failing
        found = [
            OpenIssue(number, title, f"https://git.example/{number}")
            for number, title in enumerate(self.titles, start=1)
        ]
        return OpenIssues(tuple(found), self.complete)


def the_list(tenant: Tenant) -> OpenIssueList:
    with tenant_scope(tenant.pk):
        return OpenIssueList.objects.get()


def change(tenant: Tenant, **values: Any) -> None:
    with tenant_scope(tenant.pk):
        OpenIssueList.objects.update(**values)


def refresh(tenant: Tenant, lists: FakeLists) -> None:
    open_issues_lane.refresh(tenant_id=tenant.pk, list_id=the_list(tenant).pk, lists=lists)


def seen(proposal: AgenteAprovacao) -> Seen:
    with tenant_scope(proposal.tenant_id):
        read = the_page_of(proposal)
        found = open_issues.seen(read.proposal, read.around.issues)
    assert found is not None
    return found


def test_a_new_proposal_has_the_list_of_its_project_read() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    assert (tenant.pk, the_list(tenant).pk) in tasks.due("issues", 10_000)
    assert seen(proposal).looked_at is None


def test_proposals_about_one_project_share_its_list() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    factories.a_proposal(tenant)
    factories.a_proposal(tenant, alias="nucleo", assignees=())
    with tenant_scope(tenant.pk):
        assert OpenIssueList.objects.count() == 2


def test_like_issues_are_shown_with_the_time_they_were_read() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, title=TITLE)
    lists = FakeLists("Trocar o certificado", f"{TITLE} da fila", complete=False)
    before = clock.now()
    refresh(tenant, lists)
    found = seen(proposal)
    assert [issue.iid for issue in found.alike] == [2]
    assert (found.read, found.complete, found.fault) == (2, False, "")
    assert found.looked_at is not None
    assert found.looked_at >= before
    assert lists.asked == [412]


def test_what_was_just_read_is_not_read_again_until_it_is_old() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    lists = FakeLists()
    refresh(tenant, lists)
    refresh(tenant, lists)
    assert len(lists.asked) == 1
    assert the_list(tenant).next_at >= clock.now() + dt.timedelta(minutes=4)
    change(tenant, next_at=Now())
    refresh(tenant, lists)
    assert len(lists.asked) == 2


def test_a_document_number_in_somebody_s_title_is_not_kept() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    refresh(tenant, FakeLists(f"Cliente {factories.CPF} sem acesso"))
    assert [issue["title"] for issue in the_list(tenant).issues] == ["Cliente [CPF] sem acesso"]


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (RefusedByRemoteError("no", 403), "destino_sem_acesso"),
        (NotSentError("down"), "lista_indisponivel"),
        (OutcomeUnknownError("too slow"), "lista_indisponivel"),
        (ThrottledError("later", 900.0), "destino_ocupado"),
    ],
)
def test_a_remote_that_does_not_answer_is_said_not_to(failure: Exception, code: str) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    refresh(tenant, FakeLists(failing=failure))
    found = seen(proposal)
    assert (found.looked_at, found.fault, found.alike) == (None, code, ())


def test_a_failure_keeps_what_was_read_before_and_its_time() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, title=TITLE)
    refresh(tenant, FakeLists(TITLE))
    read_at = seen(proposal).looked_at
    change(tenant, next_at=Now())
    refresh(tenant, FakeLists(failing=NotSentError("down")))
    found = seen(proposal)
    assert (found.looked_at, found.fault, len(found.alike)) == (read_at, "lista_indisponivel", 1)


def test_a_remote_that_asks_to_wait_is_left_alone_that_long() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    refresh(tenant, FakeLists(failing=ThrottledError("later", 900.0)))
    assert the_list(tenant).next_at > clock.now() + dt.timedelta(minutes=14)


def test_a_reader_that_was_overtaken_writes_nothing() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    late = FakeLists("antiga")

    def overtaken() -> None:
        change(tenant, lease_until=Now() - dt.timedelta(seconds=1))
        refresh(tenant, FakeLists("nova"))

    late.meanwhile = overtaken
    refresh(tenant, late)
    assert [issue["title"] for issue in the_list(tenant).issues] == ["nova"]


def test_one_reader_at_a_time() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    second = FakeLists()
    first = FakeLists()
    first.meanwhile = lambda: refresh(tenant, second)
    refresh(tenant, first)
    assert (len(first.asked), len(second.asked)) == (1, 0)


def test_a_project_nobody_decides_about_any_more_is_not_read() -> None:
    tenant = factories.a_tenant()
    deciding.refuse(factories.a_proposal(tenant), approver(tenant))
    lists = FakeLists()
    refresh(tenant, lists)
    assert lists.asked == []
    assert (tenant.pk, the_list(tenant).pk) not in tasks.due("issues", 10_000)


def test_a_later_proposal_has_the_list_read_for_longer() -> None:
    tenant = factories.a_tenant()
    factories.a_proposal(tenant)
    change(tenant, wanted_until=Now() - dt.timedelta(seconds=1))
    later = factories.a_proposal(tenant)
    assert the_list(tenant).wanted_until == later.expira_em


def test_the_list_of_one_company_is_no_other_company_s() -> None:
    mine, theirs = factories.a_tenant(), factories.a_tenant()
    proposal = factories.a_proposal(mine, title=TITLE)
    factories.a_proposal(theirs, title=TITLE)
    refresh(theirs, FakeLists(TITLE))
    assert seen(proposal).looked_at is None
    open_issues_lane.refresh(
        tenant_id=mine.pk, list_id=the_list(theirs).pk, lists=(lists := FakeLists())
    )
    assert lists.asked == []


def test_reading_a_page_asks_the_remote_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_arguments: object, **_values: object) -> None:
        raise AssertionError("the web process asked the remote")

    monkeypatch.setattr("opspilot.connectors.http.BoundedClient.request", nobody)
    proposal = factories.a_proposal(factories.a_tenant())
    assert seen(proposal).looked_at is None
