"""Sixty ways to spell a target, through each door: only an allowed host ever leaves.

The witness is what the task runner was asked for, after everybody approved all they could.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import pytest

from approvals.execution import advancing
from approvals.models import AgenteAprovacao, Execution
from opspilot.harness.models import Run
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import at_the_door
from tests.db import tasking
from tests.db.browsing import Browser, as_
from tests.db.deciding import approver
from tests.db.task_runner import FakeRunner

pytestmark = pytest.mark.usefixtures("committed")

REFUSED: tuple[Any, ...] = (
    "", " ", "\t", "\n", ",", ",,", " , ", "*", "**", "all", "ALL", " all ", "ungrouped", "localhost",
    "LOCALHOST", "localhost.localdomain", "127.0.0.1", "127.1", "0.0", "0", "::1", "!srv-pag-02",
    "~srv.*", "~", "srv-pag-02:srv-pag-03", "srv-pag-02&srv-pag-03", "srv-pag-02:!srv-pag-03",
    "@file", "@/etc/hosts", "srv-*", "srv-pag-0?", "srv-pag-[02:03]", "srv-pag-02,*",
    "srv-pag-02,all", "srv-pag-02,", ",srv-pag-02", "srv-pag-02 srv-pag-03",
    "srv-pag-02\nsrv-pag-03", "srv-pag-02\nall", "srv-pag-02;id", "$(id)", "`id`",
    "{{ groups.all }}", "../srv-pag-02", "srv/pag", "srv\\pag", "srv_pag_02", "-srv-pag-02",
    "srv-pag-02-", "--limit=all", "srv-pag-02\x00", "srv-pag-02\u200b", "srv\u2011pag-02",
    "\u0455rv-pag-02", "\uff53rv-pag-02", "\u00a0srv-pag-02", "srv-pag-02\u2028", "srv-pag-02.",
    "a" * 300, "srv-pag-99", "pagamentos", "none", "null", "srv-api-04",
)  # fmt: skip
ALLOWED = ("srv-pag-02", " SRV-PAG-02 ", "srv-pag-02\n")
OTHERS = {"template_id": "21", "server_name": "liq-worker-3", "server_action": "restart"}
WHY = "A fila de liquidação parou e clientes esperam."
SLUG = "monitor-de-filas"


@pytest.fixture
def home() -> Tenant:
    tenant = factories.a_tenant()
    tasking.a_policy(
        tenant,
        templates=tasking.templates("servico-acao", agents=[SLUG], max_hosts=3),
        hold_seconds={"baixo": 0, "medio": 0, "alto": 0},
    )
    tasking.a_reading(tenant.pk)
    return tenant


@pytest.fixture
def person(home: Tenant) -> Browser:
    return as_(factories.a_principal(home, Role.OPERADOR))


def left(home: Tenant, person: Browser) -> list[list[str]]:
    """The targets that were sent, after every run was confirmed and every proposal approved."""
    with tenant_scope(home.pk):
        opened = list(Run.objects.all())
    for run in opened:
        page = person.read(f"/rodadas/{run.ref}/confirmar/")
        found = re.search(r'name="acao_hash" value="([0-9a-f]{64})"', page)
        person.send(f"/rodadas/{run.ref}/confirmar/", acao_hash=found[1] if found else "")
    with tenant_scope(home.pk):
        waiting = list(AgenteAprovacao.objects.order_by("id"))
    by = approver(home)
    for proposal in waiting:
        factories.approve(proposal, by)
    with tenant_scope(home.pk):
        due = list(Execution.objects.values_list("pk", flat=True))
    runner = FakeRunner()
    for pk in due:
        advancing.advance(tenant_id=home.pk, execution_id=pk, runner=runner)
    return [list(body["params"]["limit"]) for body in runner.bodies]


def by_form(home: Tenant, person: Browser, spelt: Iterable[Any]) -> None:
    for limit in spelt:
        data = OTHERS | {"limit": limit, "justificativa": WHY, "cliente": ""}
        person.client.post("/rodadas/tarefa/", data)


def by_paste(home: Tenant, person: Browser, spelt: Iterable[Any]) -> None:
    for limit in spelt:
        fields = OTHERS | {"limit": limit, "justificativa": WHY}
        lines = "\n".join(f"{name}={value}" for name, value in fields.items())
        for text in (json.dumps(fields), json.dumps(fields, ensure_ascii=False), lines):
            person.client.post("/perguntar/enviar/", {"pergunta": text})


def by_api(home: Tenant, person: Browser, spelt: Iterable[Any]) -> None:
    door = at_the_door(home, slug=SLUG)
    for limit in spelt:
        for given in (limit, [limit], [limit, "srv-pag-02"]):
            command = OTHERS | {"limit": given}
            body = {"acao": "tarefa.executada", "comando": command, "justificativa": WHY}
            assert door.post("aprovacoes", body).status in {201, 400, 422}


DOORS = [by_form, by_paste, by_api]


@pytest.mark.parametrize("through", DOORS)
def test_no_spelling_but_an_allowed_host_leaves(
    home: Tenant, person: Browser, through: Any, settings: Any
) -> None:
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 1_000
    assert len(REFUSED) >= 60
    through(home, person, REFUSED)
    assert left(home, person) == []


@pytest.mark.parametrize("through", DOORS)
def test_an_allowed_host_leaves_as_itself_and_alone(
    home: Tenant, person: Browser, through: Any
) -> None:
    through(home, person, ALLOWED)
    sent = left(home, person)
    assert len(sent) >= len(ALLOWED)
    assert all(limit == ["srv-pag-02"] for limit in sent)


def test_an_explicit_list_leaves_as_that_list(home: Tenant, person: Browser) -> None:
    by_form(home, person, ["srv-pag-03, SRV-PAG-02"])
    assert left(home, person) == [["srv-pag-02", "srv-pag-03"]]
