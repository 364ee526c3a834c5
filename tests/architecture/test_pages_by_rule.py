"""What no template and no file of the browser may hold, and how much there may be of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
OWN_CSS = sorted(STATIC.glob("*.css"))
HEAD = ROOT / "templates" / "includes" / "head.html"
OWN_JS = sorted(STATIC.glob("*.js"))
COMMENTS = re.compile(r"{% comment %}.*?{% endcomment %}|{#.*?#}", re.DOTALL)
# The tag as written: what a Django tag puts between < and > may hold a > of its own.
TAG = re.compile(r"<([a-z]+)((?:{%.*?%}|{{.*?}}|[^>])*)>", re.DOTALL)

FORBIDDEN = {
    "a style in the markup": re.compile(r"\sstyle\s*="),
    "a handler in the markup": re.compile(r"\s(on[a-z]+|hx-on[:\w-]*)\s*="),
    "a filter in a trigger": re.compile(r"hx-trigger\s*=\s*(\"[^\"]*\[|'[^']*\[)"),
    "an expression that htmx would evaluate": re.compile(r"\bjs:|javascript:"),
    "another origin": re.compile(r"(src|href|action)\s*=\s*[\"'](https?:)?//"),
    "text that is not escaped": re.compile(r"\|\s*safe\b|{%\s*autoescape off"),
}


def markup(path: Path) -> str:
    return COMMENTS.sub("", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("fault", FORBIDDEN)
def test_no_template_holds(fault: str) -> None:
    found = {path.name: FORBIDDEN[fault].findall(markup(path)) for path in TEMPLATES}
    assert {name: hits for name, hits in found.items() if hits} == {}


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("a style in the markup", '<p style="color: red">'),
        ("a handler in the markup", '<p hx-on:click="x()">'),
        ("a handler in the markup", '<p onclick="x()">'),
        ("a filter in a trigger", '<p hx-trigger="keyup[key==1] from:body">'),
        ("an expression that htmx would evaluate", "<p hx-vals='js:{a: 1}'>"),
        ("another origin", '<script src="//example.com/x.js">'),
        ("text that is not escaped", "{{ text|safe }}"),
    ],
)
def test_what_is_forbidden_is_found(fault: str, text: str) -> None:
    assert FORBIDDEN[fault].search(text)


DATA = 'type="application/json"'


def test_every_script_of_a_template_is_a_file() -> None:
    """A block of JSON is data: no browser runs it, and no policy has to allow it."""
    inline = [
        (path.name, attributes)
        for path in TEMPLATES
        for name, attributes in TAG.findall(markup(path))
        if name == "style"
        or (name == "script" and "src=" not in attributes and DATA not in attributes)
    ]
    assert inline == []


def test_every_form_that_htmx_sends_can_be_sent_without_it() -> None:
    forms = [
        (path.name, attributes)
        for path in TEMPLATES
        for name, attributes in TAG.findall(markup(path))
        if name == "form" and re.search(r"\bhx-(post|get|put|patch|delete)=", attributes)
    ]
    assert forms
    assert [(n, a) for n, a in forms if "method=" not in a or "action=" not in a] == []


def test_every_form_that_is_posted_carries_its_token() -> None:
    bare = [
        path.name
        for path in TEMPLATES
        for form in re.findall(r"<form\b.*?</form>", markup(path), re.DOTALL)
        if 'method="post"' in form and "{% csrf_token %}" not in form
    ]
    assert bare == []


def test_the_styles_of_a_page_are_at_most_30_000_bytes() -> None:
    sheets = [STATIC / name for name in re.findall(r"static '([\w-]+\.css)'", markup(HEAD))]
    sizes = {path.name: path.stat().st_size for path in sheets}
    assert len(sizes) >= 2
    assert sum(sizes.values()) <= 30_000, sizes


def test_the_scripts_are_at_most_10_000_bytes() -> None:
    sizes = {path.name: path.stat().st_size for path in OWN_JS}
    assert len(sizes) >= 1
    assert sum(sizes.values()) <= 10_000, sizes


def test_no_script_makes_code_or_markup_out_of_text() -> None:
    maker = re.compile(
        r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write"
    )
    assert {
        p.name: maker.findall(p.read_text()) for p in OWN_JS if maker.search(p.read_text())
    } == {}


def test_no_style_asks_another_origin() -> None:
    asked = {
        path.name: re.findall(r"url\([^)]*//[^)]*\)|@import", path.read_text()) for path in OWN_CSS
    }
    assert {name: hits for name, hits in asked.items() if hits} == {}
