"""Which proposal one is compared with, and which ones wait beside it."""

from __future__ import annotations

import os
import re
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper

from approvals.inbox import similar
from approvals.models import AgenteAprovacao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import deciding
from tests.db.deciding import approver
from tests.db.reading import the_page_of

pytestmark = pytest.mark.usefixtures("committed")

TITLE = "Reiniciar o consumidor de pagamentos"
OTHER = "Trocar o certificado do balanceador"


def refused(tenant: Tenant, **overrides: Any) -> AgenteAprovacao:
    return deciding.refuse(factories.a_proposal(tenant, **overrides), approver(tenant))


def last(proposal: AgenteAprovacao) -> AgenteAprovacao | None:
    with tenant_scope(proposal.tenant_id):
        read = the_page_of(proposal)
        found = similar.nearest(read.proposal, read.around.titles)
        return AgenteAprovacao.objects.get(pk=found.pk) if found else None


def waiting(proposal: AgenteAprovacao) -> similar.Alike:
    with tenant_scope(proposal.tenant_id):
        read = the_page_of(proposal)
        return similar.waiting(read.proposal, read.around.titles)


def test_it_is_the_newest_decided_one_about_the_same_target() -> None:
    tenant = factories.a_tenant()
    refused(tenant)
    newest = factories.approve(factories.a_proposal(tenant), approver(tenant))
    factories.a_proposal(tenant)
    assert last(factories.a_proposal(tenant)) == newest


def test_a_like_one_comes_before_a_newer_one_about_other_work() -> None:
    tenant = factories.a_tenant()
    like = refused(tenant, title=f"{TITLE} agora")
    refused(tenant, title=OTHER)
    assert last(factories.a_proposal(tenant, title=TITLE)) == like


def test_without_a_like_one_it_is_the_newest_at_that_target() -> None:
    tenant = factories.a_tenant()
    newest = refused(tenant, title=OTHER)
    assert last(factories.a_proposal(tenant, title=TITLE)) == newest


def test_another_target_is_not_compared_with() -> None:
    tenant = factories.a_tenant()
    refused(tenant, alias="nucleo", assignees=())
    assert last(factories.a_proposal(tenant)) is None


@pytest.mark.parametrize("closing", ["cancel", "ask_for_changes"])
def test_what_was_neither_approved_nor_refused_is_not_compared_with(closing: str) -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    by = requester if closing == "cancel" else approver(tenant)
    getattr(deciding, closing)(factories.a_proposal(tenant, by=requester), by)
    assert last(factories.a_proposal(tenant)) is None


def test_a_closed_one_is_compared_with_what_came_before_it() -> None:
    tenant = factories.a_tenant()
    first, second = refused(tenant), refused(tenant)
    assert (last(first), last(second)) == (None, first)


def test_another_company_s_proposals_are_never_compared_with() -> None:
    refused(factories.a_tenant())
    mine = factories.a_proposal(factories.a_tenant())
    assert last(mine) is None
    assert waiting(mine).shown == ()


def test_those_that_wait_for_the_same_work_are_named_and_others_are_not() -> None:
    tenant = factories.a_tenant()
    like = factories.a_proposal(tenant, title=f"{TITLE} agora")
    factories.a_proposal(tenant, title=OTHER)
    factories.a_proposal(tenant, alias="nucleo", assignees=(), title=TITLE)
    refused(tenant, title=TITLE)
    shown = waiting(factories.a_proposal(tenant, title=TITLE)).shown
    assert [(row.ref, row.title) for row in shown] == [(like.ref, like.proposta["title"])]


def test_of_many_that_wait_the_newest_are_shown_and_the_others_counted() -> None:
    tenant = factories.a_tenant()
    for _number in range(similar.SHOWN + 2):
        factories.a_proposal(tenant, title=TITLE)
    found = waiting(factories.a_proposal(tenant, title=TITLE))
    assert (len(found.shown), found.more) == (similar.SHOWN, 2)


@pytest.mark.parametrize(
    ("states", "index"),
    [
        (("aprovada", "recusada"), "agente_aprovacao_decididas"),
        (("pendente",), "agente_aprovacao_mesmo_destino"),
    ],
)
def test_the_look_up_has_an_index_that_row_security_lets_it_use(
    states: tuple[str, ...], index: str
) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    with tenant_scope(proposal.tenant_id), connection.cursor() as cursor:
        fill_beside(cursor, proposal)
    # What autovacuum does by and by; left to itself it may have counted the rows of before.
    with psycopg.connect(os.environ["DATABASE_URL_ADMIN"], autocommit=True) as admin:
        admin.execute("ANALYZE agente_aprovacao")
    with tenant_scope(proposal.tenant_id), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        found = AgenteAprovacao.objects.filter(
            acao=proposal.acao, destino_hash=proposal.destino_hash, estado__in=states
        )
        plan = found.order_by("-pk").explain()
    assert f"{index} " in plan
    assert "destino_hash" in plan.split("Index Cond:")[1].splitlines()[0]


def fill_beside(cursor: CursorWrapper, proposal: AgenteAprovacao) -> None:
    """Four hundred more of another target: among a handful of rows every index costs the same."""
    cursor.execute(
        "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute"
        " WHERE attrelid = 'agente_aprovacao'::regclass AND attnum > 0"
        " AND NOT attisdropped AND attgenerated = '' AND attname <> 'id'"
    )
    columns = cursor.fetchone()[0]
    values = columns
    for name, value in (
        ("ref", "gen_random_uuid()"),
        ("correlacao_id", "gen_random_uuid()"),
        ("proposta", "jsonb_set(proposta, '{target,alias}', to_jsonb(n::text))"),
    ):
        values = re.sub(rf"\b{name}\b", value, values, count=1)
    cursor.execute(
        f"INSERT INTO agente_aprovacao ({columns}) SELECT {values}"  # noqa: S608 -- the catalogue's names
        " FROM agente_aprovacao, generate_series(1, 400) n WHERE id = %s",
        [proposal.pk],
    )
