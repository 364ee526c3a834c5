"""What waits for a second admin is told to those who can give it, and never to who made it."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.core.mail import EmailMessage

from approvals import policies
from approvals.agents import standing
from approvals.models import PolicyDraft, StandingPermission
from opspilot.api import agents as registry
from opspilot.api.models import Agent
from opspilot.notices import seconds
from opspilot.notices.models import NoticeState
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import agents_asking as asking
from tests.db import noticing
from tests.db.browsing import Browser, as_

pytestmark = pytest.mark.usefixtures("committed")
REASON = "O projeto infra passa a pedir dois votos."
POLICY, PERMISSION = (
    "Uma política espera por outro admin",
    "Uma permissão permanente espera por outro admin",
)


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    asking.a_policy(tenant)
    return tenant


@pytest.fixture
def author(tenant: Tenant) -> User:
    return noticing.a_reachable(tenant, Role.ADMIN)


@pytest.fixture
def other(tenant: Tenant) -> User:
    return noticing.a_reachable(tenant, Role.ADMIN)


def drafted(tenant: Tenant, author: User) -> PolicyDraft:
    with tenant_scope(tenant.pk):
        document = copy.deepcopy(policies.version_in_force().document)
        document["issue_criada"]["expires_minutes"] += 1
        return policies.draft(
            author=noticing.principal(tenant, author), document=document, reason=REASON
        )


def permitted(tenant: Tenant, by: User, owner: Principal) -> StandingPermission:
    with tenant_scope(tenant.pk):
        if not Agent.objects.exists():
            details = registry.Details("Agente A", "Estornos", owner.user_id)
            registry.create(
                principal=noticing.principal(tenant, by), slug="agente-a", details=details
            )
        return standing.propose(
            admin=noticing.principal(tenant, by), owner=owner.subject, terms=asking.terms()
        )


def work(tenant: Tenant) -> None:
    for row in noticing.due("draft", tenant):
        seconds.spread_draft(tenant_id=tenant.pk, draft_id=row)
    for row in noticing.due("permission", tenant):
        seconds.spread_permission(tenant_id=tenant.pk, permission_id=row)
    noticing.deliver(tenant)


def told(person: User, box: list[EmailMessage]) -> list[str]:
    return [text.removeprefix("[OpsPilot] ") for text in noticing.subjects_to(person, box)]


def test_a_draft_is_told_to_the_other_admins_and_not_to_its_author(
    tenant: Tenant, author: User, other: User, mailoutbox: list[EmailMessage]
) -> None:
    approver = noticing.a_reachable(tenant, Role.APROVADOR)
    draft = drafted(tenant, author)
    work(tenant)
    assert [told(who, mailoutbox) for who in (other, author, approver)] == [[POLICY], [], []]
    assert f"/politicas/rascunhos/{draft.ref}/" in str(mailoutbox[0].body)
    assert REASON not in str(mailoutbox[0].body)


def test_it_is_told_once(
    tenant: Tenant, author: User, other: User, mailoutbox: list[EmailMessage]
) -> None:
    drafted(tenant, author)
    work(tenant)
    work(tenant)
    assert told(other, mailoutbox) == [POLICY]
    assert noticing.due("draft", tenant) == []


def test_a_permission_is_told_to_who_can_give_it(
    tenant: Tenant, author: User, other: User, mailoutbox: list[EmailMessage]
) -> None:
    """Not to the admin who answers for the agent."""
    owner = noticing.a_reachable(tenant, Role.ADMIN)
    permitted(tenant, author, noticing.principal(tenant, owner))
    work(tenant)
    assert [told(who, mailoutbox) for who in (other, author, owner)] == [[PERMISSION], [], []]


def test_what_was_given_meanwhile_is_told_to_nobody(
    tenant: Tenant, author: User, other: User, mailoutbox: list[EmailMessage]
) -> None:
    draft = drafted(tenant, author)
    seconds.spread_draft(tenant_id=tenant.pk, draft_id=draft.pk)
    with tenant_scope(tenant.pk):
        policies.discard(draft=draft, admin=noticing.principal(tenant, other))
    noticing.deliver(tenant)
    assert mailoutbox == []
    assert [row.state for row in noticing.notices(tenant)] == [NoticeState.DESCARTADO]


def test_after_a_day_it_is_no_news(
    tenant: Tenant, author: User, other: User, admin: Connection
) -> None:
    draft = drafted(tenant, author)
    assert noticing.due("draft", tenant) == [draft.pk]
    admin.execute("ALTER TABLE policy_draft DISABLE TRIGGER USER")
    admin.execute(
        "UPDATE policy_draft SET created_at = created_at - interval '25 hours' WHERE id = %s",
        [draft.pk],
    )
    admin.execute("ALTER TABLE policy_draft ENABLE TRIGGER USER")
    assert noticing.due("draft", tenant) == []


def pages(browser: Browser) -> dict[str, str]:
    paths = ("/", "/politicas/", "/politicas/permissoes/")
    return {path: browser.read(path).partition("<main")[2] for path in paths}


def test_the_panel_and_the_lists_say_it_waits_for_who_can_give_it_and_not_to_its_author(
    tenant: Tenant, author: User, other: User
) -> None:
    owner = factories.a_principal(tenant, Role.OPERADOR)
    drafted(tenant, author)
    permitted(tenant, author, owner)
    counted: list[dict[str, int]] = []
    for who in (other, author):
        shown = pages(as_(noticing.principal(tenant, who)))
        # The panel's own headings say "espera por você" too.
        words = {"/": "espera por outro admin"}
        counted.append(
            {path: text.count(words.get(path, "espera por você")) for path, text in shown.items()}
        )
    assert counted == [
        {"/": 2, "/politicas/": 1, "/politicas/permissoes/": 1},
        dict.fromkeys(("/", "/politicas/", "/politicas/permissoes/"), 0),
    ]


def test_the_list_of_policies_leads_to_the_permissions_that_wait(
    tenant: Tenant, author: User, other: User
) -> None:
    permitted(tenant, author, factories.a_principal(tenant, Role.OPERADOR))
    shown: Any = pages(as_(noticing.principal(tenant, other)))["/politicas/"]
    assert "1 permissão permanente espera por outro admin" in shown
