"""What an older release must not touch: named before it starts, and left alone by its claim."""

from __future__ import annotations

import json
import uuid
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from psycopg.types.json import Jsonb

from approvals import decisions, features
from approvals.errors import NewerRulesError
from approvals.execution import claims, rollback
from approvals.execution.rollback import Blocker
from approvals.models import AgenteAprovacao, Execution, ExecutionState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.executing import take

BY_RISK = {"approver_roles": {"alto": "aprovador"}}


def blockers(tenant: Tenant, *, handler: int = 1) -> list[Blocker]:
    return [b for b in rollback.blockers(handler=handler) if b.tenant == tenant.slug]


def proposals_among(found: list[Blocker]) -> list[Blocker]:
    return [blocker for blocker in found if blocker.what == "proposal"]


def a_newer_proposal(tenant: Tenant) -> AgenteAprovacao:
    """Made under a policy that release 0.1.0 cannot read."""
    factories.a_policy(tenant, **BY_RISK)
    return factories.a_proposal(tenant)


@pytest.mark.django_db
def test_a_plain_issue_can_still_be_carried_out_by_the_first_release() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    assert (proposal.versao_esquema, proposal.recursos) == (1, [])
    assert blockers(tenant) == []


@pytest.mark.django_db
def test_a_proposal_names_the_rules_it_was_made_under_and_its_execution_inherits_them() -> None:
    tenant = factories.a_tenant()
    proposal = a_newer_proposal(tenant)
    assert (proposal.versao_esquema, proposal.recursos) == (2, [features.BY_RISK])
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    with tenant_scope(tenant.pk):
        assert Execution.objects.get(approval=proposal).versao_esquema == 2


@pytest.mark.django_db
def test_a_pending_proposal_of_newer_rules_is_listed_with_its_tenant_ref_and_features() -> None:
    tenant = factories.a_tenant()
    proposal = a_newer_proposal(tenant)
    assert proposals_among(blockers(tenant)) == [
        Blocker(tenant.slug, "proposal", str(proposal.ref), "pendente", 2, [features.BY_RISK])
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "listed"),
    [
        (ExecutionState.RETIDA, True),
        (ExecutionState.DESCONHECIDA, True),
        (ExecutionState.BLOQUEADA, True),
        (ExecutionState.CONCLUIDA, False),
        (ExecutionState.RECUSADA, False),
        (ExecutionState.RETIRADA, False),
    ],
)
def test_an_approved_one_is_listed_until_it_is_over(state: str, *, listed: bool) -> None:
    tenant = factories.a_tenant()
    proposal = a_newer_proposal(tenant)
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    with tenant_scope(tenant.pk):
        Execution.objects.filter(approval=proposal).update(state=state)
    found = proposals_among(blockers(tenant))
    assert [blocker.state for blocker in found] == ([str(state)] if listed else [])


@pytest.mark.django_db
def test_a_policy_that_it_cannot_read_is_listed_and_one_that_it_can_is_not() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, **BY_RISK)
    assert [(b.what, b.ref, b.features) for b in blockers(tenant)] == [
        ("policy", "1", [features.BY_RISK])
    ]
    factories.a_policy(tenant, expires_minutes=30)
    assert blockers(tenant) == []


@pytest.mark.django_db
def test_a_blocked_one_that_was_asked_again_is_listed_for_who_does_not_know_the_link() -> None:
    approved = factories.an_approved_execution()
    with tenant_scope(approved.tenant.pk):
        Execution.objects.filter(pk=approved.execution_id).update(
            state=ExecutionState.BLOQUEADA, reason="destino_sem_acesso"
        )
    assert blockers(approved.tenant) == []
    ask_again(approved.proposal, approved.tenant)
    assert [b.what for b in blockers(approved.tenant)] == ["asked_again"]
    assert blockers(approved.tenant, handler=2) == []


def ask_again(before: AgenteAprovacao, tenant: Tenant) -> None:
    after = factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        copy = AgenteAprovacao.objects.get(pk=after.pk)
        copy.pk, copy.ref, copy.correlacao_id = None, uuid.uuid4(), uuid.uuid4()
        copy.anterior = before
        copy.save(force_insert=True)


def run(handler: int) -> tuple[int, dict[str, Any], str]:
    out = StringIO()
    code = 0
    try:
        call_command("rollback_check", f"--handler-version={handler}", "--json", stdout=out)
    except SystemExit as exc:
        code = int(exc.code or 0)
    return code, json.loads(out.getvalue().splitlines()[-1]), out.getvalue()


@pytest.mark.django_db
def test_the_command_ends_with_one_while_a_person_is_needed_and_says_who() -> None:
    tenant = factories.a_tenant()
    proposal = a_newer_proposal(tenant)
    code, told, text = run(1)
    assert (code, told["safe"], told["handler_version"]) == (1, False, 1)
    assert str(proposal.ref) in {row["ref"] for row in told["rows"]}
    assert f"{tenant.slug}: proposal {proposal.ref}, pendente: needs papel_por_risco" in text


@pytest.mark.django_db
def test_the_command_ends_with_zero_for_a_handler_that_knows_everything() -> None:
    a_newer_proposal(factories.a_tenant())
    code, told, text = run(features.SCHEMA_VERSION)
    assert (code, told["rows"]) == (0, [])
    assert "nothing here needs more than version 2" in text


@pytest.mark.django_db
def test_the_command_changes_nothing() -> None:
    tenant = factories.a_tenant()
    proposal = a_newer_proposal(tenant)
    run(1)
    with tenant_scope(tenant.pk):
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == "pendente"


@pytest.mark.django_db
def test_an_older_claim_cannot_select_a_row_of_newer_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    tenant = factories.a_tenant()
    proposal = a_newer_proposal(tenant)
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    with tenant_scope(tenant.pk):
        held = Execution.objects.get(approval=proposal)
        monkeypatch.setattr(claims, "SCHEMA_VERSION", 1)
        assert take(execution_id=held.pk) is None
        monkeypatch.undo()
        assert take(execution_id=held.pk) is not None


def made_by_a_newer_release(admin: Connection, tenant: Tenant) -> AgenteAprovacao:
    """A row of rules and of a shape that this code has never seen."""
    proposal = factories.a_proposal(tenant)
    admin.execute(
        "UPDATE agente_aprovacao SET versao_esquema = %s, recursos = %s, proposta = %s, "
        "acao = 'contrato.assinado' WHERE id = %s",
        [features.SCHEMA_VERSION + 1, ["dupla_custodia"], Jsonb({"forma": [1]}), proposal.pk],
    )
    return proposal


def test_a_newer_row_is_read_as_such_and_offers_no_decision(
    committed: None, admin: Connection
) -> None:
    tenant = factories.a_tenant()
    proposal = made_by_a_newer_release(admin, tenant)
    client = Client()
    client.force_login(factories.a_person(tenant, Role.APROVADOR))
    page = client.get(f"/aprovacoes/{proposal.ref}/")
    text = page.content.decode()
    assert page.status_code == 200
    assert "Esta proposta foi feita por uma versão mais nova." in text
    assert "dupla_custodia" in text
    assert "decidir=aprovar" not in text


@pytest.mark.parametrize("path", ["/aprovacoes/", "/aprovacoes/?fila=todas", "/"])
def test_lists_with_a_newer_row_in_them_open(committed: None, admin: Connection, path: str) -> None:
    tenant = factories.a_tenant()
    made_by_a_newer_release(admin, tenant)
    client = Client()
    client.force_login(factories.a_person(tenant, Role.APROVADOR))
    assert client.get(path).status_code == 200


def test_nobody_decides_a_newer_row(committed: None, admin: Connection) -> None:
    tenant = factories.a_tenant()
    proposal = made_by_a_newer_release(admin, tenant)
    by = factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(tenant.pk):
        row = AgenteAprovacao.objects.get(pk=proposal.pk)
        with pytest.raises(NewerRulesError):
            decisions.approve(proposal=row, approver=by, seen_hash=row.acao_hash)


def test_a_rule_of_a_release_newer_than_ours_is_named_for_every_handler(
    committed: None, admin: Connection
) -> None:
    tenant = factories.a_tenant()
    made_by_a_newer_release(admin, tenant)
    (found,) = blockers(tenant, handler=features.SCHEMA_VERSION)
    assert found.features == ["dupla_custodia"]
