"""How a page follows an execution, and how it tells the time."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from approvals.models import ExecutionState
from opspilot.tenancy.principal import Role
from tests import factories
from tests.conftest import Connection
from tests.db.browsing import a_browser, as_
from tests.db.executing import change
from tests.factories import Approved

pytestmark = pytest.mark.usefixtures("committed")

LATER = Now() + dt.timedelta(minutes=10)
DATED = '<ol class="timeline dated">'


def pace(approved: Approved) -> str:
    page = as_(approved.approver).read(f"/aprovacoes/{approved.proposal.ref}/")
    found = re.search(r'id="andamento"(?: data-poll="(\w+)")?', page)
    assert found
    return found[1] or ""


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"state": ExecutionState.RETIDA}, "fast"),
        ({"state": ExecutionState.RETIDA, "not_before": LATER}, "slow"),
        ({"state": ExecutionState.EM_ENVIO}, "fast"),
        ({"state": ExecutionState.DESCONHECIDA, "next_lookup_at": LATER}, "slow"),
        ({"state": ExecutionState.DESCONHECIDA}, ""),
        ({"state": ExecutionState.CONCLUIDA}, ""),
        ({"state": ExecutionState.BLOQUEADA}, ""),
        ({"state": ExecutionState.DIVERGENTE}, ""),
    ],
)
def test_a_page_follows_only_what_goes_on_without_a_person(
    values: dict[str, Any], expected: str
) -> None:
    approved = factories.an_approved_execution()
    change(approved, **values)
    assert pace(approved) == expected


@pytest.mark.parametrize(
    ("seconds", "sentence"),
    [(0, "A execução começa agora."), (60, "Executa em ")],
)
def test_the_last_vote_is_told_when_the_execution_starts(seconds: int, sentence: str) -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, hold_seconds={"baixo": seconds, "medio": 0, "alto": 0})
    proposal = factories.a_proposal(tenant)
    path = f"/aprovacoes/{proposal.ref}/aprovar/"
    page = a_browser(tenant, Role.APROVADOR).send(path, acao_hash=proposal.acao_hash)
    assert re.search(r"Aprovada às \d\d:\d\d:\d\d\.", page)
    assert sentence in page


def test_a_vote_that_is_not_the_last_one_starts_nothing() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, alias="nucleo", assignees=())
    path = f"/aprovacoes/{proposal.ref}/aprovar/"
    browser = a_browser(tenant, Role.APROVADOR).just_proved()
    page = browser.send(path, acao_hash=proposal.acao_hash)
    assert "A execução começa" not in page
    assert "Seu voto foi gravado às " in page


def test_a_timeline_of_today_shows_hours_alone_and_an_older_one_its_dates(
    admin: Connection,
) -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    proposal = factories.a_proposal(tenant, by=by)
    path = f"/aprovacoes/{proposal.ref}/"
    assert DATED not in as_(by).read(path)
    admin.execute(
        "UPDATE agente_aprovacao SET criada_em = criada_em - interval '3 days' WHERE id = %s",
        [proposal.pk],
    )
    assert DATED in as_(by).read(path)


def test_a_run_of_another_day_shows_its_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    approved = factories.an_approved_execution()
    path = f"/rodadas/{approved.proposal.correlacao_id}/"
    tenant, by, run_id = approved.tenant, approved.requester, approved.proposal.correlacao_id
    factories.a_run(tenant, by=by, ref=run_id)
    assert DATED not in as_(by).read(path)
    tomorrow = timezone.localdate() + dt.timedelta(days=1)
    monkeypatch.setattr("opspilot.presentation.days.timezone.localdate", lambda: tomorrow)
    assert DATED in as_(by).read(path)


@pytest.mark.parametrize(("era", "told"), [("retida", False), ("em_envio", True), ("", True)])
def test_a_page_that_follows_tells_a_state_only_when_it_is_another(era: str, told: bool) -> None:
    approved = factories.an_approved_execution()
    address = f"/aprovacoes/{approved.proposal.ref}/?era={era}"
    page = as_(approved.approver).client.get(address, HTTP_HX_REQUEST="true").content.decode()
    assert ('data-announce="Na fila de execução."' in page) == told
