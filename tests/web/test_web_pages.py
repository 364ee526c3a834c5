"""What holds for every page the five people can reach."""

from __future__ import annotations

import re

import pytest

from tests.web.crawl import Visit, kind
from tests.web.people import Person

pytestmark = pytest.mark.browser

UNWELCOME = ("erro inesperado", "rejeitar", "clique aqui", "{{", "{%", "None")


def _pages(visits: list[Visit]) -> set[str]:
    return {kind(visit.path) for visit in visits}


def test_the_crawl_reaches_every_kind_of_page(visits: list[Visit]) -> None:
    expected = {
        "/",
        "/perguntar/",
        "/rodadas/comando/",
        "/rodadas/ID/",
        "/rodadas/ID/proposta/",
        "/aprovacoes/",
        "/aprovacoes/ID/",
        "/aprovacoes/ID/?decidir=aprovar",
        "/aprovacoes/ID/?decidir=recusar",
        "/aprovacoes/ID/?ver=json",
        "/conhecimento/",
        "/conhecimento/documentos/ID/",
        "/trilha/entidades/",
        "/trilha/entidades/cliente/ID/",
        "/trilha/correlacao/ID/",
    }
    assert expected - _pages(visits) == set()


def test_every_page_answers_and_refuses_as_it_should(visits: list[Visit]) -> None:
    unknown = {("admin1.aurora", "/nada-aqui/"): 404, ("auditor1.aurora", "/perguntar/"): 403}
    wrong = {
        (visit.person, visit.path): visit.status
        for visit in visits
        if visit.status != unknown.get((visit.person, visit.path), 200)
    }
    assert wrong == {}


def test_no_page_scrolls_sideways(visits: list[Visit]) -> None:
    wide = [(v.person, v.path, v.wider) for v in visits if any(px > 0 for px in v.wider.values())]
    assert wide == []


def test_no_page_breaks_its_own_policy_or_raises(visits: list[Visit]) -> None:
    assert [(v.path, v.complaints) for v in visits if v.complaints] == []


def test_every_page_forbids_what_it_does_not_bring(visits: list[Visit]) -> None:
    weak = [v.path for v in visits if "default-src 'none'" not in v.policy or "unsafe" in v.policy]
    assert weak == []


def test_a_script_in_the_page_itself_is_stopped_and_noticed(visitor: Person) -> None:
    """The control of the two tests above: a breach is heard here as it would be there."""
    visitor.open("/conta/entrar/")
    visitor.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.head.append(s); }"
    )
    assert visitor.page.evaluate("() => window.ran") is None
    assert any("Content Security Policy" in text for text in visitor.complaints)


def test_every_page_has_one_heading_and_the_skip_link_first(visits: list[Visit]) -> None:
    wrong = [
        (v.path, v.headings, v.first_stop)
        for v in visits
        if (v.headings, v.first_stop) != (1, "skip")
    ]
    assert wrong == []


def test_the_skip_link_leads_past_the_frame(aprovador: Person) -> None:
    aprovador.open("/aprovacoes/")
    aprovador.page.keyboard.press("Tab")
    assert aprovador.page.evaluate("() => document.activeElement.className") == "skip"
    aprovador.page.keyboard.press("Enter")
    assert aprovador.page.evaluate("() => document.activeElement.id") == "conteudo"


def test_no_page_says_what_we_never_say(visits: list[Visit]) -> None:
    found = [(v.path, word) for v in visits for word in UNWELCOME if _says(v.text, word)]
    assert found == []


def test_nothing_is_asked_of_any_other_origin(
    visits: list[Visit], operador: Person, aprovador: Person, auditor: Person, admin: Person
) -> None:
    people = (operador, aprovador, auditor, admin)
    assert [url for person in people for url in person.elsewhere()] == []


def test_no_document_number_stands_in_any_page(visits: list[Visit]) -> None:
    assert [v.path for v in visits if re.search(r"529\.?982\.?247-?25", v.html)] == []


def _says(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
