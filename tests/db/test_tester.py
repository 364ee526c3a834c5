"""The tester gives every reason for one action, of any kind, and not one row comes of it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from psycopg import sql

from approvals import policies
from approvals.actions import InvalidCommandError
from approvals.policy import tester
from approvals.policy.tester import Asker, TestResult
from approvals.rules import NoPolicyError
from opspilot.errors import NotFoundError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import tasking

pytestmark = pytest.mark.usefixtures("committed")
COUNT = sql.SQL("SELECT count(*) FROM {}")
OPERADOR = Asker(frozenset({Role.OPERADOR}))
TASK = tasking.COMMAND | {"kind": "tarefa.executada"}
ISSUE = {"kind": "issue.criada", "alias": "infra", "labels": ["incidente"]}


@pytest.fixture
def home() -> Tenant:
    tenant = factories.a_tenant()
    tasking.a_policy(tenant)
    return tenant


def asked(
    tenant: Tenant,
    action: dict[str, Any],
    asker: Asker = OPERADOR,
    draft: uuid.UUID | None = None,
) -> TestResult:
    with tenant_scope(tenant.pk):
        return tester.test_action(asker=asker, action=action, draft=draft)


def counts(admin: Connection) -> dict[str, int]:
    """How many rows every table of the database has."""
    tables = admin.execute(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
        " AND relnamespace = 'public'::regnamespace"
    ).fetchall()
    return {
        name: admin.execute(COUNT.format(sql.Identifier(name))).fetchone()[0]  # type: ignore[index]
        for (name,) in tables
    }


def test_not_one_row_of_any_table_comes_of_testing(home: Tenant, admin: Connection) -> None:
    before = counts(admin)
    assert before["agente_aprovacao"] >= 0
    for action in (TASK, ISSUE, TASK | {"limit": "all"}, {"kind": "estorno.emitido"}):
        for asker in (OPERADOR, Asker(frozenset(), "monitor", "nenhuma")):
            asked(home, action, asker)
    assert counts(admin) == before


def test_an_allowed_task_says_what_it_would_take(home: Tenant) -> None:
    found = asked(home, TASK)
    assert found.allowed
    assert found.outcome is not None
    assert (found.outcome.risk, found.outcome.quorum) == ("medio", 1)
    assert (found.outcome.approver_role, found.hold_seconds) == ("aprovador", 10)
    assert (found.expires_minutes, found.execute_within_minutes) == (60, 30)
    assert (found.policy, found.codes) == (1, ())


def test_every_reason_is_given_at_once(home: Tenant) -> None:
    asker = Asker(frozenset({Role.AUDITOR}), "", "nenhuma")
    found = asked(home, TASK | {"limit": "all", "server_action": "stop", "x": "y"}, asker)
    assert found.codes == (
        "papel_nao_pede",
        "sem_base",
        "destino_nao_e_um_host",
        "host_desconhecido",
        "variavel_desconhecida",
        "valor_nao_permitido",
    )
    assert found.outcome is None
    assert found.hold_seconds is None


def test_an_issue_is_tested_without_its_words(home: Tenant) -> None:
    assert asked(home, ISSUE).allowed
    assert asked(home, ISSUE | {"labels": ["urgente"]}).codes == ("etiqueta_desconhecida",)


def test_a_draft_is_asked_like_the_policy_in_force(home: Tenant) -> None:
    document = tasking.document(templates=tasking.templates("servico-acao", hosts=["srv-novo"]))
    author = factories.a_principal(home, Role.ADMIN)
    with tenant_scope(home.pk):
        draft = policies.draft(author=author, document=document, reason="Um host a menos.")
    assert asked(home, TASK).allowed
    found = asked(home, TASK, draft=draft.ref)
    assert (found.codes, found.draft) == (("host_desconhecido",), draft.ref)


def test_another_tenant_s_draft_is_not_there(home: Tenant) -> None:
    author = factories.a_principal(home, Role.ADMIN)
    with tenant_scope(home.pk):
        draft = policies.draft(
            author=author, document=tasking.document(expires_minutes=5), reason="Mais depressa."
        )
    stranger = factories.a_tenant()
    factories.a_policy(stranger)
    with pytest.raises(NotFoundError):
        asked(stranger, TASK, draft=draft.ref)


def test_a_policy_without_tasks_answers_and_has_no_times(home: Tenant) -> None:
    factories.a_policy(home)
    found = asked(home, TASK)
    assert found.codes[0] == "tarefas_nao_permitidas"
    assert found.expires_minutes is None


@pytest.mark.parametrize(
    "action", [{}, {"kind": 7}, ISSUE | {"surpresa": 1}, ISSUE | {"alias": ""}]
)
def test_what_is_no_action_is_refused_by_its_fields(home: Tenant, action: dict[str, Any]) -> None:
    with pytest.raises(InvalidCommandError):
        asked(home, action)


def test_a_coverage_there_is_not_is_refused(home: Tenant) -> None:
    with pytest.raises(InvalidCommandError):
        asked(home, TASK, Asker(frozenset(), "", "certa"))


def test_without_a_policy_there_is_nobody_to_ask() -> None:
    with pytest.raises(NoPolicyError):
        asked(factories.a_tenant(), TASK)


def test_it_asks_the_database_no_more_than_for_the_policy(
    home: Tenant, django_assert_max_num_queries: Any
) -> None:
    with tenant_scope(home.pk):
        tester.test_action(asker=OPERADOR, action=TASK, draft=None)  # the policy is read once
    with tenant_scope(home.pk), django_assert_max_num_queries(1, connection=connection):
        tester.test_action(asker=OPERADOR, action=TASK, draft=None)
