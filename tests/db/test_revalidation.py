"""Asked again right before the effect: what no longer holds fails closed, with nothing sent."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from approvals import canonical, rules
from approvals.errors import NothingToResumeError
from approvals.models import ExecutionState
from opspilot.tenancy.scope import tenant_scope
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


def alter_policy(admin: Connection, approved: Approved) -> None:
    """As somebody would who writes past the console: the text, and not the hash beside it."""
    admin.execute("ALTER TABLE policy_version DISABLE TRIGGER append_only")
    try:
        admin.execute(
            "UPDATE policy_version SET document = jsonb_set(document, '{alterada}', 'true')"
            " WHERE tenant_id = %s",
            [approved.tenant.pk],
        )
    finally:
        admin.execute("ALTER TABLE policy_version ENABLE TRIGGER append_only")


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
        "VALUES (%s, 2, '{\"versao_esquema\": 2}', %s, 'admin 1')",
        [approved.tenant.pk, canonical.action_hash({"versao_esquema": 2})],
    )
    assert blocked(approved) == "politica_mudou"


def test_a_policy_whose_text_was_altered_past_the_console_blocks(admin: Connection) -> None:
    """Also where this process remembers the text it had: the hash beside it is unchanged."""
    approved = factories.an_approved_execution()
    with tenant_scope(approved.tenant.pk):
        assert not rules.moved(approved.proposal)
    alter_policy(admin, approved)
    assert blocked(approved) == "politica_alterada"


def test_an_altered_policy_is_not_read_by_a_process_that_has_not_read_it_yet(
    admin: Connection,
) -> None:
    approved = factories.an_approved_execution()
    rules._document.cache_clear()
    alter_policy(admin, approved)
    with tenant_scope(approved.tenant.pk), pytest.raises(rules.AlteredPolicyError):
        rules.in_force()


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
