from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web.people import Person

pytestmark = pytest.mark.browser


def test_a_wrong_password_says_so_and_keeps_the_name(visitor: Person) -> None:
    visitor.log_in("conformidade1.aurora", password="outra-coisa")
    expect(visitor.main.get_by_role("alert")).to_contain_text("incorretos")
    expect(visitor.page.get_by_label("Usuário", exact=True)).to_have_value("conformidade1.aurora")


def test_after_login_comes_the_page_that_was_asked_for(visitor: Person) -> None:
    visitor.open("/aprovacoes/?fila=todas")
    visitor.log_in("conformidade1.aurora")
    expect(visitor.main.get_by_role("heading", level=1)).to_have_text("Aprovações")
    assert visitor.path == "/aprovacoes/?fila=todas"


def test_login_never_leads_to_another_site(visitor: Person) -> None:
    visitor.open("/conta/entrar/?next=https://example.com/")
    visitor.log_in("conformidade1.aurora")
    expect(visitor.main.get_by_role("heading", level=1)).to_have_text("Painel")
    assert visitor.elsewhere() == []


def test_the_language_switch_changes_the_page_and_stays_on_it(
    console: Instance, chromium: Browser
) -> None:
    person = Person(chromium, console).log_in("conformidade1.aurora")
    person.open("/aprovacoes/")
    expect(person.page.locator("html")).to_have_attribute("lang", "pt-br")
    person.page.locator(".top > .lang").get_by_role("button", name="English").click()
    expect(person.page.locator("html")).to_have_attribute("lang", "en")
    assert person.path == "/aprovacoes/?fila=todas"  # the first tab of this role
    # It is a preference now: the next test logs in as the same person.
    person.page.locator(".top > .lang").get_by_role("button", name="Português").click()
    expect(person.page.locator("html")).to_have_attribute("lang", "pt-br")
    person.leave()


def test_leaving_closes_the_console(visitor: Person) -> None:
    visitor.log_in("conformidade1.aurora")
    visitor.page.locator(".top").get_by_role("button", name="Sair").first.click()
    visitor.open("/aprovacoes/")
    assert visitor.path == "/conta/entrar/?next=/aprovacoes/"
