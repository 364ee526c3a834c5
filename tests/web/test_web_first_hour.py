"""The tutorial, step by step, on a whole instance: what it says stands on the screen stands there.

`TEST_PICTURES=1` also writes the pictures of the documents; without it they are only measured.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs"
TUTORIAL = (DOCS / "tutorial" / "first-hour.md").read_text(encoding="utf-8")
LIMIT = 120 * 1024  # bytes of a picture
COLOURS = 128
# Beside the tutorial's own request, so that the picture of the queue shows a queue.
OTHERS = {
    "Rever os limites do alerta de disco": "infra",
    "Trocar o certificado da API de medição": "pagamentos",
}


class Hour:
    """What was seen on the way, and the pictures taken."""

    def __init__(self) -> None:
        self.seen = ""
        self.pictures: dict[str, bytes] = {}

    def look(self, person: Person) -> None:
        self.seen += " " + " ".join(person.page.locator("body").inner_text().split())

    def photograph(self, person: Person, name: str, *, height: int = 800) -> None:
        person.page.set_viewport_size({"width": 1280, "height": height})
        person.page.emulate_media(color_scheme="light")
        person.page.mouse.move(0, 0)
        self.pictures[name] = small(person.page.screenshot())


def small(png: bytes) -> bytes:
    """The same picture with fewer colours: text and rules need no more."""
    written = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS).save(written, "PNG", optimize=True)
    return written.getvalue()


def bold() -> set[str]:
    """Every word of the screen that the tutorial names, with its line breaks taken out."""
    return {" ".join(words.split()) for words in re.findall(r"\*\*([^*]+)\*\*", TUTORIAL)}


@pytest.fixture(scope="session")
def hour(console: Instance, chromium: Browser, admin: Person) -> Iterator[Hour]:
    acts.await_runbooks(admin)
    hour, people = Hour(), [Person(chromium, console) for _ in range(4)]
    people[0].open("/conta/entrar/")
    hour.look(people[0])
    operador, aprovador, auditor, stranger = (
        person.log_in(f"{name}")
        for person, name in zip(
            people,
            ("operador1.aurora", "aprovador1.aurora", "auditor1.aurora", "aprovador1.boreal"),
            strict=True,
        )
    )
    proposal = ask_for_work(hour, operador)
    approve(hour, aprovador, proposal)
    read_the_trail(hour, auditor)
    stranger.open(proposal)
    hour.look(stranger)
    yield hour
    for person in people:
        person.leave()


def ask_for_work(hour: Hour, operador: Person) -> str:
    operador.open("/perguntar/")
    hour.look(operador)
    answered = acts.ask(operador, acts.ANSWERABLE)
    hour.look(operador)
    hour.photograph(operador, "answer")
    acts.ask(operador, acts.UNANSWERABLE)
    hour.look(operador)
    operador.open("/perguntar/")
    hour.look(operador)
    operador.open(answered)
    operador.press("Preparar proposta")
    hour.look(operador)
    page = operador.page
    page.get_by_label("Projeto").select_option("pagamentos")
    described = page.get_by_label("Descrição").input_value()
    page.get_by_label("Descrição").fill(f"{described}\n/close")
    page.get_by_label("Por que isto precisa ser feito").fill(acts.REASON)
    operador.press("Revisar")
    hour.look(operador)
    operador.press("Confirmar e pedir aprovação")
    expect(operador.main.get_by_role("heading", level=1)).to_contain_text("Criar issue em")
    hour.look(operador)
    path = operador.path
    for title, project in OTHERS.items():
        acts.command(operador, title=title, project=project)
    return path


def approve(hour: Hour, aprovador: Person, proposal: str) -> None:
    aprovador.open("/aprovacoes/")
    hour.look(aprovador)
    hour.photograph(aprovador, "queue", height=600)
    aprovador.open(proposal)
    hour.look(aprovador)
    aprovador.press("Aprovar…")
    expect(aprovador.main.get_by_role("button", name="Confirmar aprovação")).to_be_visible()
    hour.look(aprovador)
    aprovador.press("Confirmar aprovação")
    expect(aprovador.main.get_by_text(acts.APPROVED).first).to_be_visible()
    hour.look(aprovador)
    aprovador.open(proposal)
    acts.await_done(aprovador)
    hour.look(aprovador)


def read_the_trail(hour: Hour, auditor: Person) -> None:
    auditor.open("/trilha/")
    hour.look(auditor)
    auditor.main.get_by_role("link", name="Últimas rodadas").click()
    auditor.main.locator("a[href*='/trilha/correlacao/']").first.click()
    hour.look(auditor)


def test_every_word_that_the_tutorial_says_is_on_the_screen_is_there(hour: Hour) -> None:
    seen = hour.seen.casefold()
    assert {words for words in bold() if words.rstrip(".").casefold() not in seen} == set()


def test_the_question_of_the_tutorial_is_the_one_that_is_answered() -> None:
    assert acts.ANSWERABLE in TUTORIAL
    assert acts.UNANSWERABLE in TUTORIAL
    assert acts.REASON in TUTORIAL


def test_the_pictures_of_the_documents_are_small(hour: Hour) -> None:
    sizes = {name: len(picture) for name, picture in hour.pictures.items()}
    assert sizes.keys() == {"answer", "queue"}
    assert {name: size for name, size in sizes.items() if size > LIMIT} == {}


def test_the_pictures_of_the_documents_can_be_written(hour: Hour, tmp_path: Path) -> None:
    folder = DOCS / "pictures" if os.environ.get("TEST_PICTURES") else tmp_path
    for name, picture in hour.pictures.items():
        (folder / f"{name}.png").write_bytes(picture)
        assert (DOCS / "pictures" / f"{name}.png").exists()
