"""The list of documents and files: its address is its state, and an empty one says why."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models.functions import Now

from grounding.intake import batches, ingest, uploads
from grounding.models import Upload
from grounding.pages import catalogue
from opspilot.connectors import readers
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser, as_
from tests.fakes import FlakyEmbedder

pytestmark = pytest.mark.django_db
PAGE = "/conhecimento/"


def titles(page: str) -> list[str]:
    """Of the list's links to documents."""
    return [part.partition("</a>")[0].rpartition(">")[2] for part in page.split("data-row")[1:]]


def a_document(
    tenant: Tenant, name: str, *, collection: str = "plataforma", more: str = ""
) -> None:
    text = f"# {name}\n\nRestart the {name} and wait for ten minutes. {more}\n"
    factories.a_published_document(tenant, text=text, name=f"{name}.md", collection=collection)


def a_stuck_upload(tenant: Tenant, content: bytes = b"# Queue\n\nWait.\n") -> Upload:
    upload = factories.an_upload(tenant, content)
    with tenant_scope(tenant.pk):
        stuck = {"state": "rejected", "code": uploads.INTERRUPTED, "attempts": ingest.MAX_ATTEMPTS}
        Upload.objects.filter(pk=upload.pk).update(finished_at=Now(), **stuck)
    return upload


def test_the_list_is_filtered_by_state_and_collection_in_its_address() -> None:
    tenant = factories.a_tenant()
    a_document(tenant, "pump")
    a_document(tenant, "valve", collection="redes")
    a_document(tenant, "pump", more="Revised.")
    browser = a_browser(tenant, Role.OPERADOR)
    assert titles(browser.read(PAGE)) == ["pump", "valve"]
    assert titles(browser.read(f"{PAGE}?colecao=redes")) == ["valve"]
    assert titles(browser.read(f"{PAGE}?estado=substituido")) == ["pump"]
    assert titles(browser.read(f"{PAGE}?estado=substituido&colecao=redes")) == []


def test_a_superseded_document_opens_in_the_version_that_was_replaced() -> None:
    tenant = factories.a_tenant()
    a_document(tenant, "pump")
    a_document(tenant, "pump", more="Revised.")
    browser = a_browser(tenant, Role.OPERADOR)
    page = browser.read(f"{PAGE}?estado=substituido")
    link = page.partition('data-row href="')[2].partition('"')[0]
    assert "que já foi substituída" in browser.read(link)


def test_a_page_past_the_end_is_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "PAGE", 2)
    tenant = factories.a_tenant()
    for name in ("pump", "valve", "filter"):
        a_document(tenant, name)
    browser = a_browser(tenant, Role.OPERADOR)
    assert titles(browser.read(PAGE)) == ["filter", "valve"]
    assert titles(browser.read(f"{PAGE}?pagina=2")) == ["pump"]
    assert titles(browser.read(f"{PAGE}?pagina=99")) == ["pump"]


def test_a_refused_file_leaves_the_list_when_its_name_is_sent_again() -> None:
    tenant = factories.a_tenant()
    factories.read_upload(factories.an_upload(tenant, b"a\x00b", name="fila.md"))
    browser = a_browser(tenant, Role.ADMIN)
    assert "fila.md" in browser.read(f"{PAGE}?estado=recusado").partition("documentos")[2]
    factories.a_published_document(tenant, name="fila.md")
    assert "Nenhum documento com este filtro" in browser.read(f"{PAGE}?estado=recusado")


@pytest.mark.parametrize("state", ["processando", "recusado"])
def test_files_on_their_way_are_not_shown_to_who_may_not_send_them(state: str) -> None:
    tenant = factories.a_tenant()
    factories.an_upload(tenant, b"# Queue\n\nWait.\n", name="segredo.md")
    page = a_browser(tenant, Role.OPERADOR).read(f"{PAGE}?estado={state}")
    assert "Só um admin vê estes arquivos" in page
    assert "segredo.md" not in page


def test_four_kinds_of_emptiness_say_four_different_things(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant = factories.a_tenant()
    admin, operador = a_browser(tenant, Role.ADMIN), a_browser(tenant, Role.OPERADOR)
    assert "Envie runbooks em um dos formatos aceitos" in admin.read(PAGE)
    assert "Um admin da sua empresa envia os runbooks" in operador.read(PAGE)
    assert "Só um admin vê estes arquivos" in operador.read(f"{PAGE}?estado=recusado")
    assert "Nenhum documento com este filtro" in operador.read(f"{PAGE}?colecao=redes")
    flaky = FlakyEmbedder(readers.embedder())
    monkeypatch.setattr(readers, "embedder", lambda *_arguments, **_values: flaky)
    factories.read_upload(factories.an_upload(tenant, factories.RUNBOOK.encode()))
    page = admin.read(PAGE)
    assert "Os primeiros documentos ainda esperam" in page
    assert "O serviço de embeddings não responde desde" in page


def test_the_outage_is_dated_from_its_first_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    flaky = FlakyEmbedder(readers.embedder())
    monkeypatch.setattr(readers, "embedder", lambda *_arguments, **_values: flaky)
    tenant = factories.a_tenant()
    upload = factories.an_upload(tenant, factories.RUNBOOK.encode())
    first = factories.read_upload(upload).detail
    with tenant_scope(tenant.pk):
        Upload.objects.update(lease_until=Now() - dt.timedelta(seconds=1))
    assert factories.read_upload(upload).detail == first


def test_files_that_nobody_reads_are_said_to_wait_and_since_when() -> None:
    tenant = factories.a_tenant()
    factories.an_upload(tenant, b"# Queue\n\nWait.\n")
    with tenant_scope(tenant.pk):
        assert batches.silence() is None
        Upload.objects.update(created_at=Now() - batches.STILL - dt.timedelta(seconds=5))
        found = batches.silence()
    assert found is not None
    assert (found.of, found.files) == ("worker", 1)
    assert "Nenhum arquivo desta empresa é lido desde" in a_browser(tenant, Role.ADMIN).read(PAGE)


def test_a_waiting_file_says_how_many_are_before_it() -> None:
    tenant = factories.a_tenant()
    rows = [factories.an_upload(tenant, b"# %d\n\nText.\n" % n, name=f"{n}.md") for n in range(3)]
    page = a_browser(tenant, Role.ADMIN).read(f"{PAGE}?envio={rows[2].batch}")
    assert "2 arquivos à frente." in page
    assert "É o próximo." in a_browser(tenant, Role.ADMIN).read(f"{PAGE}?envio={rows[0].batch}")


def test_what_was_published_meanwhile_is_announced_and_does_not_move_the_list() -> None:
    tenant = factories.a_tenant()
    a_document(tenant, "pump")
    with tenant_scope(tenant.pk):
        seen = catalogue.newest()
    a_document(tenant, "valve")
    browser = a_browser(tenant, Role.ADMIN)
    part = browser.client.get(f"{PAGE}?vistos={seen}", headers={"HX-Request": "true"})
    assert "1 documento novo: mostrar" in part.content.decode()
    assert titles(part.content.decode()) == []


def test_a_file_that_was_given_up_is_tried_again_at_a_press() -> None:
    tenant = factories.a_tenant()
    upload = a_stuck_upload(tenant, factories.RUNBOOK.encode())
    browser = a_browser(tenant, Role.ADMIN)
    assert "Tentar de novo" in browser.read(PAGE)
    assert "na fila" in browser.send(f"{PAGE}tentar/", arquivo=str(upload.ref))
    assert factories.read_upload(upload).state == "approved"
    assert "Tentar de novo" not in browser.read(PAGE)


def test_a_file_that_ended_is_not_tried_again() -> None:
    tenant = factories.a_tenant()
    upload = factories.read_upload(factories.an_upload(tenant, factories.RUNBOOK.encode()))
    page = a_browser(tenant, Role.ADMIN).send(f"{PAGE}tentar/", arquivo=str(upload.ref))
    assert "nada_a_repetir" in page
    with tenant_scope(tenant.pk):
        assert Upload.objects.get(pk=upload.pk).state == "approved"


def test_another_company_s_file_is_not_tried_again() -> None:
    upload = a_stuck_upload(factories.a_tenant())
    page = a_browser(factories.a_tenant(), Role.ADMIN).send(
        f"{PAGE}tentar/", arquivo=str(upload.ref)
    )
    assert "nada_a_repetir" in page


def test_a_batch_of_another_person_cannot_be_joined() -> None:
    tenant = factories.a_tenant()
    first, second = a_browser(tenant, Role.ADMIN), a_browser(tenant, Role.ADMIN)
    token = first.read(PAGE).partition('name="envio" value="')[2].partition('"')[0]
    assert token
    assert "envio_de_outra_pessoa" in second.send(f"{PAGE}enviar/", colecao="redes", envio=token)
    forged = f"{uuid.uuid4()}:forjado"
    assert "envio_de_outra_pessoa" in first.send(f"{PAGE}enviar/", colecao="redes", envio=forged)


def _sent(browser: Browser, **data: object) -> int:
    """As the script sends one file."""
    headers = {"HX-Request": "true", "Sec-Fetch-Dest": "empty"}
    answer = browser.client.post(f"{PAGE}enviar/", data, headers=headers)
    return int(answer.status_code)


def _a_file(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("f", content)


def test_a_file_sent_again_in_the_same_batch_stays_one_row() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.ADMIN)
    browser = as_(by)
    token = browser.read(PAGE).partition('name="envio" value="')[2].partition('"')[0]
    for _ in range(2):
        values = {"colecao": "redes", "envio": token, "nome": "fila.md", "tamanho": "12"}
        assert _sent(browser, arquivos=_a_file(b"# Fila\n\nOi.\n"), **values) == 201
    with tenant_scope(tenant.pk):
        assert list(Upload.objects.values_list("name", "size")) == [("fila.md", 12)]


@pytest.mark.parametrize(
    ("name", "size", "code"),
    [("n" * 1_000 + ".md", 12, "long_name"), ("a.md", 21 << 20, "too_large")],
)
def test_what_the_script_need_not_send_whole_is_refused_in_a_row(
    name: str, size: int, code: str
) -> None:
    tenant = factories.a_tenant()
    values = {"colecao": "redes", "nome": name, "tamanho": str(size)}
    browser = a_browser(tenant, Role.ADMIN)
    assert _sent(browser, arquivos=_a_file(b"# Fila\n\nOi.\n"), **values) == 201
    with tenant_scope(tenant.pk):
        assert list(Upload.objects.values_list("code", flat=True)) == [code]
