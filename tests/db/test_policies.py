"""A policy takes two admins; a version is never edited, and a race leaves one winner."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from approvals import policies, rules
from approvals.errors import (
    DraftClosedError,
    DraftOutdatedError,
    InvalidPolicyError,
    NothingChangesError,
    ReasonRequiredError,
    SecondAdminError,
)
from approvals.models import DraftOutcome, PolicyDraft, PolicyVersion
from audit.models import AgenteAcao
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.races import at_once

REASON = "Dois plantonistas por issue."


def admin(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.ADMIN)


def document(**rule: Any) -> dict[str, Any]:
    changed = copy.deepcopy(factories.POLICY)
    changed["issue_criada"] |= rule or {"max_assignees": 2}
    return changed


def a_draft(tenant: Tenant, by: Principal, **rule: Any) -> PolicyDraft:
    with tenant_scope(tenant.pk):
        return policies.draft(author=by, document=document(**rule), reason=REASON)


def activate(draft: PolicyDraft, by: Principal, seen: str = "") -> PolicyVersion:
    with tenant_scope(by.tenant_id):
        fresh = policies.draft_of(ref=draft.ref)
        return policies.activate(draft=fresh, admin=by, seen_sha256=seen or fresh.sha256)


def a_tenant_with_policy() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def in_force(tenant: Tenant) -> int:
    with tenant_scope(tenant.pk):
        return rules.in_force().number


@pytest.mark.django_db
def test_a_draft_changes_nothing_until_another_admin_puts_it_in_force() -> None:
    tenant = a_tenant_with_policy()
    draft = a_draft(tenant, admin(tenant))
    assert in_force(tenant) == 1
    version = activate(draft, admin(tenant))
    assert (in_force(tenant), version.reason) == (2, REASON)
    with tenant_scope(tenant.pk):
        assert rules.in_force().document.issue_criada.max_assignees == 2


@pytest.mark.django_db
def test_the_version_and_the_trail_name_both_admins() -> None:
    tenant = a_tenant_with_policy()
    author, second = admin(tenant), admin(tenant)
    version = activate(a_draft(tenant, author), second)
    assert (version.author, version.activated_by) == (author.signature, second.signature)
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="politica.ativada", politica_versao=2)
    assert (row.entrada_resumo, row.aprovado_por) == (author.signature, second.signature)


@pytest.mark.django_db
def test_the_author_never_activates_their_own_draft() -> None:
    tenant = a_tenant_with_policy()
    author = admin(tenant)
    with pytest.raises(SecondAdminError):
        activate(a_draft(tenant, author), author)
    assert in_force(tenant) == 1


@pytest.mark.django_db
def test_the_database_refuses_a_version_written_and_activated_by_the_same_name() -> None:
    tenant = a_tenant_with_policy()
    with tenant_scope(tenant.pk), pytest.raises(DatabaseError, match="two_people"):
        PolicyVersion(
            tenant_id=tenant.pk,
            number=2,
            document={},
            sha256="0" * 64,
            author="a",
            activated_by="a",
        ).save(force_insert=True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("author", "activated_by"),
    [
        ("admin 1 (usuario:1)", "outro nome (usuario:1)"),
        ("admin (usuario:9) 1 (usuario:1)", "admin 2 (usuario:1)"),
        ("sem sujeito", "admin 2 (usuario:2)"),
    ],
)
def test_the_database_compares_subjects_and_no_name_passes_for_another(
    author: str, activated_by: str
) -> None:
    """Also what an older release writes: the subject is read from the signature itself."""
    tenant = a_tenant_with_policy()
    with tenant_scope(tenant.pk), pytest.raises(DatabaseError, match="two_subjects"):
        a_version(tenant, author, activated_by)


@pytest.mark.django_db
@pytest.mark.parametrize("author", ["", "admin 1 (usuario:1)", "admin (usuario:2) (usuario:1)"])
def test_the_database_takes_two_subjects_and_an_installation(author: str) -> None:
    tenant = a_tenant_with_policy()
    with tenant_scope(tenant.pk):
        assert a_version(tenant, author, "admin 2 (usuario:2)").pk


def a_version(tenant: Tenant, author: str, activated_by: str) -> PolicyVersion:
    row = PolicyVersion(
        tenant_id=tenant.pk,
        number=2,
        document={},
        sha256="0" * 64,
        author=author,
        activated_by=activated_by,
    )
    row.save(force_insert=True)
    return row


@pytest.mark.django_db
@pytest.mark.parametrize("role", [r for r in Role if r != Role.ADMIN])
def test_nobody_but_an_admin_drafts_activates_or_discards(role: Role) -> None:
    tenant = a_tenant_with_policy()
    other = factories.a_principal(tenant, role)
    draft = a_draft(tenant, admin(tenant))
    with pytest.raises(RoleRequiredError):
        a_draft(tenant, other)
    with pytest.raises(RoleRequiredError):
        activate(draft, other)
    with tenant_scope(tenant.pk), pytest.raises(RoleRequiredError):
        policies.discard(draft=draft, admin=other)
    assert in_force(tenant) == 1


@pytest.mark.django_db
def test_a_draft_written_against_an_older_version_is_not_put_in_force() -> None:
    tenant = a_tenant_with_policy()
    first, second = admin(tenant), admin(tenant)
    older = a_draft(tenant, first, max_assignees=5)
    activate(a_draft(tenant, first), second)
    with pytest.raises(DraftOutdatedError):
        activate(older, second)
    assert in_force(tenant) == 2


@pytest.mark.django_db
def test_what_was_shown_is_what_comes_into_force() -> None:
    tenant = a_tenant_with_policy()
    draft = a_draft(tenant, admin(tenant))
    with pytest.raises(DraftOutdatedError):
        activate(draft, admin(tenant), seen="0" * 64)


@pytest.mark.django_db
def test_a_closed_draft_stays_closed_in_code_and_in_the_database() -> None:
    tenant = a_tenant_with_policy()
    first, second = admin(tenant), admin(tenant)
    draft = a_draft(tenant, first)
    with tenant_scope(tenant.pk):
        policies.discard(draft=draft, admin=first)
    with pytest.raises(DraftClosedError):
        activate(draft, second)
    closed = pytest.raises(DatabaseError, match="draft is closed")
    with tenant_scope(tenant.pk), closed, transaction.atomic():
        PolicyDraft.objects.filter(pk=draft.pk).update(outcome=DraftOutcome.ABERTO)


@pytest.mark.django_db
def test_the_content_of_a_draft_cannot_be_changed_by_the_console() -> None:
    tenant = a_tenant_with_policy()
    draft = a_draft(tenant, admin(tenant))
    with (
        tenant_scope(tenant.pk),
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE policy_draft SET document = '{}' WHERE id = %s", [draft.pk])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"quorum": {"baixo": 0, "medio": 1, "alto": 2}}, "issue_criada.quorum.baixo"),
        ({"approver_role": "operador"}, "issue_criada.approver_role"),
        ({"hold_seconds": {"baixo": 0, "medio": 0, "alto": 61}}, "issue_criada.hold_seconds.alto"),
        ({"surpresa": True}, "issue_criada.surpresa"),
    ],
)
def test_a_document_that_does_not_fit_is_refused_by_the_name_of_its_field(
    change: dict[str, Any], field: str
) -> None:
    tenant = a_tenant_with_policy()
    with pytest.raises(InvalidPolicyError) as refusal:
        a_draft(tenant, admin(tenant), **change)
    assert refusal.value.facts["fields"] == [field]


@pytest.mark.django_db
def test_a_draft_says_why_and_changes_something() -> None:
    tenant = a_tenant_with_policy()
    by = admin(tenant)
    with tenant_scope(tenant.pk):
        with pytest.raises(ReasonRequiredError):
            policies.draft(author=by, document=document(), reason="  curto ")
        with pytest.raises(NothingChangesError):
            policies.draft(author=by, document=factories.POLICY, reason=REASON)


@pytest.mark.django_db
def test_another_tenant_s_draft_does_not_exist() -> None:
    tenant, other = a_tenant_with_policy(), a_tenant_with_policy()
    draft = a_draft(tenant, admin(tenant))
    with pytest.raises(NotFoundError):
        activate(draft, admin(other))


def test_two_admins_who_activate_two_drafts_at_once_leave_one_version(committed: None) -> None:
    for _ in range(5):
        tenant = a_tenant_with_policy()
        first, second = admin(tenant), admin(tenant)
        drafts = [a_draft(tenant, first, max_assignees=4), a_draft(tenant, second, max_assignees=5)]
        outcomes = at_once(
            [partial(activate, drafts[0], second), partial(activate, drafts[1], first)]
        )
        assert sum(isinstance(o, PolicyVersion) for o in outcomes) == 1, outcomes
        assert sum(isinstance(o, DraftOutdatedError) for o in outcomes) == 1, outcomes
        assert in_force(tenant) == 2
