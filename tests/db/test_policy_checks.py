"""Each rule's answer when a proposal was made and now, side by side."""

from __future__ import annotations

import pytest

from approvals import rules
from approvals.models import AgenteAprovacao, PolicyVersion
from approvals.policy import policy_checks
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.reading import the_page_of

pytestmark = pytest.mark.usefixtures("committed")


def checks(proposal: AgenteAprovacao) -> policy_checks.Checks:
    with tenant_scope(proposal.tenant_id):
        read = the_page_of(proposal)
        return policy_checks.of(
            read.proposal, made_under=read.around.made_under, in_force=read.around.in_force
        )


def moved(proposal: AgenteAprovacao) -> bool:
    with tenant_scope(proposal.tenant_id):
        return rules.moved(AgenteAprovacao.objects.get(pk=proposal.pk))


def labels_that_moved(found: policy_checks.Checks) -> set[str]:
    return {line.label for line in found.lines if line.moved}


def test_under_the_same_version_every_rule_allows_and_nothing_moved() -> None:
    found = checks(factories.a_proposal(factories.a_tenant()))
    assert (found.number, found.number_now, found.moved) == (1, 1, False)
    answers = [line.before for line in found.lines if line.before and line.before.ok is not None]
    assert len(answers) >= 6
    assert all(answer.ok for answer in answers)


def test_a_newer_version_with_the_same_answers_has_not_moved() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_policy(tenant, expires_minutes=60)
    found = checks(proposal)
    assert (found.number, found.number_now, found.moved) == (1, 2, False)
    assert not moved(proposal)


def test_a_label_the_new_version_lacks_is_the_line_that_moved() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_policy(tenant, projects=factories.projects_with("infra", labels=["runbook"]))
    found = checks(proposal)
    line = next(line for line in found.lines if line.label == "Etiquetas")
    assert line.before is not None
    assert line.now is not None
    assert (line.before.ok, line.now.ok) == (True, False)
    assert "incidente" in line.now.words
    assert moved(proposal)


def test_a_quorum_that_grew_is_named_with_both_numbers() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_policy(tenant, quorum={"baixo": 2, "medio": 2, "alto": 2})
    found = checks(proposal)
    line = next(line for line in found.lines if line.label == "Aprovações")
    assert line.before is not None
    assert line.now is not None
    assert (line.before.words, line.now.words) == ("1", "2")
    assert labels_that_moved(found) == {"Aprovações"}


def test_a_project_under_another_id_is_named_as_what_it_resolves_to() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_policy(tenant, projects=factories.projects_with("infra", project_id=999))
    assert labels_that_moved(checks(proposal)) == {"Resolve para"}
    assert moved(proposal)


def test_a_row_that_carries_another_quorum_than_its_version_is_the_line_that_moved(
    admin: Connection,
) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    admin.execute(
        "UPDATE agente_aprovacao SET aprovacoes_exigidas = 5 WHERE id = %s", [proposal.pk]
    )
    assert labels_that_moved(checks(proposal)) == {"Aprovações"}
    assert moved(proposal)


def test_a_version_that_cannot_be_read_answers_to_no_rule(admin: Connection) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        document = PolicyVersion.objects.get().document
        PolicyVersion.objects.create(
            tenant_id=tenant.pk, number=2, document=document | {"versao_esquema": 99},
            sha256="0" * 64, activated_by="admin 1",
        )  # fmt: skip
    found = checks(proposal)
    assert found.number_now == 2
    assert all(line.now is None or line.now.ok is None for line in found.lines)
    assert found.moved


def test_an_action_that_lost_a_field_is_explained_by_no_rule(admin: Connection) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    admin.execute(
        "UPDATE agente_aprovacao SET proposta = proposta - 'labels' WHERE id = %s", [proposal.pk]
    )
    found = checks(proposal)
    assert all(line.before is None or line.before.ok is not True for line in found.lines)
