"""/agentes/ in a browser: an agent is made, gets a token once, uses it, and loses it."""

from __future__ import annotations

import re

import httpx
import pytest

from opspilot.bootstrap.instance import Instance
from tests.web.people import Person

pytestmark = pytest.mark.browser


def test_an_agent_is_made_gets_a_token_and_loses_it(console: Instance, visitor: Person) -> None:
    admin = visitor.log_in("admin1.aurora")  # a token is given to who has just proved who they are
    page = admin.page
    admin.open("/agentes/")
    admin.press("Criar agente")
    page.get_by_label("Nome curto").fill("vigia-da-madrugada")
    page.get_by_label("Nome", exact=True).fill("Vigia da madrugada")
    page.get_by_label("Para que serve").fill("Olha a fila de noite e pede issues.")
    page.get_by_label("Quem responde por ele").select_option(label="operador 1")
    admin.press("Criar")
    admin.main.get_by_text("sem token válido").wait_for()

    admin.press("Emitir token")
    page.get_by_text("ler as próprias propostas").check()
    admin.press("Emitir")
    token = page.locator("#token").inner_text()
    assert re.fullmatch(r"opsk_[0-9a-f]{8}_[\w-]{43}", token)
    assert asked(console, token) == 200

    admin.press("Já guardei")
    assert token not in page.content()
    assert token[:13] in page.content()
    assert "nunca" not in admin.main.get_by_role("table").inner_text()

    admin.press("Revogar…")
    page.get_by_role("heading", name="Revogar opsk_").wait_for()
    page.locator("#decisao").get_by_role("button", name="Revogar").click()
    admin.main.get_by_text("revogado").first.wait_for()
    assert asked(console, token) == 401


def asked(console: Instance, token: str) -> int:
    """The door's answer to a program with this token."""
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{console.url}/api/v1/aprovacoes", headers=headers).status_code
