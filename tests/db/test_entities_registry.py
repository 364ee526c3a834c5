"""The registry of entities: joining, parting, erasing, and what a history then shows."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import DatabaseError, connection

from audit import entities, trail
from audit.models import AgenteAcao, Entity, EntityEvent
from audit.registry import acts, standing
from audit.registry.errors import (
    ErasedError,
    NotMergedError,
    OtherKindError,
    SameEntryError,
    ShortReasonError,
)
from audit.vocabulary import Authorization, Result
from opspilot.errors import RoleRequiredError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser, as_
from tests.db.merged_entities import REASON, a_customer

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def keeper(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.CONFORMIDADE)


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


def an_effect_about(entity: Entity, words: str) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="issue.criada",
            resultado=Result.OK,
            autorizacao=Authorization.HUMANA,
            entidade_tipo=entity.type,
            entidade_id=str(entity.ref),
            saida_resumo=words,
        )
    )


def two_with_effects(tenant: Tenant) -> tuple[Entity, Entity]:
    with tenant_scope(tenant.pk):
        first, second = a_customer(tenant), a_customer(tenant)
        an_effect_about(first, "feito ao primeiro")
        an_effect_about(second, "feito ao segundo")
    return first, second


def merged(tenant: Tenant, keeper: Principal) -> tuple[Entity, Entity]:
    first, second = two_with_effects(tenant)
    with tenant_scope(tenant.pk):
        acts.merge(principal=keeper, entity=first, into=second, reason=REASON)
    return first, second


def history_of(entity: Entity) -> str:
    return f"/trilha/entidades/{entity.type}/{entity.ref}/"


def test_after_a_merge_one_history_shows_the_rows_of_both_ids(
    tenant: Tenant, keeper: Principal, auditor: Browser
) -> None:
    first, second = merged(tenant, keeper)
    for entity in (first, second):
        page = auditor.read(history_of(entity))
        assert "feito ao primeiro" in page
        assert "feito ao segundo" in page


def test_after_a_split_each_history_shows_its_own_rows(
    tenant: Tenant, keeper: Principal, auditor: Browser
) -> None:
    first, second = merged(tenant, keeper)
    with tenant_scope(tenant.pk):
        acts.split(principal=keeper, entity=first, reason=REASON)
    assert "feito ao segundo" not in auditor.read(history_of(first))
    assert "feito ao primeiro" not in auditor.read(history_of(second))


def test_a_document_leads_to_the_entry_that_stands_for_it(
    tenant: Tenant, keeper: Principal
) -> None:
    document = entities.parse_document(factories.CPF)
    with tenant_scope(tenant.pk):
        mine = entities.resolve(principal=keeper, document=document, correlation_id=uuid.uuid4())
        other, third = a_customer(tenant), a_customer(tenant)
        acts.merge(principal=keeper, entity=mine, into=other, reason=REASON)
        acts.merge(principal=keeper, entity=other, into=third, reason=REASON)
        assert entities.find(document=document) == third
        again = entities.resolve(principal=keeper, document=document, correlation_id=uuid.uuid4())
        assert again == third
        assert set(standing.members(third)) == {mine, other, third}


def test_an_entry_cannot_be_merged_into_what_it_stands_for(
    tenant: Tenant, keeper: Principal
) -> None:
    first, second = merged(tenant, keeper)
    with pytest.raises(SameEntryError), tenant_scope(tenant.pk):
        acts.merge(principal=keeper, entity=second, into=first, reason=REASON)


def test_entries_of_two_kinds_are_not_merged(tenant: Tenant, keeper: Principal) -> None:
    with tenant_scope(tenant.pk):
        order = Entity.objects.create(
            tenant_id=tenant.pk, type="pedido", title="Pedido 1", document_hash=uuid.uuid4().hex
        )
        with pytest.raises(OtherKindError):
            acts.merge(principal=keeper, entity=order, into=a_customer(tenant), reason=REASON)


def test_what_is_not_merged_is_not_split(tenant: Tenant, keeper: Principal) -> None:
    with pytest.raises(NotMergedError), tenant_scope(tenant.pk):
        acts.split(principal=keeper, entity=a_customer(tenant), reason=REASON)


def test_after_an_erasure_nobody_finds_the_entry_by_its_document(
    tenant: Tenant, keeper: Principal
) -> None:
    document = entities.parse_document(factories.CPF)
    with tenant_scope(tenant.pk):
        mine = entities.resolve(principal=keeper, document=document, correlation_id=uuid.uuid4())
        acts.erase(principal=keeper, entity=mine, reason=REASON)
        assert entities.find(document=document) is None
        kept = Entity.objects.get(pk=mine.pk)
        assert (kept.title, kept.document_hash) == ("", None)


def test_the_history_of_an_erased_entry_is_still_read_by_its_id_and_says_when_it_was_erased(
    tenant: Tenant, keeper: Principal, auditor: Browser
) -> None:
    first, _second = two_with_effects(tenant)
    with tenant_scope(tenant.pk):
        acts.erase(principal=keeper, entity=first, reason=REASON)
    page = auditor.read(history_of(first))
    assert "feito ao primeiro" in page
    assert "Identidade apagada em" in page
    assert "CPF ***" not in page


def test_an_erasure_takes_the_identity_of_all_that_was_merged(
    tenant: Tenant, keeper: Principal
) -> None:
    first, second = merged(tenant, keeper)
    with tenant_scope(tenant.pk):
        acts.erase(principal=keeper, entity=second, reason=REASON)
        left = Entity.objects.filter(pk__in=[first.pk, second.pk], document_hash__isnull=False)
        assert not left.exists()


def test_nothing_is_merged_into_an_erased_entry(tenant: Tenant, keeper: Principal) -> None:
    first, second = two_with_effects(tenant)
    with tenant_scope(tenant.pk):
        acts.erase(principal=keeper, entity=first, reason=REASON)
        with pytest.raises(ErasedError):
            acts.merge(principal=keeper, entity=second, into=first, reason=REASON)


@pytest.mark.parametrize(
    ("act", "action"), [("merge", "entidade.unida"), ("erase", "entidade.apagada")]
)
def test_each_act_is_a_row_of_the_trail_with_who_and_why(
    tenant: Tenant, keeper: Principal, act: str, action: str
) -> None:
    first, second = two_with_effects(tenant)
    with tenant_scope(tenant.pk):
        more: dict[str, Any] = {"into": second} if act == "merge" else {}
        getattr(acts, act)(principal=keeper, entity=first, reason=REASON, **more)
        row = AgenteAcao.objects.get(acao=action, entidade_id=str(first.ref))
    assert (row.entrada_resumo, row.saida_resumo) == (keeper.signature, REASON)


def test_a_reason_of_less_than_ten_characters_is_refused(tenant: Tenant, keeper: Principal) -> None:
    with pytest.raises(ShortReasonError), tenant_scope(tenant.pk):
        acts.erase(principal=keeper, entity=a_customer(tenant), reason="  porque  ")


def test_an_auditor_changes_nothing_in_the_registry(tenant: Tenant) -> None:
    auditor = factories.a_principal(tenant, Role.AUDITOR)
    with pytest.raises(RoleRequiredError), tenant_scope(tenant.pk):
        acts.erase(principal=auditor, entity=a_customer(tenant), reason=REASON)


def test_a_document_number_in_a_reason_is_masked(tenant: Tenant, keeper: Principal) -> None:
    with tenant_scope(tenant.pk):
        entity = a_customer(tenant)
        acts.erase(principal=keeper, entity=entity, reason=f"pedido do titular {factories.CPF}")
        assert factories.CPF not in EntityEvent.objects.get(entity=entity).reason


@pytest.mark.parametrize(
    "change",
    [
        "title = 'Outro', document_hash = 'x'",
        "title = '', document_hash = NULL",
        "title = ''",
    ],
)
def test_the_database_refuses_a_change_that_is_no_decided_erasure(
    tenant: Tenant, change: str
) -> None:
    with tenant_scope(tenant.pk):
        entity = a_customer(tenant)
    with pytest.raises(DatabaseError), tenant_scope(tenant.pk), connection.cursor() as cursor:
        cursor.execute(f"UPDATE entity SET {change} WHERE id = %s", [entity.pk])  # noqa: S608


def test_another_company_s_entry_is_not_merged_nor_named(tenant: Tenant, keeper: Principal) -> None:
    other = factories.a_tenant()
    with tenant_scope(other.pk):
        foreign = a_customer(other)
    first, _second = two_with_effects(tenant)
    page = as_(keeper).send(
        f"{history_of(first)}cadastro/unir/", outro=str(foreign.ref), motivo=REASON
    )
    assert "Não há outro cadastro com isto" in page


def test_compliance_joins_parts_and_erases_on_the_entry_s_page(
    tenant: Tenant, keeper: Principal
) -> None:
    first, second = two_with_effects(tenant)
    browser, page = as_(keeper), f"{history_of(first)}cadastro/"
    joined = browser.send(f"{page}unir/", outro=str(second.ref), motivo=REASON, confirmado="on")
    assert "Unidos a este" in joined
    assert REASON in joined
    parted = browser.send(f"{page}separar/", cadastro=str(second.ref), motivo=REASON)
    assert "Unidos a este" not in parted
    erased = browser.send(f"{page}apagar/", motivo=REASON, ciente="on")
    assert "Identidade apagada em" in erased


def test_a_refused_parting_keeps_what_was_typed_at_the_entry_it_was_about(
    tenant: Tenant, keeper: Principal
) -> None:
    first, second = two_with_effects(tenant)
    with tenant_scope(tenant.pk):
        third = a_customer(tenant)
        for one in (second, third):
            acts.merge(principal=keeper, entity=one, into=first, reason=REASON)
    page = as_(keeper).send(
        f"{history_of(first)}cadastro/separar/", cadastro=str(third.ref), motivo="curto"
    )
    forms = page.split('name="cadastro"')[1:]
    kept = [form for form in forms if ">\ncurto</textarea>" in form.partition("</form>")[0]]
    assert [f'value="{third.ref}"' in form for form in kept] == [True]


def test_a_document_that_leads_nowhere_is_not_written_back(
    tenant: Tenant, keeper: Principal
) -> None:
    first, _second = two_with_effects(tenant)
    page = as_(keeper).send(
        f"{history_of(first)}cadastro/unir/", outro=factories.CPF, motivo=REASON
    )
    assert "Não há outro cadastro com isto" in page
    assert REASON in page
    assert factories.CPF not in page


def test_an_auditor_does_not_open_the_entry_s_page(tenant: Tenant, auditor: Browser) -> None:
    first, _second = two_with_effects(tenant)
    assert auditor.status(f"{history_of(first)}cadastro/") == 403
    assert "cadastro/" not in auditor.read(history_of(first)).partition("<main")[2]
