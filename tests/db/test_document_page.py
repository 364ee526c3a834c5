"""The page of a document: versions and their difference, who cites it, its care, its tombstone."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from grounding import evidence
from grounding.life import keeping, linking, retiring, standing
from grounding.life.errors import UnknownTemplateError
from grounding.models import Document, DocumentKind, RunbookLink
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser
from tests.db.test_deleting_documents import an_answer, delete

pytestmark = pytest.mark.django_db

REASON = "o cliente pediu que este texto saia"
HOSTILE = "\n<script>alert('x')</script> host pag-02\n"


def url(document: Document, name: str = "document", query: str = "") -> str:
    return reverse(f"grounding:{name}", args=[document.ref]) + query


def read(browser: Browser, path: str) -> str:
    return html.unescape(browser.read(path))


def replaced(tenant: Tenant) -> Document:
    factories.a_published_document(tenant)
    return factories.a_published_document(tenant, text=factories.RUNBOOK + HOSTILE).document


def seal(page: str) -> str:
    found = re.search(r'name="visto" value="(\w+)"', page)
    assert found
    return found.group(1)


def test_an_old_version_says_by_which_it_was_replaced_and_leads_to_the_difference() -> None:
    tenant = factories.a_tenant()
    document = replaced(tenant)
    browser = a_browser(tenant, Role.OPERADOR)
    page = read(browser, url(document, query="?versao=1"))
    assert "Substituído em" in page
    assert "pela versão 2." in page
    assert "?versao=2&ver=versoes&antes=1#diferenca" in page


def test_the_difference_is_by_lines_and_escaped() -> None:
    tenant = factories.a_tenant()
    document = replaced(tenant)
    browser = a_browser(tenant, Role.OPERADOR)
    page = browser.read(url(document, query="?versao=2&ver=versoes&antes=1"))
    assert "Da versão 1 para a versão 2" in page
    assert "entrou" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_the_passages_stand_between_their_borders() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    page = read(a_browser(tenant, Role.OPERADOR), url(document, query="?ver=trechos"))
    assert "Trecho 1" in page
    assert "systemctl restart payments-consumer" in page


def test_who_cites_it_is_counted_for_all_and_listed_for_who_may_open_it() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    run = an_answer(tenant)
    cited = url(document, query="?ver=citacoes")
    address = reverse("rodadas:run", args=[run.ref])
    assert address in read(a_browser(tenant, Role.ADMIN), cited)
    other = read(a_browser(tenant, Role.OPERADOR), cited)
    assert "1 resposta" in other
    assert address not in other


def test_a_refused_successor_is_told_with_its_reason() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    factories.read_upload(factories.an_upload(tenant, b" \n"))
    page = read(a_browser(tenant, Role.OPERADOR), url(document))
    assert "Há um envio mais novo que não vale." in page
    assert "Continua valendo a versão 1." in page


def test_an_admin_reads_the_counts_deletes_and_the_address_answers_with_a_tombstone() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    run = an_answer(tenant)
    admin = a_browser(tenant, Role.ADMIN)
    page = read(admin, url(document, "care", "?apagar=sim"))
    assert "1 versão" in page
    assert "1 resposta" in page
    admin.send(url(document, "delete"), motivo=REASON, visto=seal(page))
    answer = admin.client.get(url(document))
    gone = html.unescape(answer.content.decode())
    assert answer.status_code == 410
    assert REASON in gone
    assert "payments-consumer" not in gone
    told = read(admin, reverse("rodadas:run", args=[run.ref]))
    assert "apagada" in told
    assert "payments-consumer" not in told


@pytest.mark.parametrize("motive", ["", "curto"])
def test_without_a_reason_nothing_is_deleted_and_the_counts_are_shown_again(motive: str) -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    admin = a_browser(tenant, Role.ADMIN)
    page = read(admin, url(document, "care", "?apagar=sim"))
    answer = admin.client.post(url(document, "delete"), {"motivo": motive, "visto": seal(page)})
    assert answer.status_code == 422
    assert "Apagar este documento?" in answer.content.decode()
    with tenant_scope(tenant.pk):
        assert Document.objects.get().deleted_at is None


@pytest.mark.parametrize("name", ["care", "delete", "describe", "link", "unlink", "retire", "keep"])
def test_only_an_admin_takes_care_of_a_document(name: str) -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    operator = a_browser(tenant, Role.OPERADOR)
    method = operator.client.get if name == "care" else operator.client.post
    assert method(url(document, name)).status_code == 403


def test_another_company_s_document_is_not_there() -> None:
    tenant, other = factories.a_tenant(), factories.a_tenant()
    document = factories.a_published_document(other).document
    admin = a_browser(tenant, Role.ADMIN)
    assert admin.status(url(document)) == 404
    assert admin.client.post(url(document, "delete"), {"motivo": REASON}).status_code == 404


def test_owner_type_and_review_date_are_kept_and_an_overdue_review_warns_on_the_answer() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    run = an_answer(tenant)
    admin = a_browser(tenant, Role.ADMIN)
    yesterday = timezone.localdate() - dt.timedelta(days=1)
    admin.send(
        url(document, "describe"), tipo="procedimento", dono="papel:operador", revisar=yesterday
    )
    page = read(admin, url(document))
    assert "procedimento" in page
    assert "revisão vencida em" in page
    assert "revisão vencida em" in read(admin, reverse("rodadas:run", args=[run.ref]))


def test_a_stranger_is_no_owner() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    admin = a_browser(tenant, Role.ADMIN)
    data = {"tipo": "runbook", "dono": "usuario:999999", "revisar": ""}
    assert admin.client.post(url(document, "describe"), data).status_code == 422


def test_the_quote_of_an_overdue_document_carries_the_warning() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    run = an_answer(tenant)
    admin = factories.a_principal(tenant, Role.ADMIN)
    sentence = run.answer["sentences"][0]
    cited = [
        {"trecho": sentence["chunk_id"], "versao": sentence["version_id"],
         "sha256": sentence["sha256"], "inicio": sentence["start"], "fim": sentence["end"]}
    ]  # fmt: skip
    with tenant_scope(tenant.pk):
        keeping.describe(
            admin=admin,
            document=document,
            dono="",
            tipo=DocumentKind.RUNBOOK,
            review_by=dt.date(2020, 1, 31),
        )
        (quote,) = evidence.quotes(cited)
    assert quote["stale"] == "revisão vencida em 31/01/2020"


def test_a_document_is_linked_to_a_template_of_the_policy_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    admin = factories.a_principal(tenant, Role.ADMIN)
    monkeypatch.setattr(linking, "templates", lambda: [linking.Template(21, "Reiniciar")])
    with tenant_scope(tenant.pk):
        linking.link(admin=admin, document=document, template=21)
        linking.link(admin=admin, document=document, template=21)
        with pytest.raises(UnknownTemplateError):
            linking.link(admin=admin, document=document, template=22)
        assert RunbookLink.objects.count() == 1
        (found,) = evidence.runbooks(21, who=admin)
    assert (found["title"], found["version"]) == ("Payments queue is stuck", 1)
    with tenant_scope(tenant.pk):
        retiring.retire(admin=admin, document=document, reason="o host saiu de uso")
        (found,) = evidence.runbooks(21, who=admin)
        assert found["version"] is None
        linking.unlink(admin=admin, document=document, template=21)
        assert standing.runbooks(21) == []


def test_the_defaults_of_a_collection_are_set_on_their_page() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    admin = a_browser(tenant, Role.ADMIN)
    page = admin.read(reverse("grounding:defaults"))
    assert "Gravar o padrão de" in page
    data = {"colecao": document.collection_id, "tipo": "runbook", "dono": "papel:aprovador"}
    admin.send(reverse("grounding:set_defaults"), **data, dias="30", existentes="on")
    with tenant_scope(tenant.pk):
        assert Document.objects.get().dono == "papel:aprovador"


def test_a_deleted_document_s_tombstone_is_read_by_everybody_who_read_it() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    delete(tenant, document)
    assert a_browser(tenant, Role.OPERADOR).status(url(document)) == 410


def test_the_list_has_a_filter_for_what_is_overdue_retired_and_deleted() -> None:
    tenant = factories.a_tenant()
    admin = factories.a_principal(tenant, Role.ADMIN)
    late = factories.a_published_document(tenant).document
    out = factories.a_published_document(tenant, text="# Valve\n\nOpen it.\n", name="v.md").document
    gone = factories.a_published_document(tenant, text="# Pump\n\nStop it.\n", name="p.md").document
    with tenant_scope(tenant.pk):
        keeping.describe(
            admin=admin,
            document=late,
            dono="",
            tipo=DocumentKind.RUNBOOK,
            review_by=dt.date(2020, 1, 31),
        )
        retiring.retire(admin=admin, document=out, reason="o host saiu de uso")
    delete(tenant, gone)
    browser = a_browser(tenant, Role.OPERADOR)
    index = reverse("grounding:index")
    for state, title in (("vencido", "Payments"), ("retirado", "Valve"), ("apagado", "Pump")):
        listed = browser.read(f"{index}?estado={state}").partition('id="documentos"')[2]
        assert [t for t in ("Payments", "Valve", "Pump") if f">{t}" in listed] == [title]
