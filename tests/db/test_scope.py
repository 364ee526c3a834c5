"""The tenant of a transaction: set, nested, given back, and never left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from approvals.models import PolicyVersion
from grounding.models import Collection, Document
from opspilot.tenancy import selectors, services
from opspilot.tenancy.guard import UnsafeRoleError, refuse_unsafe_role
from opspilot.tenancy.models import Membership
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import NoTenantError, current_tenant_id, tenant_scope
from tests import factories
from tests.conftest import Connection

ROOT = Path(__file__).parents[2]


def setting() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(current_setting('opspilot.tenant_id', true), '')")
        return str(cursor.fetchone()[0])


def visible_tenants() -> list[uuid.UUID]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM tenant")
        return [row[0] for row in cursor.fetchall()]


@pytest.mark.django_db
def test_a_nested_scope_gives_the_outer_tenant_back() -> None:
    outer, inner = factories.a_tenant(), factories.a_tenant()
    with tenant_scope(outer.pk):
        with tenant_scope(inner.pk):
            assert visible_tenants() == [inner.pk]
        assert current_tenant_id() == outer.pk
        assert visible_tenants() == [outer.pk]


@pytest.mark.django_db
def test_a_nested_scope_that_raises_gives_the_outer_tenant_back() -> None:
    outer, inner = factories.a_tenant(), factories.a_tenant()
    with tenant_scope(outer.pk):
        with pytest.raises(LookupError), tenant_scope(inner.pk):
            raise LookupError
        assert current_tenant_id() == outer.pk
        assert visible_tenants() == [outer.pk]


@pytest.mark.django_db
def test_a_savepoint_that_is_released_inside_a_scope_keeps_the_tenant() -> None:
    outer, inner = factories.a_tenant(), factories.a_tenant()
    with tenant_scope(outer.pk):
        with transaction.atomic(), tenant_scope(inner.pk):
            pass
        assert visible_tenants() == [outer.pk]


@pytest.mark.django_db
def test_a_scope_marked_for_rollback_gives_the_outer_tenant_back() -> None:
    outer, inner = factories.a_tenant(), factories.a_tenant()
    with tenant_scope(outer.pk):
        with tenant_scope(inner.pk):
            transaction.set_rollback(True)
        assert visible_tenants() == [outer.pk]


def test_after_a_scope_the_reused_connection_has_no_tenant_and_sees_no_rows(
    committed: None,
) -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk), connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        inside = cursor.fetchone()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone() == inside
    assert setting() == ""
    assert visible_tenants() == []


def test_after_a_scope_that_raised_the_reused_connection_sees_no_rows(committed: None) -> None:
    tenant = factories.a_tenant()
    with pytest.raises(LookupError), tenant_scope(tenant.pk):
        raise LookupError
    assert setting() == ""
    assert visible_tenants() == []


def test_what_is_written_in_a_scope_that_raises_is_rolled_back(committed: None) -> None:
    tenant = factories.a_tenant()

    def write_and_fail() -> None:
        with tenant_scope(tenant.pk):
            Collection.objects.create(tenant=tenant, slug="plataforma", name="plataforma")
            raise LookupError

    with pytest.raises(LookupError):
        write_and_fail()
    with tenant_scope(tenant.pk):
        assert not Collection.objects.exists()


def test_the_owner_of_the_tables_sees_no_row_without_a_tenant_either(
    committed: None, owner: Connection, admin: Connection
) -> None:
    tenant = factories.a_tenant()
    factories.a_principal(tenant)
    sql = "SELECT count(*) > 0 FROM membership"
    assert admin.execute(sql).fetchone() == (True,)
    assert owner.execute(sql).fetchone() == (False,)


@pytest.mark.django_db
def test_code_that_forgets_the_scope_fails_loudly() -> None:
    with pytest.raises(NoTenantError):
        current_tenant_id()
    with pytest.raises(NoTenantError):
        PolicyVersion.objects.exists()


@pytest.mark.django_db
def test_an_insert_without_a_tenant_is_refused_by_the_database() -> None:
    tenant = factories.a_tenant()
    with pytest.raises(ProgrammingError, match="row-level security"):
        Collection(tenant=tenant, slug="x", name="x").save(force_insert=True)


@pytest.mark.django_db
def test_an_insert_for_another_tenant_is_refused_by_the_database() -> None:
    mine, other = factories.a_tenant(), factories.a_tenant()
    with (
        tenant_scope(mine.pk),
        pytest.raises(ProgrammingError, match="row-level security"),
    ):
        Collection(tenant=other, slug="x", name="x").save(force_insert=True)


@pytest.mark.django_db
def test_a_row_cannot_be_moved_to_another_tenant() -> None:
    mine, other = factories.a_tenant(), factories.a_tenant()
    factories.a_principal(mine)
    with (
        tenant_scope(mine.pk),
        pytest.raises(ProgrammingError, match="row-level security"),
    ):
        Membership.objects.update(tenant=other)


@pytest.mark.django_db
def test_a_row_cannot_point_at_another_tenant_s_row() -> None:
    mine, other = factories.a_tenant(), factories.a_tenant()
    with tenant_scope(other.pk):
        theirs = Collection.objects.create(tenant=other, slug="x", name="x")
    with tenant_scope(mine.pk), pytest.raises(IntegrityError, match="collection_id_tenant"):
        Document(tenant=mine, collection=theirs, name="a.md").save(force_insert=True)


@pytest.mark.django_db
def test_two_tenants_may_hold_the_same_name() -> None:
    for tenant in (factories.a_tenant(), factories.a_tenant()):
        with tenant_scope(tenant.pk):
            Collection.objects.create(tenant=tenant, slug="plataforma", name="plataforma")
            assert Collection.objects.count() == 1


@pytest.mark.django_db
def test_a_person_s_tenants_are_found_before_any_tenant_is_set() -> None:
    first, second = factories.a_tenant(), factories.a_tenant()
    person = factories.a_person(first, Role.OPERADOR)
    services.grant_roles(tenant=second, user=person, roles=[Role.AUDITOR])
    assert selectors.tenants_of(person.pk) == [first.pk, second.pk]


@pytest.mark.django_db
def test_an_inactive_person_has_no_principal() -> None:
    tenant = factories.a_tenant()
    person = factories.a_person(tenant, Role.APROVADOR)
    person.is_active = False
    with tenant_scope(tenant.pk):
        assert selectors.principal(person) is None


@pytest.mark.django_db
def test_a_tenant_that_exists_is_returned_and_not_renamed() -> None:
    tenant = factories.a_tenant()
    again = services.create_tenant(slug=tenant.slug, name="Outra")
    assert (again.pk, again.name) == (tenant.pk, tenant.name)
    with tenant_scope(tenant.pk):
        assert visible_tenants() == [tenant.pk]


def test_the_process_refuses_to_start_as_a_superuser() -> None:
    environ = os.environ | {"DATABASE_URL": os.environ["DATABASE_URL_ADMIN"]}
    command = [sys.executable, "-c", "import opspilot.wsgi"]
    done = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode != 0
    assert "refusing to start" in done.stderr
    assert "is a superuser" in done.stderr


def test_the_owner_s_role_is_refused_by_name(committed: None) -> None:
    with pytest.raises(UnsafeRoleError, match=r"'opspilot_owner' owns tables, can become"):
        refuse_unsafe_role(using="owner")


def test_the_runtime_role_is_not_refused(committed: None) -> None:
    refuse_unsafe_role()
