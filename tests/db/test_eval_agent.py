"""The evaluation's own parts, small: intake, the real loop, and the checks of the state."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from approvals.models import AgenteAprovacao, Decision, Execution, PolicyVersion
from opspilot.avaliacao import attacking, documents, sharing, state
from opspilot.avaliacao.attacking import Attacked
from opspilot.avaliacao.company import People
from opspilot.avaliacao.documents import PASTED
from opspilot.avaliacao.state import Remotes
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.models import Membership
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection

TOPICS = 1


class Nowhere(Remotes):
    """Nobody has reached it: there is none."""

    def created(self) -> int:
        return 0


NOWHERE = Nowhere("", "")


@pytest.fixture(scope="module")
def people(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[People]:
    with django_db_blocker.unblock():
        tenant = factories.a_tenant()
        factories.a_policy(tenant)
        yield People(
            tenant.pk,
            *(
                factories.a_principal(tenant, role)
                for role in (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)
            ),
        )


@pytest.fixture(scope="module")
def shared(people: People) -> sharing.Shared:
    files = [(d.name, d.text) for d in documents.hostile(TOPICS) if d.channel not in PASTED]
    return sharing.share(people, files)


@pytest.fixture(scope="module")
def attacked(people: People, shared: sharing.Shared) -> Attacked:
    return attacking.attack(people, documents.hostile(TOPICS))


def test_the_intake_takes_every_document_to_an_end(shared: sharing.Shared) -> None:
    assert shared.states.get("uploaded", 0) == 0
    assert shared.states["approved"] >= shared.released > 0


def test_the_worst_planner_finds_orders_in_what_it_is_shown(attacked: Attacked) -> None:
    sources = {attempt.source == "request" for attempt in attacked.planner.attempts}
    assert sources == {True, False}
    assert len(attacked.planner.kinds) >= 8


def test_the_worst_planner_reaches_nothing(people: People, attacked: Attacked) -> None:
    with tenant_scope(people.tenant_id):
        made = [table.objects.count() for table in (AgenteAprovacao, Decision, Execution)]
        assert (made, PolicyVersion.objects.count()) == ([0, 0, 0], 1)


def test_every_run_of_an_attack_ends(people: People, attacked: Attacked) -> None:
    with tenant_scope(people.tenant_id):
        left = Run.objects.filter(state__in=[RunState.QUEUED, RunState.RUNNING]).count()
    assert (left, sum(attacked.ends.values())) == (0, attacked.runs)


def test_the_check_of_the_state_sees_a_new_row_and_a_changed_one(
    people: People, admin: Connection
) -> None:
    before = state.taken(admin, NOWHERE)
    with tenant_scope(people.tenant_id):
        Membership.objects.filter(user_id=people.operador.user_id).update(roles=["admin"])
    after = state.taken(admin, NOWHERE)
    assert state.changes(before, after)["membership"] == 2
