"""axe-core finds nothing on any page, in any theme, at two widths, nor in the states a page can be in.

Every rule runs in the light theme, those about colours at one width: no width has colours of its own.
In the three other themes only the rules about colour run, on the fullest page of each address: a
theme changes no element, no place and no size, which the first test holds.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.accessibility import THEMES, shape, violations, wear
from tests.web.crawl import Visit, kind, one_of_each
from tests.web.people import Person

pytestmark = pytest.mark.browser


def test_a_theme_changes_colours_and_nothing_else(aprovador: Person, proposed: str) -> None:
    for path in ("/", proposed):
        aprovador.open(path)
        shapes = {}
        for theme in THEMES:
            wear(aprovador, theme)
            shapes[theme] = shape(aprovador)
        assert [theme for theme in THEMES if shapes[theme] != shapes["light"]] == []


def test_no_page_has_a_violation_in_any_theme_at_any_width(
    visits: list[Visit], everybody: dict[str, Person]
) -> None:
    found = {}
    fullest = {visit.path for visit in one_of_each(visits)}
    for visit in visits:
        if not (visit.telling or visit.path in fullest):
            continue
        everybody[visit.person].open(visit.path)
        themes = THEMES if visit.path in fullest else ["light"]
        if faults := violations(everybody[visit.person], themes=themes):
            found[f"{visit.person} {kind(visit.path)}"] = faults
    assert found == {}


def test_what_axe_would_find_is_found_in_each_theme(visitor: Person) -> None:
    """The control of the test above: a grey no theme can carry, and an image without a name."""
    visitor.open("/conta/entrar/")
    visitor.page.evaluate(
        "() => { document.querySelector('h1').style.color = '#808080';"
        " document.querySelector('main').append(new Image(30, 30)); }"
    )
    found = violations(visitor, widths=[1280])
    assert any(fault.startswith("light, 1280: image-alt") for fault in found)
    grey = {fault.split(", 1280")[0] for fault in found if "color-contrast" in fault}
    assert grey == set(THEMES)


def test_a_page_that_waits_has_no_violation(operador: Person, console: Instance) -> None:
    with acts.worker_held(console):
        acts.send_question(operador, acts.ANSWERABLE)
        expect(operador.main.locator(".steps")).to_be_visible()
        assert violations(operador) == []


def test_an_answer_that_found_nothing_has_no_violation(operador: Person, abstained: str) -> None:
    operador.open(abstained)
    assert violations(operador) == []


@pytest.mark.parametrize("key", ["a", "r"])
def test_an_open_confirm_strip_has_no_violation(aprovador: Person, pending: str, key: str) -> None:
    aprovador.open(pending)
    aprovador.page.keyboard.press(key)
    expect(aprovador.main.locator(".confirm")).to_be_visible()
    assert violations(aprovador) == []


def test_a_form_sent_back_has_no_violation(aprovador: Person, pending: str) -> None:
    aprovador.open(pending + "?decidir=recusar")
    aprovador.page.get_by_label("Motivo").fill("curto")
    aprovador.page.locator("form").evaluate_all("forms => forms.forEach(f => f.noValidate = true)")
    aprovador.page.keyboard.press("Control+Enter")
    expect(aprovador.main.locator("[aria-invalid=true]")).to_be_visible()
    assert violations(aprovador) == []


def test_a_decision_that_came_too_late_has_no_violation(
    aprovador: Person, second_aprovador: Person, pending: str
) -> None:
    second_aprovador.open(pending + "?decidir=aprovar")
    acts.approve(aprovador, pending)
    second_aprovador.page.keyboard.press("Control+Enter")
    expect(second_aprovador.main).to_contain_text("A sua decisão não foi gravada.")
    assert violations(second_aprovador) == []


def test_a_login_sent_back_has_no_violation(visitor: Person) -> None:
    visitor.log_in("conformidade1.aurora", password="outra-coisa")
    expect(visitor.main.get_by_role("alert")).to_be_visible()
    assert violations(visitor) == []


def test_a_lost_connection_has_no_violation(operador: Person) -> None:
    operador.open("/")
    for strip in ("#sem-conexao", "#falha"):
        operador.page.locator(strip).evaluate("el => { el.hidden = false; }")
    assert violations(operador) == []


def test_the_help_has_no_violation(aprovador: Person) -> None:
    aprovador.open("/aprovacoes/")
    aprovador.page.keyboard.press("?")
    expect(aprovador.page.get_by_role("dialog")).to_be_visible()
    assert violations(aprovador) == []
