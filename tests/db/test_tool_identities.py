"""Who a run is: the person who asked, with the roles they have at this moment."""

from __future__ import annotations

import pytest

from opspilot.harness.guards import identities
from opspilot.harness.guards.errors import LostRoleError
from opspilot.harness.guards.tools import authorize_tool_call
from opspilot.tenancy.models import Membership
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_run_may_what_its_requester_may_and_no_more_once_they_are_out() -> None:
    tenant = factories.a_tenant()
    person = factories.a_principal(tenant, Role.OPERADOR)
    with tenant_scope(tenant.pk):
        authorize_tool_call(identities.of_run(requester=person.subject), "prepare_issue")
        Membership.objects.filter(user_id=person.user_id).delete()
        with pytest.raises(LostRoleError):
            authorize_tool_call(identities.of_run(requester=person.subject), "prepare_issue")


def test_another_company_s_role_is_none_here() -> None:
    elsewhere = factories.a_principal(factories.a_tenant(), Role.OPERADOR)
    with tenant_scope(factories.a_tenant().pk), pytest.raises(LostRoleError):
        authorize_tool_call(identities.of_run(requester=elsewhere.subject), "search_knowledge")


@pytest.mark.parametrize("subject", ["", "agente:coletor", "usuario:x", "usuario:٣", "sistema"])
def test_a_subject_that_is_no_person_holds_nothing(subject: str) -> None:
    with tenant_scope(factories.a_tenant().pk):
        assert identities.of_run(requester=subject).holds == frozenset()
