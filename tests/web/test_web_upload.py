from __future__ import annotations

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from opspilot.bootstrap.instance import Instance
from tests.web.acts import await_still
from tests.web.people import Person

pytestmark = pytest.mark.browser


def _file(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def _send(admin: Person, *, subject: str) -> None:
    runbook = f"# {subject}\n\n## Passos\n\nDrene o {subject} por dez minutos antes de reiniciar.\n"
    admin.open("/conhecimento/")
    admin.page.locator("[name=arquivos]").set_input_files(
        [
            _file(f"{subject}.md", runbook.encode()),
            _file("vazio.md", b""),
            _file("figura.png", b"\x89PNG\r\n\x1a\n\x00" + bytes(range(256)) * 4),
        ]
    )
    admin.press("Enviar arquivos")


def _fates(admin: Person) -> list[str]:
    rows = admin.page.get_by_role("table", name="Arquivos enviados").get_by_role("row")
    return [" ".join(text.split()) for text in rows.all_inner_texts()[1:]]


def test_each_file_of_an_upload_has_its_own_fate_and_remedy(admin: Person) -> None:
    _send(admin, subject="gateway-telemetria")
    await_still(admin, "#envio")
    good, empty, binary = _fates(admin)
    assert good.startswith("gateway-telemetria.md ativo 1 trecho publicado.")
    assert empty.startswith("vazio.md recusado O arquivo está vazio: confira se salvou")
    assert binary.startswith("figura.png recusado Não é texto: envie Markdown")


def test_a_published_file_joins_the_list_without_a_reload(admin: Person) -> None:
    _send(admin, subject="coletor-norte")
    documents = admin.page.get_by_role("table", name="Documentos ativos")
    expect(documents.get_by_role("link", name="coletor-norte")).to_be_visible()
    assert admin.focused() != "body"


def test_an_upload_needs_no_script(console: Instance, chromium: Browser, admin: Person) -> None:
    person = Person(chromium, console, script=False, like=admin)
    _send(person, subject="medidor-sul")
    for _attempt in range(60):
        if person.page.locator("#envio[data-poll]").count() == 0:
            break
        person.page.wait_for_timeout(300)
        person.page.reload()
    assert [fate.split()[1] for fate in _fates(person)] == ["ativo", "recusado", "recusado"]
    person.leave()


def test_an_operador_is_offered_no_upload(operador: Person) -> None:
    operador.open("/conhecimento/")
    expect(operador.main).to_contain_text("Documentos")
    assert operador.main.get_by_role("button", name="Enviar arquivos").count() == 0
