"""The second factor in a browser: an app, recovery codes, a security key."""

from __future__ import annotations

import base64
import hmac
import struct
import time

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from opspilot.bootstrap.instance import Instance
from tests.web.people import Person

pytestmark = pytest.mark.browser
KEY = {
    "protocol": "ctap2",
    "transport": "usb",
    "hasResidentKey": False,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def code(secret: str, *, steps: int = 0) -> str:
    """What an authenticator app shows (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.new(base64.b32decode(secret), counter, "sha1").digest()
    at = digest[-1] & 0x0F
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def heading(person: Person, words: str) -> None:
    expect(person.main.get_by_role("heading", level=1)).to_have_text(words)


def enter_code(person: Person, text: str) -> None:
    person.page.get_by_label("Código").fill(text)
    person.press("Entrar")


def test_an_app_is_enrolled_and_opens_and_a_recovery_code_opens_too(
    console: Instance, chromium: Browser
) -> None:
    person = Person(chromium, console).log_in("conformidade1.boreal")
    person.open("/conta/segundo-fator/")
    person.press("Ligar um aplicativo")
    drawn = person.page.locator("img[src$='qr.svg']")
    assert drawn.evaluate("image => image.complete && image.naturalWidth > 0")
    secret = person.page.locator("#segredo").inner_text()
    person.page.get_by_label("Código que o aplicativo mostra").fill(code(secret))
    person.main.get_by_role("button", name="Ligar").click()
    heading(person, "Códigos de recuperação")
    codes = person.page.locator("#codigos code").all_inner_texts()
    with person.page.expect_download() as download:
        person.press("Baixar como texto")
    assert download.value.path().read_text().split() == codes
    assert person.complaints == []

    by_app = Person(chromium, console, script=False).log_in("conformidade1.boreal")
    heading(by_app, "Segundo fator")
    enter_code(by_app, "000000")
    expect(by_app.main).to_contain_text("Este código não confere.")
    enter_code(by_app, code(secret, steps=1))
    heading(by_app, "Painel")

    by_recovery = Person(chromium, console, script=False).log_in("conformidade1.boreal")
    enter_code(by_recovery, codes[0])
    heading(by_recovery, "Painel")
    by_recovery.open("/conta/segundo-fator/")
    expect(by_recovery.main).to_contain_text("Restam 9 códigos")
    for who in (person, by_app, by_recovery):
        who.leave()


def with_a_key(person: Person) -> CDPSession:
    """A security key plugged in, as Chromium plays one."""
    session = person.context.new_cdp_session(person.page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    return session


def by_name(person: Person, console: Instance, path: str) -> None:
    """Keys belong to a name, so not the number of this machine."""
    person.page.goto(f"http://localhost:{console.port}{path}")


def test_a_security_key_is_added_opens_and_is_removed(console: Instance, chromium: Browser) -> None:
    person = Person(chromium, console)
    with_a_key(person)
    by_name(person, console, "/conta/entrar/")
    person.log_in("admin1.boreal")
    by_name(person, console, "/conta/segundo-fator/")
    person.press("Adicionar uma chave")
    person.page.get_by_label("Nome da chave").fill("Chave da mesa")
    person.main.get_by_role("button", name="Adicionar").click()
    heading(person, "Códigos de recuperação")

    by_name(person, console, "/conta/sair/")
    person.press("Sair")
    person.log_in("admin1.boreal")
    heading(person, "Segundo fator")
    person.press("Usar a chave de segurança")
    heading(person, "Painel")

    by_name(person, console, "/conta/confirmar/chave/?next=/conta/segundo-fator/")
    person.press("Usar a chave de segurança")
    heading(person, "Segundo fator")
    expect(person.main).to_contain_text("Chave da mesa")
    person.main.get_by_role("link", name="Remover… Chave da mesa").click()
    person.press("Remover a chave")
    expect(person.main).to_contain_text("Chave de segurança removida.")
    expect(person.main).not_to_contain_text("Chave da mesa")
    assert person.complaints == []
    person.leave()


def test_without_script_the_key_says_what_it_needs(console: Instance, chromium: Browser) -> None:
    person = Person(chromium, console, script=False).log_in("aprovador1.boreal")
    person.open("/conta/segundo-fator/chaves/adicionar/")
    word = person.page.locator("noscript .note")
    expect(word).to_be_visible()
    assert "precisam de JavaScript" in (word.text_content() or "")
    person.leave()
