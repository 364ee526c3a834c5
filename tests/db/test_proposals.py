"""A command becomes a frozen proposal, or is refused by name and stores nothing."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from approvals import actions, canonical, drafts, policies, proposals
from approvals.errors import (
    AlreadyProposedError,
    ContentChangedError,
    NoBasisError,
    PolicyRefusedError,
    UnknownAliasError,
    UnknownAssigneeError,
    UnknownLabelError,
)
from approvals.models import AgenteAprovacao, PolicyVersion, State
from approvals.rules import NoPolicyError
from audit.models import AgenteAcao
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_confirmed_draft_becomes_a_pending_proposal_with_its_first_row() -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    proposal = factories.a_proposal(tenant, by=requester)
    assert proposal.estado == State.PENDENTE
    assert proposal.acao_hash == canonical.action_hash(proposal.proposta)
    assert proposal.proposta["requester"] == requester.subject
    assert proposal.proposta["tenant"] == str(tenant.pk)
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(correlacao_id=proposal.correlacao_id)
    assert (row.acao, row.resultado, row.autorizacao) == ("issue.criada", "pendente", "pendente")
    assert row.aprovado_por is None


@pytest.mark.parametrize(
    ("overrides", "error"),
    [
        ({"alias": "cozinha"}, UnknownAliasError),
        ({"labels": ("urgente",)}, UnknownLabelError),
        ({"assignees": ("diretoria",)}, UnknownAssigneeError),
        ({"coverage": "nenhuma"}, NoBasisError),
    ],
)
def test_what_the_policy_does_not_have_is_refused_by_name(
    overrides: dict[str, Any], error: type[Exception]
) -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    requester = factories.a_principal(tenant, Role.OPERADOR)
    with pytest.raises(error):
        factories.a_proposal(tenant, by=requester, **overrides)
    with tenant_scope(tenant.pk):
        assert not AgenteAprovacao.objects.exists()


def test_a_label_of_another_project_is_refused() -> None:
    tenant = factories.a_tenant()
    with pytest.raises(UnknownLabelError):
        factories.a_proposal(tenant, alias="nucleo", labels=("runbook",), assignees=())


def test_a_tenant_without_a_policy_proposes_nothing() -> None:
    tenant = factories.a_tenant()
    with pytest.raises(NoPolicyError):
        factories.a_draft(factories.a_principal(tenant, Role.OPERADOR))


def test_a_role_that_may_not_ask_is_refused() -> None:
    tenant = factories.a_tenant()
    with pytest.raises(PolicyRefusedError):
        factories.a_proposal(tenant, by=factories.a_principal(tenant, Role.AUDITOR))


def test_a_field_nobody_asked_for_is_refused() -> None:
    with pytest.raises(actions.InvalidCommandError) as refusal:
        actions.parse(factories.a_command(project_id=1, approved=True))
    assert refusal.value.facts["fields"] == ["approved", "project_id"]


def test_low_coverage_raises_the_risk_by_one_step() -> None:
    assert factories.a_proposal(factories.a_tenant(), coverage="baixa").risco == "medio"
    assert factories.a_proposal(factories.a_tenant(), coverage=None).risco == "baixo"


def test_the_risk_of_the_project_decides_the_quorum() -> None:
    proposal = factories.a_proposal(factories.a_tenant(), alias="nucleo", labels=(), assignees=())
    assert (proposal.risco, proposal.aprovacoes_exigidas) == ("alto", 2)


def test_commands_and_mentions_are_stored_as_text_that_does_nothing() -> None:
    text = (
        "/close\nAvise @all\n\n![x](http://exemplo/x.png)\n<img src=x>\n```\n/label ~urgente\n```"
    )
    proposal = factories.a_proposal(factories.a_tenant(), description=text)
    stored = proposal.proposta["description"]
    assert stored == (
        "\\/close\nAvise @ all\n\n!\\[x] (http: //exemplo/x.png)\n\\<img src=x>\n"
        "```\n\\/label ~urgente\n```"
    )


def test_a_description_with_a_marker_of_its_own_is_refused() -> None:
    with pytest.raises(actions.InvalidCommandError):
        actions.parse(factories.a_command(description="opk" + "0" * 32))


def test_the_same_words_in_another_form_have_the_same_hash() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    by = factories.a_principal(tenant, Role.OPERADOR)
    run = uuid.uuid4()
    one = factories.a_draft(
        by, run_id=run, description="Atenção\r\nfila", labels=("incidente", "runbook")
    )
    two = factories.a_draft(
        by, run_id=run, description="Atenc\u0327a\u0303o\nfila  ", labels=("runbook", "incidente")
    )
    assert (one.hash, one.marker) == (two.hash, two.marker)


@pytest.mark.parametrize(
    "change", [{"title": "Outro"}, {"labels": ()}, {"assignees": ()}, {"description": "Outra"}]
)
def test_another_field_is_another_hash(change: dict[str, Any]) -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    by = factories.a_principal(tenant, Role.OPERADOR)
    assert factories.a_draft(by).hash != factories.a_draft(by, **change).hash


def test_another_requester_is_another_hash() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    people = [factories.a_principal(tenant, Role.OPERADOR) for _ in range(2)]
    assert len({factories.a_draft(by).hash for by in people}) == 2


def test_a_confirmation_of_another_content_is_refused() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    by = factories.a_principal(tenant, Role.OPERADOR)
    draft = factories.a_draft(by)
    with tenant_scope(tenant.pk), pytest.raises(ContentChangedError):
        confirm(by, draft, seen_hash=factories.a_draft(by, title="Outro").hash)


def test_a_run_prepares_one_proposal() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    first = factories.a_proposal(tenant, by=by)
    with pytest.raises(AlreadyProposedError):
        factories.a_proposal(tenant, by=by, run_id=first.correlacao_id)


def test_a_second_proposal_of_a_run_is_refused_by_the_database_too() -> None:
    first = factories.a_proposal(factories.a_tenant())
    first.pk, first.ref = None, uuid.uuid4()
    with (
        tenant_scope(first.tenant_id),
        pytest.raises(IntegrityError, match="agente_aprovacao_rodada"),
    ):
        first.save(force_insert=True)


def test_a_proposal_cannot_be_born_approved() -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    proposal.pk, proposal.ref, proposal.correlacao_id = None, uuid.uuid4(), uuid.uuid4()
    proposal.estado, proposal.decidida_por = State.APROVADA, "aprovador 1 (usuario:1)"
    with tenant_scope(proposal.tenant_id):
        proposal.save(force_insert=True)
        proposal.refresh_from_db()
    assert proposal.estado == State.PENDENTE
    assert proposal.decidida_em is None


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE agente_aprovacao SET estado = 'aprovada'",
        "UPDATE agente_aprovacao SET proposta = '{}'",
        "DELETE FROM agente_aprovacao",
        "SELECT * FROM agente_aprovacao FOR UPDATE",
        "SELECT * FROM agente_aprovacao FOR SHARE",
    ],
)
def test_the_application_can_neither_change_nor_lock_a_proposal(sql: str) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    with (
        tenant_scope(proposal.tenant_id),
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)


def test_the_body_is_the_stored_action_and_the_marker_and_nothing_else() -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    body = drafts.body(proposal.proposta, "opk" + "a" * 32)
    assert body == {
        "title": proposal.proposta["title"],
        "description": f"{proposal.proposta['description']}\n\nopk{'a' * 32}",
        "confidential": False,
        "labels": "incidente",
        "assignee_ids": [319],
    }


def test_the_same_policy_again_makes_no_new_version() -> None:
    tenant = factories.a_tenant()
    assert factories.a_policy(tenant).number == 1
    assert factories.a_policy(tenant).number == 1
    assert factories.a_policy(tenant, max_assignees=2).number == 2


def test_a_policy_with_an_unknown_field_is_refused() -> None:
    tenant = factories.a_tenant()
    document = factories.POLICY | {"superusers": ["admin 1"]}
    with tenant_scope(tenant.pk):
        with pytest.raises(ValueError, match="superusers"):
            policies.install(document=document, by="admin 1")
        assert not PolicyVersion.objects.exists()


def confirm(by: Any, draft: drafts.Draft, *, seen_hash: str) -> AgenteAprovacao:
    return proposals.create(
        principal=by,
        draft=draft,
        seen_hash=seen_hash,
        justification="A fila parou.",
        entity=None,
        evidence=[],
    )
