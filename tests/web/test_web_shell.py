"""The frame in a real browser: looks without a flash, companies, keys, and sessions that end."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser

CONTROLS = ":is([hx-get], [hx-post]):visible"
MOTIVO = "O prazo combinado com o cliente ainda não venceu."
NEWCOMER = """
import os
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_user, grant_roles
name = "{name}"
user = create_user(username=name, display_name="pessoa de teste",
                   password=os.environ["OPSPILOT_DEMO_PASSWORD"])
for slug in "{slugs}".split():
    with tenant_scope(tenant_id_of(slug)):
        tenant = Tenant.objects.get()
    grant_roles(tenant=tenant, user=user, roles=[Role.APROVADOR, Role.ADMIN])
"""


def newcomer(console: Instance, chromium: Browser, *slugs: str, script: bool = True) -> Person:
    """Somebody new, who approves and administers in these companies, logged in."""
    name = f"pessoa-{uuid.uuid4().hex[:8]}"
    code = NEWCOMER.format(name=name, slugs=" ".join(slugs))
    extra = {"OPSPILOT_DEMO_PASSWORD": console.demo_password}
    console.command("shell", "-v", "0", "-c", code, extra=extra)
    return Person(chromium, console, script=script).log_in(name)


@pytest.fixture
def person(console: Instance, chromium: Browser) -> Iterator[Person]:
    someone = newcomer(console, chromium, "aurora")
    yield someone
    someone.leave()


@pytest.fixture
def wanderer(console: Instance, chromium: Browser) -> Iterator[Person]:
    """The same without the script, and of two companies."""
    someone = newcomer(console, chromium, "aurora", "boreal", script=False)
    yield someone
    someone.leave()


def end_session(person: Person) -> None:
    person.context.clear_cookies(name="sessionid")


def choose(person: Person, **values: str) -> None:
    person.open("/conta/preferencias/")
    for field, value in values.items():
        if field == "fuso":
            person.page.locator("[name=fuso]").select_option(value)
        else:
            person.choose(field, value)
    person.main.locator("button.primary").click()


def refuse_half(person: Person, proposal: str) -> None:
    """The reason is written and not sent."""
    person.open(f"{proposal}?decidir=recusar")
    person.page.locator("[name=motivo]").fill(MOTIVO)


def ask_and_wait(person: Person) -> str:
    """The address of a run that the page follows, while the worker is held."""
    acts.send_question(person, acts.ANSWERABLE)
    expect(person.page.locator("#rodada[data-poll]")).to_be_visible()
    return person.path


def send(page: Page) -> None:
    page.locator("form.confirm button[type=submit]").click()


def test_the_theme_is_in_the_first_bytes_and_in_the_first_paint(person: Person) -> None:
    choose(person, tema="dark")
    response = person.open("/aprovacoes/")
    assert 'data-theme="dark"' in response.text().partition("<head>")[0]
    scheme = "() => getComputedStyle(document.documentElement).colorScheme"
    assert person.page.evaluate(scheme) == "dark"


def test_the_theme_that_was_left_to_the_system_follows_it(person: Person) -> None:
    person.page.emulate_media(color_scheme="dark")
    person.open("/")
    ink = "() => getComputedStyle(document.body).color"
    dark = person.page.evaluate(ink)
    person.page.emulate_media(color_scheme="light")
    assert person.page.evaluate(ink) != dark


def test_zone_and_language_change_on_every_page(person: Person, answered: str) -> None:
    choose(person, idioma="en", fuso="America/Noronha")
    for path in ("/", "/aprovacoes/", "/conhecimento/", answered, "/nada-aqui/"):
        person.open(path)
        expect(person.page.locator("html")).to_have_attribute("lang", "en")
        expect(person.page.locator(".foot")).to_contain_text("America/Noronha, UTC−2)")


def test_a_switch_of_company_needs_no_script(wanderer: Person) -> None:
    expect(wanderer.page.locator(".top .tenant")).to_contain_text("Aurora Energia")
    wanderer.page.locator("details.tenant summary").click()
    wanderer.page.get_by_role("button", name="Boreal Telecom").click()
    expect(wanderer.main).to_contain_text("Agora você está em Boreal Telecom.")
    expect(wanderer.page.locator(".top .tenant")).to_contain_text("Boreal Telecom")
    assert wanderer.path == "/"
    wanderer.open("/conta/empresa/")
    wanderer.press("Abrir Aurora Energia")
    expect(wanderer.page.locator(".top .tenant")).to_contain_text("Aurora Energia")


def test_under_800_pixels_the_whole_frame_is_in_one_menu(person: Person) -> None:
    person.page.set_viewport_size({"width": 390, "height": 800})
    person.open("/")
    person.page.locator(".menu summary").click()
    menu = person.page.locator(".menu-panel")
    for name in ("Painel", "Aprovações", "Atalhos", "Preferências"):
        expect(menu.get_by_role("link", name=name)).to_be_visible()
    expect(menu.get_by_role("button", name="Sair")).to_be_visible()
    expect(menu.get_by_role("button", name="English")).to_be_visible()


def test_a_question_mark_opens_the_keys_over_the_page_and_escape_goes_back(person: Person) -> None:
    person.open("/aprovacoes/")
    person.page.keyboard.press("?")
    dialog = person.page.get_by_role("dialog", name="Atalhos do teclado")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("heading")).to_be_focused()
    person.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert person.path == "/aprovacoes/"


def test_without_the_script_the_keys_are_a_page(wanderer: Person) -> None:
    wanderer.page.locator(".rail").get_by_role("link", name="Atalhos").click()
    expect(wanderer.main.get_by_role("heading", level=1)).to_have_text("Atalhos do teclado")
    wanderer.press("Desligar atalhos")
    expect(wanderer.page.locator("html")).to_have_attribute("data-keys", "off")


def test_switched_off_no_letter_does_anything(person: Person) -> None:
    person.open("/ajuda/atalhos/")
    person.press("Desligar atalhos")
    person.open("/aprovacoes/")
    for key in ("?", "g", "p", "j", "/"):
        person.page.keyboard.press(key)
    expect(person.page.locator("dialog")).to_be_hidden()
    assert person.path == "/aprovacoes/"


def test_case_03_a_half_written_reason_is_there_after_the_login(
    person: Person, pending: str
) -> None:
    refuse_half(person, pending)
    end_session(person)
    send(person.page)
    expect(person.page.locator("body.gate")).to_be_visible()
    expect(person.main).to_contain_text("Sua sessão terminou.")
    person.log_in(person.name)
    expect(person.page.locator("[name=motivo]")).to_have_value(MOTIVO)
    expect(person.main).to_contain_text("O que você escrevia voltou.")
    assert person.path.startswith(f"{pending}?decidir=recusar")
    send(person.page)
    expect(person.main).to_contain_text("Recusada às")


def test_case_03_it_is_there_without_the_script_too(wanderer: Person, pending: str) -> None:
    refuse_half(wanderer, pending)
    end_session(wanderer)
    send(wanderer.page)
    expect(wanderer.page.locator("body.gate")).to_be_visible()
    wanderer.log_in(wanderer.name)
    expect(wanderer.page.locator("[name=motivo]")).to_have_value(MOTIVO)


def test_case_03_another_person_at_the_same_browser_finds_no_text(
    person: Person, pending: str
) -> None:
    refuse_half(person, pending)
    end_session(person)
    send(person.page)
    expect(person.page.locator("body.gate")).to_be_visible()
    person.log_in("aprovador1.aurora")
    person.open(f"{pending}?decidir=recusar")
    expect(person.page.locator("[name=motivo]")).to_have_value("")


def test_case_03_a_question_is_there_after_the_login(person: Person) -> None:
    person.open("/perguntar/")
    person.page.locator("[name=pergunta]").fill("Como reiniciar a fila?")
    end_session(person)
    person.press("Perguntar")
    expect(person.page.locator("body.gate")).to_be_visible()
    person.log_in(person.name)
    expect(person.page.locator("[name=pergunta]")).to_have_value("Como reiniciar a fila?")
    assert person.path == "/perguntar/"


def test_case_03_a_form_from_before_a_login_in_another_tab_loses_nothing(
    person: Person, pending: str
) -> None:
    refuse_half(person, pending)
    end_session(person)
    first, person.page = person.page, person.context.new_page()
    person.log_in(person.name)
    expect(person.page.locator("body.shell")).to_be_visible()
    person.page = first
    # As a browser without the script sends it: htmx shows a refusal in place.
    first.evaluate("() => document.querySelector('form.confirm').submit()")
    expect(person.main).to_contain_text("formulario_vencido")
    person.main.get_by_role("link", name="Voltar").first.click()
    expect(person.page.locator("[name=motivo]")).to_have_value(MOTIVO)


def test_case_03_an_upload_is_never_shown_as_stored(person: Person) -> None:
    name = pick_a_file(person)
    end_session(person)
    person.press("Enviar arquivos")
    row = person.main.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text("não enviado")
    row.get_by_role("link", name="Entrar de novo").click()
    await_the_news_of_lost_files(person, name)


def test_case_03_nor_without_the_script(wanderer: Person) -> None:
    name = pick_a_file(wanderer)
    end_session(wanderer)
    wanderer.press("Enviar arquivos")
    expect(wanderer.page.locator("body.gate")).to_be_visible()
    await_the_news_of_lost_files(wanderer, name)


def pick_a_file(person: Person) -> str:
    name = f"{uuid.uuid4().hex[:8]}.md"
    file: FilePayload = {"name": name, "mimeType": "text/markdown", "buffer": b"# Fila\n\nDrene.\n"}
    person.open("/conhecimento/")
    person.page.locator("[name=arquivos]").set_input_files([file])
    return name


def await_the_news_of_lost_files(person: Person, name: str) -> None:
    person.page.wait_for_url("**/conta/entrar/**")
    person.log_in(person.name)
    expect(person.main).to_contain_text("nenhum arquivo foi guardado")
    expect(person.main).not_to_contain_text(name)


def test_case_03_each_htmx_control_leads_to_a_whole_page_login_with_a_local_next(
    person: Person, pending: str
) -> None:
    """Everything with hx-get or hx-post on the pages of one's work, pressed after the end."""
    for path in ("/aprovacoes/", pending, f"{pending}?decidir=aprovar", "/conhecimento/"):
        person.open(path)
        total = person.page.locator(CONTROLS).count()
        for number in range(total):
            _press_without_a_session(person, path, number)
    assert person.elsewhere() == []


def _press_without_a_session(person: Person, path: str, number: int) -> None:
    (session,) = [c for c in person.context.cookies() if c.get("name") == "sessionid"]
    person.open(path)
    control = person.page.locator(CONTROLS).nth(number)
    if control.get_attribute("data-poll"):
        return  # the ticker's: the next test
    end_session(person)
    if control.evaluate("node => node.matches('form')"):
        control.evaluate("form => form.requestSubmit()")
    else:
        control.click()
    person.page.wait_for_url("**/conta/entrar/?next=/**")
    assert person.page.locator("form[action='/conta/entrar/']").count() == 1
    # As if nothing had happened, without a login each time.
    value = session.get("value", "")
    person.context.add_cookies([{"name": "sessionid", "value": value, "url": person.url}])


def test_case_03_a_tick_never_takes_away_the_page_one_is_on(
    person: Person, console: Instance
) -> None:
    with acts.worker_held(console):
        path = ask_and_wait(person)
        end_session(person)
        expect(person.page.locator("#sessao")).to_be_visible(timeout=15_000)
        expect(person.page.locator("#sessao")).to_contain_text("Sua sessão terminou.")
        assert person.path == path
        link = person.page.locator("#sessao a")
        expect(link).to_have_attribute("href", f"/conta/entrar/?next={path}")


def test_a_tick_says_that_nobody_pressed_anything(person: Person, console: Instance) -> None:
    with acts.worker_held(console):
        path = ask_and_wait(person)
        with person.page.expect_request(lambda request: request.url.endswith(path)) as tick:
            person.page.wait_for_timeout(1_500)
    assert tick.value.headers["x-opspilot-tick"] == "1"
