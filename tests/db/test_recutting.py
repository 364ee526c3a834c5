"""How a collection is cut is its admins' word, and a change of it reaches what is there already."""

from __future__ import annotations

import pytest

from audit.models import AgenteAcao
from grounding.intake import policies
from grounding.models import Chunk, ChunkingPolicy, Collection, Version
from grounding.reading.chunking import STANDARD, Policy
from grounding.upkeep import choosing, recutting
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import a_browser
from tests.db.indexing import looked_after

pytestmark = pytest.mark.django_db
CUT = "/conhecimento/indice/recorte/"
SMALL = Policy(400, overlap=False)
LONG = "# Queue\n\n" + "\n\n".join(
    f"Paragraph {number} says what to do with the queue when the consumer of it has stopped working."
    for number in range(20)
)


@pytest.fixture
def tenant() -> Tenant:
    made = factories.a_tenant()
    factories.a_published_document(made, text=LONG)
    return made


@pytest.fixture
def admin(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.ADMIN)


def choose(admin: Principal, policy: Policy = SMALL) -> ChunkingPolicy:
    with tenant_scope(admin.tenant_id):
        return choosing.choose(admin=admin, collection=Collection.objects.get(), policy=policy)


def active(tenant: Tenant) -> Version:
    with tenant_scope(tenant.pk):
        return Version.objects.get(active=True)


def test_a_version_says_which_policy_cut_it(tenant: Tenant) -> None:
    assert active(tenant).chunker == STANDARD.chunker


def test_what_is_sent_after_a_policy_is_cut_by_it(tenant: Tenant, admin: Principal) -> None:
    choose(admin)
    version = factories.a_published_document(tenant, text=LONG + "\n\nOne more.", name="b.md")
    with tenant_scope(tenant.pk):
        assert max(len(c.text) for c in Chunk.objects.filter(version=version)) <= SMALL.limit
    assert version.chunker == SMALL.chunker


def test_what_was_there_is_cut_again_as_the_next_version(tenant: Tenant, admin: Principal) -> None:
    before = active(tenant)
    choose(admin)
    looked_after(tenant)
    after = active(tenant)
    assert (after.number, after.chunker, after.text) == (2, SMALL.chunker, before.text)
    with tenant_scope(tenant.pk):
        pieces = Chunk.objects.filter(version=after)
        assert pieces.count() > Chunk.objects.filter(version=before).count()
        assert all(piece.text == after.text[piece.start : piece.end] for piece in pieces)


def test_the_passages_that_were_cited_stay_readable(tenant: Tenant, admin: Principal) -> None:
    before = active(tenant)
    choose(admin)
    looked_after(tenant)
    with tenant_scope(tenant.pk):
        assert Chunk.objects.filter(version=before).exists()


def test_drift_is_counted_until_the_worker_has_been_there(tenant: Tenant, admin: Principal) -> None:
    choose(admin)
    with tenant_scope(tenant.pk):
        assert recutting.drifted(limit=10) == [active(tenant).pk]
    looked_after(tenant)
    with tenant_scope(tenant.pk):
        assert recutting.drifted(limit=10) == []


def test_a_second_turn_changes_nothing(tenant: Tenant, admin: Principal) -> None:
    choose(admin)
    looked_after(tenant)
    looked_after(tenant)
    assert active(tenant).number == 2


def test_the_same_policy_again_is_refused(tenant: Tenant, admin: Principal) -> None:
    choose(admin)
    with pytest.raises(choosing.SamePolicyError):
        choose(admin)


def test_a_policy_leaves_a_row_of_the_trail_and_its_number(
    tenant: Tenant, admin: Principal
) -> None:
    assert [choose(admin).number, choose(admin, STANDARD).number] == [1, 2]
    with tenant_scope(tenant.pk):
        rows = AgenteAcao.objects.filter(acao="recorte.alterado")
        assert {row.saida_resumo for row in rows} == {
            f"plataforma: {SMALL.chunker} → {STANDARD.chunker}",
            f"plataforma: {STANDARD.chunker} → {SMALL.chunker}",
        }


def test_the_page_takes_a_policy_from_an_admin(tenant: Tenant) -> None:
    browser = a_browser(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        collection = Collection.objects.get()
    browser.send(CUT, colecao=collection.pk, tamanho=400)
    with tenant_scope(tenant.pk):
        assert policies.in_force(collection.pk) == SMALL


def test_a_size_out_of_bounds_is_refused_in_its_page(tenant: Tenant) -> None:
    with tenant_scope(tenant.pk):
        collection = Collection.objects.get()
    sent = {"colecao": collection.pk, "tamanho": 50}
    answer = a_browser(tenant, Role.ADMIN).client.post(CUT, sent)
    assert answer.status_code == 422
    assert "Gravar o recorte de" in answer.content.decode()


def test_nobody_but_an_admin_says_how_it_is_cut(tenant: Tenant) -> None:
    answer = a_browser(tenant, Role.OPERADOR).client.post(CUT, {"colecao": "1", "tamanho": 400})
    assert answer.status_code == 403
