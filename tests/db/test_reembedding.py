"""Another embedding model: its vectors fill beside those in use, and take over all at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from django.db.models import F

from audit.models import AgenteAcao
from grounding.models import KnowledgeIndex, Vector
from grounding.retrieval import consult, embedding
from grounding.retrieval.embedding import standing_in
from grounding.upkeep import filling, standing
from opspilot.connectors import readers
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.indexing import OtherModel, collections_of, index_of, looked_after

pytestmark = pytest.mark.django_db
QUESTION = "How do I restart the consumer of the payments queue?"
OTHER_TEXT = factories.RUNBOOK.replace("payments", "billing")


@pytest.fixture
def tenant() -> Tenant:
    made = factories.a_tenant()
    factories.a_published_document(made)
    looked_after(made)
    return made


@pytest.fixture
def other() -> Iterator[OtherModel]:
    model = OtherModel()
    with standing_in(model):
        yield model


def spaces_of(tenant: Tenant) -> set[str]:
    with tenant_scope(tenant.pk):
        return set(Vector.objects.values_list("space", flat=True))


def test_a_company_s_space_is_the_one_its_documents_were_published_in(tenant: Tenant) -> None:
    assert index_of(tenant).space == readers.embedder("bundled").space


def test_the_switch_comes_when_every_passage_has_its_vector(
    tenant: Tenant, other: OtherModel
) -> None:
    row = looked_after(tenant)
    assert (row.space, row.target) == (OtherModel.space, "")
    assert row.switched_at is not None


def test_questions_stay_in_the_old_space_while_the_new_one_fills(
    tenant: Tenant, other: OtherModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.a_published_document(tenant, text=OTHER_TEXT, name="outra.md")
    monkeypatch.setattr(filling, "BATCH", 1)
    other.answers = 1
    row = looked_after(tenant)
    assert (row.done, row.total, row.target) == (1, 2, OtherModel.space)
    query = consult.prepare(QUESTION, tenant_id=tenant.pk)
    assert query.space == readers.embedder("bundled").space
    with tenant_scope(tenant.pk):
        found = consult.legs(query=query, collections=collections_of(tenant))
    assert len(found.vector) == 2


def test_an_endpoint_that_does_not_answer_leaves_the_old_space_in_use(
    tenant: Tenant, other: OtherModel
) -> None:
    other.answers = 0
    row = looked_after(tenant)
    assert (row.space, row.fault) == (readers.embedder("bundled").space, filling.SILENT)
    other.answers = 1_000
    assert looked_after(tenant).space == OtherModel.space


def test_what_is_published_while_it_fills_is_asked_in_the_old_space_and_then_fills_too(
    tenant: Tenant, other: OtherModel
) -> None:
    other.answers = 0
    looked_after(tenant)
    version = factories.a_published_document(tenant, text=OTHER_TEXT, name="outra.md")
    assert version.space == readers.embedder("bundled").space
    other.answers = 1_000
    looked_after(tenant)
    with tenant_scope(tenant.pk):
        assert Vector.objects.filter(space=OtherModel.space).count() == 2


def test_nothing_switches_while_a_passage_lacks_its_vector(
    tenant: Tenant, other: OtherModel
) -> None:
    other.answers = 0
    row = looked_after(tenant)
    with tenant_scope(tenant.pk):
        from_sql = standing.rows("switch", space=row.target)
    assert from_sql == []
    assert index_of(tenant).space != OtherModel.space


def test_old_vectors_stay_for_an_hour_and_go_after_it(tenant: Tenant, other: OtherModel) -> None:
    looked_after(tenant)
    looked_after(tenant)
    assert len(spaces_of(tenant)) == 2
    with tenant_scope(tenant.pk):
        KnowledgeIndex.objects.update(switched_at=F("switched_at") - dt.timedelta(hours=2))
    looked_after(tenant)
    assert spaces_of(tenant) == {OtherModel.space}


def test_the_switch_is_a_row_of_the_trail(tenant: Tenant, other: OtherModel) -> None:
    looked_after(tenant)
    with tenant_scope(tenant.pk):
        (row,) = AgenteAcao.objects.filter(acao="indice.trocado")
    assert (row.saida_resumo or "").endswith(OtherModel.space)


def test_a_space_nobody_can_embed_in_any_more_is_searched_by_words(tenant: Tenant) -> None:
    with tenant_scope(tenant.pk):
        KnowledgeIndex.objects.update(space="modelo-que-saiu/1/384/noprefix/l2")
    query = consult.prepare(QUESTION, tenant_id=tenant.pk)
    with tenant_scope(tenant.pk):
        found = consult.consult(query=query, collections=collections_of(tenant))
    assert query.vector == []
    assert [source.document_name for source in found.sources] == ["fila.md"]


def test_the_configured_space_is_asked_where_no_row_says_another() -> None:
    new = factories.a_tenant()
    assert consult.prepare(QUESTION, tenant_id=new.pk).space == embedding.embedder().space
