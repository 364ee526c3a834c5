"""The registry beside legal holds, and what is shown before and after entries are joined."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from pytest_django import Settings

from audit import entities, trail
from audit.models import Entity, EntityEvent
from audit.months import holds, page
from audit.registry import acts, other
from audit.registry.errors import HeldError
from audit.trace import asking
from audit.trace.errors import GoneError
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tracing
from tests.db.browsing import Browser, as_
from tests.db.merged_entities import REASON, a_customer

pytestmark = pytest.mark.django_db
WHY = "Processo 3/2026 em curso."


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def keeper(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.CONFORMIDADE)


@pytest.fixture
def browser(keeper: Principal) -> Browser:
    return as_(keeper)


def entry_of(entity: Entity) -> str:
    return f"/trilha/entidades/{entity.type}/{entity.ref}/cadastro/"


def titled(tenant: Tenant, title: str) -> Entity:
    return Entity.objects.create(
        tenant_id=tenant.pk, type="cliente", title=title, document_hash=uuid.uuid4().hex
    )


@pytest.mark.parametrize("whole", [False, True])
def test_what_is_held_is_not_erased_and_the_refusal_names_the_hold(
    tenant: Tenant, keeper: Principal, browser: Browser, *, whole: bool
) -> None:
    with tenant_scope(tenant.pk):
        entity = a_customer(tenant)
        hold = holds.place(person=keeper, entity=None if whole else entity, reason=WHY)
    refused = browser.send(f"{entry_of(entity)}apagar/", motivo=REASON, ciente="on")
    assert "Guarda legal em vigor desde" in refused
    assert f"{hold.since:%Y}" in refused
    assert f"“{WHY.rstrip('.')}”" in refused
    with tenant_scope(tenant.pk):
        assert not EntityEvent.objects.filter(entity=entity).exists()
        holds.lift(hold=hold, person=keeper, reason="O processo terminou.")
        acts.erase(principal=keeper, entity=entity, reason=REASON)


@pytest.mark.parametrize("held", [0, 1])
def test_a_hold_on_one_of_two_joined_entries_keeps_both(
    tenant: Tenant, keeper: Principal, held: int
) -> None:
    with tenant_scope(tenant.pk):
        pair = a_customer(tenant), a_customer(tenant)
        acts.merge(principal=keeper, entity=pair[0], into=pair[1], reason=REASON)
        holds.place(person=keeper, entity=pair[held], reason=WHY)
        for entity in pair:
            with pytest.raises(HeldError):
                acts.erase(principal=keeper, entity=entity, reason=REASON)


def test_a_hold_on_another_entry_hinders_nothing(tenant: Tenant, keeper: Principal) -> None:
    with tenant_scope(tenant.pk):
        entity = a_customer(tenant)
        holds.place(person=keeper, entity=a_customer(tenant), reason=WHY)
        acts.erase(principal=keeper, entity=entity, reason=REASON)
        assert entities.shown_title(Entity.objects.get(pk=entity.pk)) == "identidade apagada"


def test_the_entry_s_page_shows_the_hold_and_no_form_that_erases(
    tenant: Tenant, keeper: Principal, browser: Browser
) -> None:
    with tenant_scope(tenant.pk):
        entity = a_customer(tenant)
    assert f"{entry_of(entity)}apagar/" in browser.read(entry_of(entity))
    with tenant_scope(tenant.pk):
        holds.place(person=keeper, entity=entity, reason=WHY)
    shown = browser.read(entry_of(entity))
    assert WHY in shown
    assert f"{entry_of(entity)}apagar/" not in shown


def test_the_list_of_holds_calls_an_erased_customer_by_no_name(
    tenant: Tenant, keeper: Principal
) -> None:
    with tenant_scope(tenant.pk):
        entity = titled(tenant, "CPF ***.111.222-**")
        hold = holds.place(person=keeper, entity=entity, reason=WHY)
        assert page.choices() == [(str(hold.ref), "CPF ***.111.222-**")]
        holds.lift(hold=hold, person=keeper, reason="O processo terminou.")
        acts.erase(principal=keeper, entity=entity, reason=REASON)
        assert [line.title for line in page.build().holds] == ["identidade apagada"]


def test_a_document_that_finds_nothing_says_how_an_erased_customer_is_found(
    tenant: Tenant, browser: Browser
) -> None:
    found = browser.send("/trilha/procurar/", documento=factories.CPF)
    assert "Uma identidade apagada só se acha pelo identificador" in found


def test_before_a_merge_the_other_entry_is_shown_and_nothing_is_joined(
    tenant: Tenant, browser: Browser
) -> None:
    with tenant_scope(tenant.pk):
        mine, theirs = titled(tenant, "CPF ***.1"), titled(tenant, "CPF ***.2")
    asked = browser.send(f"{entry_of(mine)}unir/", outro=str(theirs.ref), motivo=REASON)
    assert "Unir?" in asked
    assert "CPF ***.2 · 0 linhas na trilha · no cadastro desde" in asked
    with tenant_scope(tenant.pk):
        assert not EntityEvent.objects.exists()


def test_the_question_before_a_merge_names_the_other_by_its_id_and_not_by_its_document(
    tenant: Tenant, keeper: Principal, browser: Browser
) -> None:
    with tenant_scope(tenant.pk):
        document = entities.parse_document(factories.CPF)
        theirs = entities.resolve(principal=keeper, document=document, correlation_id=uuid.uuid4())
        mine = a_customer(tenant)
    asked = browser.send(f"{entry_of(mine)}unir/", outro=factories.CPF, motivo=REASON)
    assert f'name="outro" value="{theirs.ref}"' in asked
    assert factories.CPF not in asked


def test_after_a_merge_the_entry_says_by_title_what_was_joined(
    tenant: Tenant, browser: Browser
) -> None:
    with tenant_scope(tenant.pk):
        mine, theirs = titled(tenant, "CPF ***.1"), titled(tenant, "CPF ***.2")
    sent = {"outro": str(theirs.ref), "motivo": REASON, "confirmado": "on"}
    shown = browser.send(f"{entry_of(mine)}unir/", **sent)
    decided = f"CPF ***.2 <code>{theirs.ref}</code> → CPF ***.1 <code>{mine.ref}</code>"
    assert decided in shown


def test_the_rows_of_the_other_entry_are_counted_up_to_a_bound(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other, "COUNTED", 2)
    said = []
    with tenant_scope(tenant.pk):
        entity = a_customer(tenant)
        for _row in range(3):
            trail.record(
                trail.Entry(
                    correlacao_id=uuid.uuid4(),
                    acao="historico.lido",
                    resultado=Result.OK,
                    autorizacao=Authorization.REGRA,
                    entidade_tipo=entity.type,
                    entidade_id=str(entity.ref),
                )
            )
            said.append(other.shown(entity).rows)
    assert said == [
        "1 linha na trilha",
        "2 linhas na trilha",
        "mais de 2 linhas na trilha",
    ]


def test_a_trace_from_before_an_erasure_is_no_longer_taken_along(
    tenant: Tenant, keeper: Principal, settings: Settings, tmp_path: Path
) -> None:
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    with tenant_scope(tenant.pk):
        entity = a_customer(tenant)
    before = tracing.build(tracing.asked(entity, keeper))
    with tenant_scope(tenant.pk):
        assert asking.is_kept(before)
        acts.erase(principal=keeper, entity=entity, reason=REASON)
        assert not asking.is_kept(before)
        with pytest.raises(GoneError):
            asking.take_along(person=keeper, ref=before.ref)
