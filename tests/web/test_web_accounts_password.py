"""Getting back in with the letter that `up` writes as a file, and the list of sessions."""

from __future__ import annotations

import email
import re
import time
from email.policy import default
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.surroundings import mail_folder
from tests.web.people import Person

pytestmark = pytest.mark.browser
NEW = "uma-senha-nova-e-longa-7"


def letter_to(console: Instance, address: str) -> str:
    """The text of the newest letter to this address, once the worker has written it."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for path in sorted(mail_folder(console.data).glob("*.log"), reverse=True):
            text = _body(path, address)
            if text:
                return text
        time.sleep(0.3)
    raise AssertionError(f"no letter to {address} within 30 s")


def _body(path: Path, address: str) -> str:
    for part in reversed(path.read_text(encoding="utf-8").split("-" * 79)):
        message = email.message_from_string(part.strip(), policy=default)
        if message["To"] == address:
            return str(message.get_content())
    return ""


def test_a_forgotten_password_is_replaced_by_the_letter(
    console: Instance, chromium: Browser
) -> None:
    person = Person(chromium, console, script=False)
    person.open("/conta/entrar/")
    person.page.get_by_role("link", name="Não consigo entrar").click()
    person.page.get_by_label("E-mail").fill("aprovador2@boreal.example")
    person.press("Pedir nova senha")
    expect(person.main.get_by_role("heading", level=1)).to_have_text("Veja seu e-mail")
    link = re.search(
        rf"{re.escape(console.url)}(/\S+)", letter_to(console, "aprovador2@boreal.example")
    )
    assert link
    person.open(link[1])
    assert person.path.endswith("-set-password/")
    person.page.get_by_label("Nova senha", exact=True).fill(NEW)
    person.page.get_by_label("Nova senha outra vez").fill(NEW)
    person.press("Gravar nova senha")
    person.press("Entrar")
    person.log_in("aprovador2.boreal", password=NEW)
    expect(person.main.get_by_role("heading", level=1)).to_have_text("Painel")
    assert person.complaints == []
    person.leave()


def test_a_session_ended_elsewhere_is_out_at_once(console: Instance, chromium: Browser) -> None:
    here = Person(chromium, console).log_in("admin2.boreal")
    there = Person(chromium, console).log_in("admin2.boreal")
    here.open("/conta/")
    here.press("Sessões")
    expect(here.main.get_by_role("row")).to_have_count(3)
    here.press("Encerrar todas as outras")
    expect(here.main).to_contain_text("As outras sessões foram encerradas.")
    expect(here.main.get_by_role("row")).to_have_count(2)
    there.open("/aprovacoes/")
    assert there.path == "/conta/entrar/?next=/aprovacoes/"
    assert here.complaints == []
    for person in (here, there):
        person.leave()
