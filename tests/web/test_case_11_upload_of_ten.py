"""Ten files in one go: ten rows, each with its own end, and none holds up another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from opspilot.bootstrap.instance import Instance
from tests.unit.grounding import hostile
from tests.web.acts import await_runbooks, await_still, worker_held
from tests.web.cutting import Door, door
from tests.web.people import Person

pytestmark = pytest.mark.browser
MESSY = Path(__file__).parents[3] / "shared" / "data" / "messy-files"
GOOD = "# Válvula do teste\n\n## Passos\n\nFeche a válvula azul e espere dez minutos.\n".encode()
HIDDEN = "# Bomba do teste\n\n## Passos\n\nDesli\u200bgue a bomba\u202e azul e espere.\n".encode()
CUT = "conexao.md"
MARK = b"# Cortado\n"
CUT_LINES = 40_000
CUT_SIZE = CUT_LINES * len(MARK)
NAMES = {
    "imagem.pdf": "docling/ocr/ocr_test.pdf",
    "random.pdf": "markitdown/random.bin",
    "mojibake.txt": "derived-encodings/pos_graduacao.mojibake.txt",
    "nulos.txt": "derived-encodings/pos_graduacao.nul-bytes.txt",
}
MADE = {
    "imagem.pdf": hostile.pdf(b"0 0 9 9 re f"),
    "random.pdf": bytes((n * 89 + 7) % 256 for n in range(4_096)),
    "mojibake.txt": "# Operação\n\nA aplicação não está de pé.\n".encode()
    .decode("latin-1")
    .encode(),
    "nulos.txt": b"# Fila\x00\n\n" + b"Espere a fila esvaziar. " * 20,
}
TWINS = {"boa.md": "copia.md", "copia.md": "boa.md"}
ENDS = {
    "imagem.pdf": "recusado Só tem imagem, sem texto: envie o texto ou passe por OCR antes.",
    "grande.md": "recusado Passa do limite de 20 MB: divida o arquivo.",
    "random.pdf": "recusado",
    "mojibake.txt": "em quarentena Espera a decisão de um admin. Sinais: acentos trocados",
    "oculto.md": "em quarentena Espera a decisão de um admin. Sinais: caracteres invisíveis",
    "vazio.md": "recusado O arquivo está vazio: confira se salvou o texto",
    "nulos.txt": "ativo",
}
Rows = dict[str, str]


def _content(name: str) -> bytes:
    found = MESSY / NAMES[name]
    if found.is_file():
        return found.read_bytes()
    print(f"{found.name} is not there: {name} is made up")
    return MADE[name]


def _ten(folder: Path) -> list[Path]:
    contents = {"boa.md": GOOD, "copia.md": GOOD, "grande.md": b"a" * (21 << 20)}
    contents |= {"oculto.md": HIDDEN, "vazio.md": b"", CUT: MARK * CUT_LINES}
    contents |= {name: _content(name) for name in NAMES}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in [*[*ENDS][:3], CUT, *[*ENDS][3:], *TWINS]]


def _twin_ends(*, first: str) -> Rows:
    """Of two with the same content, whichever was read first is the one that is published."""
    same = f"igual a existente Mesmo conteúdo de “{first}”, versão 1. Nada mudou."
    return {first: "ativo 1 trecho publicado.", TWINS[first]: same}


def _rows(person: Person) -> Rows:
    rows = person.page.locator("#envio tbody tr")
    texts = [" ".join(text.split()) for text in rows.all_inner_texts()]
    return dict(text.split(" ", 1) for text in texts)


@pytest.fixture
def half_way(console: Instance) -> Iterator[Door]:
    """The way to the console, on which one file never gets further than its middle."""
    with door(console.port, marker=MARK, after=CUT_SIZE // 2) as made:
        yield made


@pytest.fixture
def sender(console: Instance, chromium: Browser, half_way: Door) -> Iterator[Person]:
    person = Person(chromium, replace(console, port=half_way.port)).log_in("admin1.aurora")
    await_runbooks(person)  # a worker stopped in the middle of one holds the queue up
    yield person
    person.leave()


def test_ten_files_end_each_in_its_own_state_and_one_cut_connection_holds_up_none(
    sender: Person, console: Instance, half_way: Door, tmp_path: Path
) -> None:
    sender.open("/conhecimento/")
    sender.page.locator("[name=colecao]").fill("caso-onze")
    sender.page.locator("[name=arquivos]").set_input_files(_ten(tmp_path))
    with worker_held(console):
        sender.press("Enviar arquivos")
        expect(sender.page.locator("#enviando + tbody tr")).to_have_count(9, timeout=45_000)
        expect(sender.page.locator("#enviando tr")).to_have_count(1)
        expect(sender.page.locator("#envio")).to_contain_text("em andamento")
        midway = _rows(sender)
        assert len(midway) == 10
        assert half_way.cuts > 0
        assert midway[CUT].startswith("não enviado A conexão caiu. Enviar de novo")
        sender.page.reload()
        assert _rows(sender) == {name: row for name, row in midway.items() if name != CUT}
    await_still(sender, "#envio")
    ended = _rows(sender)
    ends = ENDS | _twin_ends(first="boa.md" if ended["boa.md"].startswith("ativo") else "copia.md")
    assert {n: row for n, row in ended.items() if not row.startswith(ends[n])} == {}
    assert CUT not in ended
    expect(sender.page.locator("#envio .sec-head")).to_contain_text(
        re.compile(r"2 ativos, 1 igual a existente, 2 em quarentena, 4 recusados")
    )


def test_a_file_whose_connection_was_cut_is_sent_again_at_a_press(
    sender: Person, half_way: Door
) -> None:
    sender.open("/conhecimento/")
    content = MARK + bytes(CUT_SIZE)  # read and refused in no time
    file: FilePayload = {"name": CUT, "mimeType": "text/markdown", "buffer": content}
    sender.page.locator("[name=arquivos]").set_input_files([file])
    sender.press("Enviar arquivos")
    expect(sender.page.locator("#enviando").get_by_text("A conexão caiu.")).to_be_visible()
    half_way.cutting = False
    sender.press("Enviar de novo")
    expect(sender.page.locator("#enviando + tbody tr")).to_have_count(1)
    await_still(sender, "#envio")
    assert _rows(sender)[CUT].startswith("recusado Não é de um formato")


def test_a_session_that_ended_while_sending_never_shows_a_file_as_stored(
    console: Instance, visitor: Person
) -> None:
    visitor.log_in("admin1.aurora")
    visitor.open("/conhecimento/")
    visitor.context.clear_cookies(name="sessionid")
    files: list[FilePayload] = [
        {"name": name, "mimeType": "text/markdown", "buffer": GOOD} for name in ("um.md", "dois.md")
    ]
    visitor.page.locator("[name=arquivos]").set_input_files(files)
    visitor.press("Enviar arquivos")
    rows = visitor.page.locator("#enviando tr")
    expect(rows.nth(1).get_by_text("Sua sessão terminou.")).to_be_visible()
    assert all(row.split()[1:3] == ["não", "enviado"] for row in rows.all_inner_texts())
    with visitor.page.expect_navigation():
        rows.first.get_by_role("link", name="Entrar de novo").click()
    assert visitor.path == "/conta/entrar/?next=/conhecimento/"
