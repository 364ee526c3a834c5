"""A link leads only where the policy lets it; every other one is text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from approvals import links, neutral

HOSTS = frozenset({"wiki.example", "www.casa.example"})
PIECES = st.sampled_from([
    "[a](", "[a]:", "]", "(", ")", "<", ">", "/", "//", "\\", ":", "http", "https", "www.", ".",
    "mal.example", "wiki.example", "@", " ", "\n", "a", "#", "*", "`", "&", "!",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join)
READER = MarkdownIt("commonmark", {"html": False})
FOREIGN = re.compile(r"(?i)[a-z][a-z0-9+.-]*:|//|/?\\|/%5c")
OURS = re.compile(r"(?i)https?://(wiki\.example|www\.casa\.example)(:\d+)?([/?#]|$)")
MAIL = re.compile(r"mailto:")  # an address of a person is none of the web


def led_to(text: str) -> list[str]:
    """Where a reader of Markdown would let people go."""
    inside = [token for block in READER.parse(text) for token in block.children or []]
    return [str(t.attrGet("href")) for t in inside if t.type == "link_open"]


@given(TEXTS)
@example("<www.www.www>")
def test_what_is_inert_stays_as_it_is(text: str) -> None:
    once = links.inert(text, HOSTS)
    assert links.inert(once, HOSTS) == once


@given(TEXTS)
@example("[a](\\//mal.example)")
@example("[a](http:mal.example)")
@example("[a]: <https://mal.example>\n\n[a]")
def test_no_link_leads_to_a_host_that_is_not_listed(text: str) -> None:
    made = links.inert(neutral.description(text), HOSTS)
    foreign = [to for to in led_to(made) if FOREIGN.match(to) and not OURS.match(to)]
    assert not [to for to in foreign if not MAIL.match(to)]


@given(TEXTS)
def test_what_was_neutral_stays_neutral(text: str) -> None:
    assert neutral.is_inert(links.inert(neutral.description(text), HOSTS))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("veja http://mal.example/a?b=1.", "veja http: //mal.example/a?b=1."),
        ("[a](https://mal.example)", "[a] (https: //mal.example)"),
        ("[a](//mal.example)", "[a] (//mal.example)"),
        ("[a](javascript:alert(1))", "[a] (javascript:alert(1))"),
        ("[a]: //mal.example", "[a] : //mal.example"),
        ("irc://mal.example/x", "irc: //mal.example/x"),
        ("www.mal.example", "www. mal.example"),
        ("https\\://mal.example", "https\\: //mal.example"),
        ("https:/\\/mal.example", "https: /\\/mal.example"),
        ("https://wiki.example@mal.example", "https: //wiki.example@mal.example"),
        ("https://wiki.example:80@mal.example", "https: //wiki.example:80@mal.example"),
        ("https://wiki.example.mal.example/", "https: //wiki.example.mal.example/"),
        ("https://wiki.example)mal.example", "https: //wiki.example)mal.example"),
        ("https://wiki.example`mal.example", "https: //wiki.example`mal.example"),
        ("https://wiki.example\\@mal.example", "https: //wiki.example\\@mal.example"),
    ],
)
def test_a_link_elsewhere_is_shown_as_text(text: str, made: str) -> None:
    assert links.inert(text, HOSTS) == made


@pytest.mark.parametrize(
    "text",
    [
        "veja https://wiki.example/x#y, e depois (https://wiki.example).",
        "[a](https://WIKI.example:8443/b 'título')",
        "[a]: https://wiki.example/b",
        "www.casa.example/x",
        "[a](/grupo/projeto) e [b](#ancora)",
        "vetor[0](2) e mapa[x]: valor",
        "C:\\temp e 10:30//11:30",
    ],
)
def test_what_the_policy_lets_through_and_what_is_no_link_stay(text: str) -> None:
    assert links.are_inert(text, HOSTS)
