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


def _await_end(admin: Person, files: int) -> None:
    """All of them have arrived, and none is on its way."""
    expect(admin.page.locator("#enviando + tbody tr")).to_have_count(files)
    expect(admin.page.locator("#enviando tr")).to_have_count(0)
    await_still(admin, "#envio")


def _fates(admin: Person) -> list[str]:
    rows = admin.page.get_by_role("table", name="Arquivos enviados").get_by_role("row")
    return [" ".join(text.split()) for text in rows.all_inner_texts()[1:]]


def test_each_file_of_an_upload_has_its_own_fate_and_remedy(admin: Person) -> None:
    _send(admin, subject="gateway-telemetria")
    _await_end(admin, 3)
    good, empty, binary = _fates(admin)
    assert good.startswith("gateway-telemetria.md ativo 1 trecho publicado.")
    assert empty.startswith("vazio.md recusado O arquivo está vazio: confira se salvou")
    assert binary.startswith("figura.png recusado Este formato não é lido: salve como DOCX")


def test_a_published_file_is_announced_above_the_list_and_shown_at_a_press(admin: Person) -> None:
    _send(admin, subject="coletor-norte")
    _await_end(admin, 3)
    documents = admin.page.get_by_role("table", name="Documentos")
    assert documents.get_by_role("link", name="coletor-norte").count() == 0
    admin.page.get_by_role("link", name="1 documento novo: mostrar").click()
    expect(documents.get_by_role("link", name="coletor-norte")).to_be_visible()


def test_dropped_files_are_sent_as_chosen_ones_are(admin: Person) -> None:
    admin.open("/conhecimento/")
    drop = """(form, text) => {
      const held = new DataTransfer();
      held.items.add(new File([text], "solto.md"));
      form.dispatchEvent(new DragEvent("drop", { dataTransfer: held, cancelable: true }));
    }"""
    admin.page.locator("form[data-upload]").evaluate(drop, "# Solto\n\nEspere a poeira baixar.\n")
    _await_end(admin, 1)
    assert [fate.split()[:2] for fate in _fates(admin)] == [["solto.md", "ativo"]]


def test_an_upload_needs_no_script(console: Instance, chromium: Browser, admin: Person) -> None:
    person = Person(chromium, console, script=False, like=admin)
    _send(person, subject="medidor-sul")
    assert "envio=" in person.path
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
