"""Who reads a collection: given and taken by admins, each act an entry and a row of the trail."""

from __future__ import annotations

import importlib
import uuid

import pytest
from django.db import DatabaseError, connection, transaction

from audit.models import AgenteAcao
from grounding.access import granting, readable
from grounding.access.errors import AccessUnchangedError, CollectionNotGrantedError
from grounding.intake import uploads
from grounding.models import Document, ReaderEntry
from grounding.reasons import ReasonMissingError
from opspilot.busca import selectors as busca
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import agents, factories
from tests.conftest import Connection
from tests.db import consults
from tests.db.browsing import Browser, a_browser, as_

pytestmark = pytest.mark.django_db
PAGE = "/conhecimento/colecoes/"
LATER = uuid.uuid4()
EMPTIED = """
ALTER TABLE collection_reader NO FORCE ROW LEVEL SECURITY;
ALTER TABLE collection_reader DISABLE TRIGGER append_only;
DELETE FROM collection_reader;
ALTER TABLE collection_reader ENABLE TRIGGER append_only;
"""
BASELINE = importlib.import_module("grounding.migrations.0004_access").BASELINE


@pytest.fixture
def home() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    return tenant


def readers(tenant: Tenant) -> set[str]:
    with tenant_scope(tenant.pk):
        newest = ReaderEntry.objects.order_by("collection_id", "subject", "-number")
        rows = newest.distinct("collection_id", "subject")
        return {row.subject for row in rows if row.granted}


def ref_of(tenant: Tenant) -> str:
    with tenant_scope(tenant.pk):
        return str(Document.objects.get().ref)


def test_a_new_collection_is_read_by_every_role_and_by_no_agent(home: Tenant) -> None:
    assert readers(home) == {f"papel:{role}" for role in Role}


def test_taking_a_role_away_leaves_a_row_with_the_reason(home: Tenant) -> None:
    consults.take_from(home, Role.OPERADOR)
    assert "papel:operador" not in readers(home)
    with tenant_scope(home.pk):
        row = AgenteAcao.objects.get(acao="leitura.revogada")
    assert consults.REASON in (row.saida_resumo or "")
    assert "papel:operador" in (row.saida_resumo or "")


def test_what_was_taken_is_given_back_and_both_entries_stay(home: Tenant) -> None:
    consults.take_from(home, Role.OPERADOR)
    consults.give(home, readable.role_subject(Role.OPERADOR))
    assert "papel:operador" in readers(home)
    with tenant_scope(home.pk):
        of = ReaderEntry.objects.filter(subject="papel:operador").order_by("number")
        assert list(of.values_list("number", "granted")) == [(5, True), (6, False), (7, True)]


@pytest.mark.parametrize("reason", ["", "curto", " " * 30, "x" * 501])
def test_a_change_without_a_reason_is_refused(home: Tenant, reason: str) -> None:
    admin, found = factories.a_principal(home, Role.ADMIN), consults.collection(home)
    with tenant_scope(home.pk), pytest.raises(ReasonMissingError):
        granting.grant(principal=admin, collection=found, subject="agente:x", reason=reason)


def test_what_is_so_already_is_refused(home: Tenant) -> None:
    with pytest.raises(AccessUnchangedError):
        consults.give(home, readable.role_subject(Role.AUDITOR))


def test_entries_are_never_changed(home: Tenant) -> None:
    with tenant_scope(home.pk), pytest.raises(DatabaseError), transaction.atomic():
        connection.cursor().execute("UPDATE collection_reader SET granted = true")


def test_for_who_does_not_read_it_a_document_is_like_one_that_does_not_exist(home: Tenant) -> None:
    ref, person = ref_of(home), a_browser(home, Role.OPERADOR)
    assert person.status(f"/conhecimento/documentos/{ref}/") == 200
    consults.take_from(home, Role.OPERADOR)
    assert person.status(f"/conhecimento/documentos/{ref}/") == 404
    nobody = "0" * 8 + ref[8:]
    assert person.status(f"/conhecimento/documentos/{nobody}/") == 404


def test_for_who_does_not_read_it_a_collection_is_neither_listed_nor_counted(home: Tenant) -> None:
    consults.take_from(home, Role.OPERADOR)
    person = a_browser(home, Role.OPERADOR)
    page = person.read("/conhecimento/")
    assert "Payments queue" not in page
    assert "0 documentos ativos em 0 coleções" in page
    assert "plataforma" not in person.read("/perguntar/")


def test_for_who_does_not_read_it_the_search_box_finds_no_document(home: Tenant) -> None:
    by = factories.a_principal(home, Role.OPERADOR)
    with tenant_scope(home.pk):
        assert busca.groups(principal=by, text="Payments queue")
    consults.take_from(home, Role.OPERADOR)
    ref = ref_of(home)
    with tenant_scope(home.pk):
        assert busca.groups(principal=by, text="Payments queue") == []
        assert busca.page_of(principal=by, ref=Document.objects.get(ref=ref).ref) == ""


def test_an_admin_adds_nothing_to_a_collection_they_do_not_read(home: Tenant) -> None:
    consults.take_from(home, Role.ADMIN)
    admin = factories.a_principal(home, Role.ADMIN)
    with tenant_scope(home.pk), pytest.raises(CollectionNotGrantedError):
        uploads.collection(principal=admin, slug="plataforma")


def an_admin(home: Tenant) -> Browser:
    return as_(factories.a_principal(home, Role.ADMIN)).just_proved()


def test_an_admin_gives_an_agent_the_reading_on_the_page(home: Tenant) -> None:
    agent = agents.an_agent(home, slug="coletor-a")
    admin = an_admin(home)
    assert "Coletor noturno (coletor-a)" in admin.read(f"{PAGE}plataforma/")
    page = admin.send(
        f"{PAGE}plataforma/conceder/", quem="agente:coletor-a", motivo=consults.REASON
    )
    assert "Acesso dado" in page
    assert f"agente:{agent.slug}" in readers(home)


def test_an_admin_takes_a_role_s_reading_on_the_page(home: Tenant) -> None:
    page = an_admin(home).send(
        f"{PAGE}plataforma/tirar/", quem="papel:auditor", motivo=consults.REASON
    )
    assert "Acesso tirado" in page
    assert "papel:auditor" not in readers(home)


def test_somebody_the_page_does_not_offer_is_refused(home: Tenant) -> None:
    an_admin(home).send(f"{PAGE}plataforma/conceder/", quem="agente:x", motivo=consults.REASON)
    assert "agente:x" not in readers(home)


def test_a_refused_form_keeps_what_was_typed(home: Tenant) -> None:
    page = an_admin(home).send(f"{PAGE}plataforma/tirar/", quem="papel:auditor", motivo="curto")
    assert "curto</textarea>" in page
    assert "papel:auditor" in readers(home)


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMIN])
def test_only_an_admin_opens_the_list_of_readers(home: Tenant, role: Role) -> None:
    assert a_browser(home, role).status(PAGE) == 403


def test_collections_that_were_there_before_are_read_by_every_role(owner: Connection) -> None:
    """The migration's own statement over a table that is empty, as it was then."""
    with owner.transaction(force_rollback=True):
        owner.execute(EMPTIED)
        owner.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [str(LATER)])
        owner.execute(
            "INSERT INTO tenant (id, slug, name, created_at) VALUES (%s, 'antes', 'x', now())",
            [LATER],
        )
        for slug in ("a", "b"):
            owner.execute(
                "INSERT INTO collection (tenant_id, slug, name) VALUES (%s, %s, 'x')", [LATER, slug]
            )
        owner.execute("SET CONSTRAINTS ALL IMMEDIATE")  # as another transaction would have it
        owner.execute(BASELINE)
        found = owner.execute("SELECT number, subject, granted FROM collection_reader").fetchall()
    assert sorted(number for number, _subject, _granted in found) == list(range(1, 11))
    assert {subject for _number, subject, granted in found if granted} == {
        f"papel:{role}" for role in Role
    }
