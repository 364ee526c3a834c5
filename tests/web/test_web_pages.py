"""What holds for every page the five people can reach."""

from __future__ import annotations

import re
from collections.abc import Callable

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
        "/conhecimento/quarentena/",
        "/conhecimento/quarentena/ID/",
        "/trilha/",
        "/trilha/entidades/",
        "/trilha/entidades/cliente/ID/",
        "/trilha/correlacao/ID/",
        "/busca/",
        "/ajuda/atalhos/",
        "/conta/",
        "/conta/entrar/",
        "/conta/preferencias/",
        "/conta/segundo-fator/",
        "/conta/senha/",
        "/conta/senha/esqueci/",
        "/conta/sessoes/",
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
    wide = [(v.person, v.path, at) for v in visits for at, seen in v.at.items() if seen.wider > 0]
    assert wide == []


def test_everything_that_is_pressed_is_24_pixels_wide_and_tall(visits: list[Visit]) -> None:
    """WCAG 2.5.8 without its spacing exception; only links among the words of a sentence are let off."""
    small = {
        f"{kind(v.path)} at {at}: {target}"
        for v in visits
        for at, seen in v.at.items()
        for target in seen.small
    }
    assert small == set()


def test_no_control_cuts_its_words_and_nothing_overlaps_in_the_top_bar(
    visits: list[Visit],
) -> None:
    crowded = {
        f"{kind(v.path)} at {at}: {fault}"
        for v in visits
        for at, seen in v.at.items()
        for fault in (*seen.cut, *seen.overlaps)
    }
    assert crowded == set()


def test_no_page_breaks_its_own_policy_or_raises(visits: list[Visit]) -> None:
    heard = [(v.person, v.path, v.complaints, v.reports) for v in visits]
    assert [found for found in heard if found[2] or found[3]] == []


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


def test_every_page_has_one_heading(visits: list[Visit]) -> None:
    assert [(v.person, v.path, v.headings) for v in visits if v.headings != 1] == []


def test_the_skip_link_comes_first_wherever_there_is_a_frame_to_skip(visits: list[Visit]) -> None:
    framed = [v for v in visits if v.page.all("nav")]
    assert len(framed) > 50
    assert [(v.person, v.path) for v in framed if v.first_stop != "skip"] == []


def test_every_title_says_the_page_and_then_the_company(visits: list[Visit]) -> None:
    form = re.compile(r"(\(\d+\) )?\S.* · \S.*")
    assert [(v.path, v.title) for v in visits if not form.fullmatch(v.title)] == []


def test_every_form_that_htmx_sends_can_be_sent_without_it(visits: list[Visit]) -> None:
    sends = ("hx-post", "hx-put", "hx-patch", "hx-delete", "hx-get")
    forms = [
        (v.path, f.attributes)
        for v in visits
        for f in v.page.all("form")
        if any(name in f.attributes for name in sends)
    ]
    assert [(path, a) for path, a in forms if not (a.get("method") and a.get("action"))] == []


def test_no_trigger_has_a_filter(visits: list[Visit]) -> None:
    """Without eval, which our policy forbids, htmx fires a filtered trigger unfiltered."""
    assert _attributes(visits, lambda name, value: name == "hx-trigger" and "[" in value) == []


def test_no_page_carries_style_or_script_in_its_markup(visits: list[Visit]) -> None:
    assert _attributes(visits, lambda name, _: name == "style" or name.startswith("on")) == []
    assert _attributes(visits, lambda name, _: name.startswith("hx-on")) == []
    texts = [
        (v.path, e.text)
        for v in visits
        for e in v.page.all("script", "style")
        if e.attributes.get("type") != "application/json"  # data, which nothing runs
    ]
    assert [(path, text) for path, text in texts if text] == []


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


def _attributes(visits: list[Visit], unwelcome: Callable[[str, str], bool]) -> list[str]:
    return [
        f"{kind(v.path)} <{element.tag} {name}={value!r}>"
        for v in visits
        for element in v.page.elements
        for name, value in element.attributes.items()
        if unwelcome(name, value)
    ]


def _says(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
