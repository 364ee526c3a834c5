"""A task whose template has a runbook: whoever decides about it is shown which."""

from __future__ import annotations

import html

import pytest
from django.urls import reverse

from opspilot.rodadas import known_templates
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.browsing import a_browser

pytestmark = pytest.mark.usefixtures("committed")


def test_whoever_decides_about_a_task_is_shown_its_runbook() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    tasking.a_policy(tenant)
    link = reverse("grounding:link", args=[document.ref])
    a_browser(tenant, Role.ADMIN).send(link, tarefa=21)
    proposal = tasking.a_task(factories.a_principal(tenant, Role.OPERADOR))
    page = a_browser(tenant, Role.APROVADOR).read(reverse("approvals:detail", args=[proposal.ref]))
    told = html.unescape(page).partition("Runbook desta tarefa")[2]
    assert reverse("grounding:document", args=[document.ref]) in told
    assert "Payments queue is stuck" in told


def test_the_templates_offered_are_those_of_the_policy_in_force() -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk):
        assert known_templates.templates() == []
    tasking.a_policy(tenant)
    with tenant_scope(tenant.pk):
        assert 21 in dict(known_templates.templates())
