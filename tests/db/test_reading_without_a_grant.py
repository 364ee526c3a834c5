"""A collection that is not granted does not exist: not behind a proposal, a task, a file or a label."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.urls import reverse

from approvals import proposals
from approvals.models import AgenteAprovacao
from grounding import evidence
from grounding.intake import uploads
from grounding.intake.uploads import NothingToRetryError
from grounding.lab import looking, questions
from grounding.lab.errors import UnknownDocumentError
from grounding.life import linking
from grounding.models import Chunk, Document, Upload, UploadState, Version
from grounding.pages import lab_page
from grounding.retrieval import consult
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import browsing, consults

pytestmark = pytest.mark.django_db
TITLE = "Payments queue is stuck"


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    factories.a_published_document(found)
    return found


@pytest.fixture
def admin(tenant: Tenant) -> Principal:
    """One who may not read the only collection."""
    found = factories.a_principal(tenant, Role.ADMIN)
    consults.take_from(tenant, Role.ADMIN)
    return found


def a_proposal_that_cites(tenant: Tenant) -> AgenteAprovacao:
    by = factories.a_principal(tenant, Role.OPERADOR)
    with tenant_scope(tenant.pk):
        factories.a_policy(tenant)
        chunk = Chunk.objects.order_by("ordinal").last()
        assert chunk is not None
        draft = factories.a_draft(by)
        cited: dict[str, Any] = {"trecho": chunk.pk, "versao": chunk.version_id}
        cited |= {"sha256": chunk.sha256, "inicio": chunk.start, "fim": chunk.end}
        return proposals.create(
            principal=by,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[cited],
        )


def test_the_evidence_of_a_proposal_is_shown_to_who_reads_its_collection(tenant: Tenant) -> None:
    page = reverse("approvals:detail", args=[a_proposal_that_cites(tenant).ref])
    assert "systemctl restart" in browsing.a_browser(tenant, Role.APROVADOR).read(page)


def test_the_evidence_of_a_proposal_is_only_said_to_be_there_to_who_does_not(
    tenant: Tenant,
) -> None:
    page = reverse("approvals:detail", args=[a_proposal_that_cites(tenant).ref])
    consults.take_from(tenant, Role.APROVADOR)
    shown = browsing.a_browser(tenant, Role.APROVADOR).read(page)
    assert "Trecho de uma coleção que você não lê" in shown
    assert "systemctl restart" not in shown
    assert TITLE not in shown


def test_a_task_s_runbook_is_not_named_to_who_may_not_read_it(
    tenant: Tenant, admin: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linking, "templates", lambda: [linking.Template(21, "Reiniciar")])
    reader = factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(tenant.pk):
        linking.link(admin=reader, document=Document.objects.get(), template=21)
        assert [found["title"] for found in evidence.runbooks(21, who=reader)] == [TITLE]
        assert evidence.runbooks(21, who=admin) == []


def test_a_file_of_a_collection_one_does_not_read_is_not_tried_again(tenant: Tenant) -> None:
    admin = factories.a_principal(tenant, Role.ADMIN)
    row = factories.an_upload(tenant, b"# Other\n\nText.\n", name="outro.md")
    consults.take_from(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        given_up = {"state": UploadState.REJECTED, "code": uploads.INTERRUPTED}
        Upload.objects.filter(pk=row.pk).update(**given_up)
        with pytest.raises(NothingToRetryError):
            uploads.retry(principal=admin, ref=row.ref)


def test_a_document_that_one_does_not_read_is_no_label(tenant: Tenant, admin: Principal) -> None:
    with tenant_scope(tenant.pk):
        asked = questions.ask(principal=admin, text=consults.QUESTION)
        document = Document.objects.get().pk
        with pytest.raises(UnknownDocumentError):
            questions.label(admin=admin, question=asked, documents=[document], none=False)


def test_trying_a_role_in_the_laboratory_shows_nothing_one_does_not_read(
    tenant: Tenant, admin: Principal
) -> None:
    with tenant_scope(tenant.pk):
        asked = questions.ask(principal=admin, text=consults.QUESTION)
    page = lab_page.question(admin, asked, role=Role.OPERADOR.value)
    assert page["lines"] == []


def test_a_label_of_somebody_else_names_no_document_one_does_not_read(
    tenant: Tenant, admin: Principal
) -> None:
    with tenant_scope(tenant.pk):
        asked = questions.ask(principal=admin, text=consults.QUESTION)
        asked.expected = [Version.objects.get().document_id]
    page = lab_page.question(admin, asked)
    assert page["label_form"].fields["documentos"].choices == []


def test_the_laboratory_does_not_tell_a_hidden_document_from_none(
    tenant: Tenant, admin: Principal
) -> None:
    query = consult.prepare(consults.QUESTION, tenant_id=tenant.pk)
    with tenant_scope(tenant.pk):
        hidden = looking.look(query=query, readable=[], about="fila").missing
        absent = looking.look(query=query, readable=[], about=uuid.uuid4().hex).missing
    assert hidden is not None
    assert absent is not None
    assert hidden.why == absent.why == "unknown"
