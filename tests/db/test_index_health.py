"""What the worker measures of an index, what a large company's vectors become, and the page of both."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection, connections

from audit.models import AgenteAcao
from grounding.models import Document, KnowledgeIndex, Search
from grounding.retrieval import search
from grounding.upkeep import growing
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import a_browser
from tests.db.indexing import collections_of, index_of, looked_after

PAGE = "/conhecimento/indice/"
LIKE = "Restart the consumer of the queue on the first host, then look at its panel for ten minutes"


def measured(tenant: Tenant) -> dict[str, Any]:
    found: dict[str, Any] = looked_after(tenant).health
    return found


@pytest.mark.django_db
def test_an_index_in_order_has_nothing_to_do() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    found = measured(tenant)
    assert [found[name] for name in ("orphans", "unseen", "stranded", "drifted", "textless")] == [
        0
    ] * 5
    assert (found["passages"], found["deletions"]) == (1, {"asked": 0, "left": []})


@pytest.mark.django_db
def test_texts_that_are_nearly_the_same_are_told_as_a_pair() -> None:
    tenant = factories.a_tenant()
    for name, host in (("a.md", "pag-01"), ("b.md", "pag-02"), ("c.md", "")):
        text = f"# Queue\n\n{LIKE}. {LIKE}, and {LIKE} of {host}." if host else "# Other\n\nDisk."
        factories.a_published_document(tenant, name=name, text=text)
    found = measured(tenant)
    with tenant_scope(tenant.pk):
        names = dict(Document.objects.values_list("pk", "name"))
    assert [sorted(names[one] for one in pair) for pair in found["alike_pairs"]] == [
        ["a.md", "b.md"]
    ]


@pytest.mark.django_db
def test_a_company_without_documents_is_measured_again_when_the_first_comes() -> None:
    tenant = factories.a_tenant()
    assert measured(tenant)["passages"] == 0
    factories.a_published_document(tenant)
    assert measured(tenant)["passages"] == 1


@pytest.mark.django_db
def test_the_page_says_what_was_measured_and_what_to_do() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    looked_after(tenant)
    with tenant_scope(tenant.pk):
        row = KnowledgeIndex.objects.get()
        KnowledgeIndex.objects.update(health=row.health | {"textless": 2})
    page = a_browser(tenant, Role.ADMIN).read(PAGE)
    assert "Registros órfãos" in page
    assert "Envie de novo um arquivo com texto" in page


@pytest.mark.django_db
def test_the_page_shows_how_far_another_model_is() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    looked_after(tenant)
    with tenant_scope(tenant.pk):
        KnowledgeIndex.objects.update(
            target="novo/1/384/x/l2", done=3, total=8, fault="sem_resposta"
        )
    page = a_browser(tenant, Role.ADMIN).read(PAGE)
    assert "3 de 8 trechos" in page
    assert "O modelo novo não responde" in page


@pytest.mark.django_db
def test_only_an_admin_opens_the_page() -> None:
    tenant = factories.a_tenant()
    assert a_browser(tenant, Role.OPERADOR).status(PAGE) == 403
    assert a_browser(tenant, Role.ADMIN).status(PAGE) == 200


@pytest.mark.django_db
def test_a_measure_that_an_admin_asks_for_is_made_now_and_told() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    looked_after(tenant)
    a_browser(tenant, Role.ADMIN).send(f"{PAGE}medir/")
    row = index_of(tenant)
    assert row.looked_at is None
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="indice.medido").count() == 1


@pytest.fixture
def large(committed: None, settings: Any) -> Tenant:
    """A company over the size from which its vectors move; two passages are enough for the law."""
    settings.OPSPILOT_APPROXIMATE_FROM = 2
    tenant = factories.a_tenant()
    for host in ("pag-01", "pag-02"):
        text = factories.RUNBOOK.replace("pag-01", host)
        factories.a_published_document(tenant, name=f"{host}.md", text=text)
    return tenant


def partition_of(tenant: Tenant) -> str:
    with connections["maintenance"].cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits "
            "WHERE inhparent = 'chunk_vector'::regclass AND inhrelid::regclass::text LIKE %s",
            [f"%{str(tenant.pk).replace('-', '_')}"],
        )
        found = cursor.fetchone()
        return found[0] if found else ""


def test_a_large_company_s_vectors_move_and_are_searched_approximately(large: Tenant) -> None:
    row = looked_after(large)
    assert (row.search, row.recall) == (Search.APPROXIMATE, 1.0)
    assert partition_of(large)
    vector = [0.1] * 384
    with tenant_scope(large.pk):
        asked: dict[str, Any] = {
            "embedding": vector, "space": row.space, "collections": collections_of(large),
        }  # fmt: skip
        assert search.vector(**asked, approximate=True) == search.vector(**asked)
        assert AgenteAcao.objects.filter(acao="indice.acelerado").count() == 1


def test_nobody_reads_a_partition_by_its_name(large: Tenant) -> None:
    looked_after(large)
    with tenant_scope(large.pk), connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_table_privilege('opspilot_app', %s, 'SELECT')", [partition_of(large)]
        )
        assert cursor.fetchone() == (False,)


def test_a_moved_company_still_publishes_and_sees_its_own_vectors_only(large: Tenant) -> None:
    looked_after(large)
    factories.a_published_document(factories.a_tenant())
    factories.a_published_document(large, name="c.md", text=f"# C\n\n{LIKE}.")
    row = index_of(large)
    with tenant_scope(large.pk):
        asked: dict[str, Any] = {
            "embedding": [0.1] * 384, "space": row.space, "collections": collections_of(large),
        }  # fmt: skip
        assert len(search.vector(**asked, approximate=True)) == 3


def test_below_the_floor_it_is_turned_off_and_the_trail_says_so(
    large: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_after(large)
    monkeypatch.setattr(growing, "measure", lambda _row: 0.9)
    with tenant_scope(large.pk):
        KnowledgeIndex.objects.update(looked_at=None)
    row = looked_after(large)
    assert (row.search, row.recall) == (Search.TURNED_OFF, 0.9)
    with tenant_scope(large.pk):
        (told,) = AgenteAcao.objects.filter(acao="indice.desligado")
    assert "90" in (told.saida_resumo or "")
    assert "Busca aproximada desligada" in a_browser(large, Role.ADMIN).read(PAGE)


def test_the_exact_search_never_takes_the_approximate_index(large: Tenant) -> None:
    row = looked_after(large)
    text = (search.FOLDER / "vector.sql").read_text()
    values: dict[str, Any] = {
        "tenant_id": large.pk, "embedding": json.dumps([0.1] * 384), "space": row.space,
        "collections": collections_of(large), "limit": 10, "since": None, "until": None,
        "kind": "", "owner": "",
    }  # fmt: skip
    with tenant_scope(large.pk), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {text}", values)
        plan = " ".join(line[0] for line in cursor.fetchall())
    assert "chunk_vector_" in plan
    assert "Order By: (embedding" not in plan


def test_a_setting_the_extension_does_not_know_leaves_the_exact_search(
    large: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = looked_after(large)
    monkeypatch.setattr(search, "SCAN", {"hnsw.iterative_scam": "relaxed_order"})
    with tenant_scope(large.pk):
        assert not search._scan_is_as_meant()
    assert row.search == Search.APPROXIMATE
