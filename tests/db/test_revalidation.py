"""Asked again right before the effect: what no longer holds fails closed, with nothing sent."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from approvals.errors import NothingToResumeError
from approvals.models import ExecutionState
from tests import factories
from tests.conftest import Connection
from tests.db.executing import (
    advance,
    resume,
    trail,
)
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")


def blocked(approved: Approved, tracker: FakeTracker | None = None) -> str:
    """Advance; nothing may leave. The reason it was blocked for."""
    tracker = tracker or FakeTracker()
    row = advance(approved, tracker)
    assert tracker.count("create") == 0
    assert row.state == ExecutionState.BLOQUEADA
    assert [r.erro for r in trail(approved, "execucao.bloqueada")] == [row.reason]
    return row.reason


def test_a_policy_that_moved_blocks() -> None:
    approved = factories.an_approved_execution()
    factories.a_policy(approved.tenant, projects=factories.projects_with("infra", labels=[]))
    assert blocked(approved) == "politica_mudou"


def test_a_policy_without_the_project_blocks() -> None:
    approved = factories.an_approved_execution()
    projects = factories.projects_with("infra")
    del projects["infra"]
    factories.a_policy(approved.tenant, projects=projects)
    assert blocked(approved) == "politica_mudou"


def test_a_policy_that_this_code_cannot_read_blocks(admin: Connection) -> None:
    approved = factories.an_approved_execution()
    admin.execute(
        "INSERT INTO policy_version (tenant_id, number, document, sha256, activated_by) "
        "VALUES (%s, 2, '{\"versao_esquema\": 2}', '', 'admin 1')",
        [approved.tenant.pk],
    )
    assert blocked(approved) == "politica_mudou"


@pytest.mark.parametrize(
    "altered",
    [
        "jsonb_set(proposta, '{title}', '\"Outro\"')",
        "jsonb_set(proposta, '{target,project_id}', '412.5')",
        "proposta - 'title'",
        "'{}'",
    ],
)
def test_a_content_altered_after_the_approval_blocks(admin: Connection, altered: str) -> None:
    approved = factories.an_approved_execution()
    admin.execute(
        f"UPDATE agente_aprovacao SET proposta = {altered} WHERE id = %s",  # noqa: S608 - our list
        [approved.proposal.pk],
    )
    assert blocked(approved) == "conteudo_mudou"


def test_a_proposal_that_lost_its_approvals_blocks(admin: Connection) -> None:
    approved = factories.an_approved_execution()
    admin.execute(
        "UPDATE agente_aprovacao SET aprovacoes_exigidas = 2 WHERE id = %s", [approved.proposal.pk]
    )
    assert blocked(approved) == "aprovacao_ausente"


def test_a_deadline_that_passed_after_the_approval_blocks(admin: Connection) -> None:
    approved = factories.an_approved_execution()
    admin.execute(
        "UPDATE agente_aprovacao SET executar_ate = clock_timestamp() - interval '1 s' "
        "WHERE id = %s",
        [approved.proposal.pk],
    )
    assert blocked(approved) == "prazo_de_execucao_passou"


def test_a_project_that_moved_to_another_path_blocks() -> None:
    approved = factories.an_approved_execution()
    reason = blocked(approved, FakeTracker(path="outra/infra"))
    assert reason == "projeto_mudou_de_endereco"


def test_another_gitlab_than_the_approved_one_blocks(settings: Settings) -> None:
    approved = factories.an_approved_execution()
    settings.OPSPILOT_GITLAB_URL = "http://outro.exemplo"
    assert blocked(approved) == "destino_mudou"


def test_what_was_blocked_for_a_rule_cannot_be_resumed() -> None:
    approved = factories.an_approved_execution()
    blocked(approved, FakeTracker(path="outra/infra"))
    with pytest.raises(NothingToResumeError):
        resume(approved)
