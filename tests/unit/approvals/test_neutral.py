from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from approvals import neutral
from opspilot.sandbox.gitlab.quick_actions import extract

TEXTS = st.text(alphabet="/ @!<>[]()`~\n\t-abcloseimg.\\#&;17é", max_size=120)


@given(TEXTS)
def test_neutral_text_stays_as_it_is(text: str) -> None:
    once = neutral.description(text)
    assert neutral.description(once) == once


@given(TEXTS)
def test_what_is_neutral_is_inert(text: str) -> None:
    assert neutral.is_inert(neutral.description(text))


@given(TEXTS)
def test_no_line_is_left_that_could_be_a_quick_action(text: str) -> None:
    lines = neutral.description(text).split("\n")
    assert not any(re.match(r"[ \t]*/\S", line) for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        "/close",
        "  /close",
        "ok\n/close",
        "ok\r\n/close\r\n",
        "```\ncode\n```\n/close",
        "~~~\n/close",
        "```\n/close\n```",
        "> quoted\n/close",
        "- item\n/assign @user",
        "\u2028/close\n/close",
        "/CLOSE now",
    ],
)
def test_the_sandbox_finds_no_quick_action_in_what_was_one(text: str) -> None:
    assert not extract(neutral.description(text)).commands


def test_the_same_text_raw_would_run() -> None:
    assert extract("ok\n/close").commands


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@all venham", "@ all venham"),
        ("fale com @plantao-infra", "fale com @ plantao-infra"),
        ("(@user)", "(@ user)"),
        ("escreva para ops@example.com", "escreva para ops@example.com"),
        ("ssh root@srv-db-01", "ssh root@srv-db-01"),
    ],
)
def test_mentions_notify_nobody_and_addresses_stay(text: str, expected: str) -> None:
    assert neutral.description(text) == expected
    assert neutral.line(text) == expected


def test_images_and_html_become_visible_text() -> None:
    made = neutral.description("![alt](https://example.com/x.png) <img src=x> <!-- oculto -->")
    assert "![" not in made
    assert r"\<img" in made
    assert r"\<!--" in made


@pytest.mark.parametrize("backslashes", range(6))
def test_backslashes_typed_before_a_tag_do_not_bring_it_to_life(backslashes: int) -> None:
    made = neutral.description("x " + "\\" * backslashes + "<img src=x>")
    assert "<img" not in MarkdownIt("commonmark", {"html": True}).render(made)


@pytest.mark.parametrize("text", ["&#64;all", "&commat;all", "a\\\\&#64;all"])
def test_an_entity_does_not_turn_into_a_mention(text: str) -> None:
    assert "@all" not in MarkdownIt("commonmark").render(neutral.description(text))


@pytest.mark.parametrize("text", ["@@root", "olá@root", "x @root"])
def test_a_mention_after_any_sign_notifies_nobody(text: str) -> None:
    assert "@root" not in neutral.description(text)


def test_references_write_no_notes_elsewhere() -> None:
    assert neutral.description("veja #12, infra/rede#7 e !3") == r"veja \#12, infra/rede\#7 e \!3"
    assert neutral.description("# Título\n## 2. Passo") == "# Título\n## 2. Passo"


FENCE = "`" * 3


@pytest.mark.parametrize(
    "text",
    [
        f"{FENCE}\n{FENCE}\n@all <img src=x>",
        f"<pre>\n{FENCE}\n</pre>\n{FENCE}\n@all ![x](http://h/p.png) #1\n{FENCE}",
        "<!-- a -->\n    @all ![x](http://h/p.png) #1 <img src=x>",
        f"<pre>\n{FENCE}\n</pre>\n<pre>\n~~~\n</pre>\n~~~\n@all ![x](http://h/p.png) #1\n~~~\n{FENCE}",
        "[^1]: nota\n\n    @all ![x](http://h/p.png) #1",
        f"$$\n{FENCE}\n$$\n@all ![x](http://h/p.png) #1\n{FENCE}",
    ],
)
def test_nothing_that_looks_like_code_protects_what_would_act(text: str) -> None:
    made = neutral.description(text)
    assert "@all" not in made
    assert "![" not in made
    assert " #1" not in made
    assert not re.search(r"(?<!\\)<", made)


def test_a_shell_redirection_survives() -> None:
    assert neutral.description("make 2>&1 | tee log") == "make 2>&1 | tee log"


def test_text_is_normalised_as_the_remote_would_store_it() -> None:
    assert neutral.description("ação\r\nfim  \n\n") == "ação\nfim"


def test_a_forged_marker_is_refused() -> None:
    with pytest.raises(neutral.ForgedMarkerError):
        neutral.description("veja opk" + "a1" * 16)


def test_a_title_is_one_line() -> None:
    assert neutral.line("a\n  b\t c") == "a b c"


@given(TEXTS)
def test_a_neutral_title_stays_as_it_is(text: str) -> None:
    assert neutral.is_inert_line(neutral.line(text))


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("veja GL-12", "veja GL- 12", "veja GL- 12"),
        ("[issue:12]", "[issue: 12]", "[issue: 12]"),
        (
            "https://g.example/a/b/-/issues/12",
            "https://g.example/a/b/-/issues/ 12",
            "https://g.example/a/b/-/issues/ 12",
        ),
        ("lote #12", "lote # 12", r"lote \#12"),
        (
            "no host srv-gl-01, passo 2#a",
            "no host srv-gl-01, passo 2#a",
            "no host srv-gl-01, passo 2#a",
        ),
    ],
)
def test_no_way_of_referring_to_an_issue_is_left(text: str, title: str, body: str) -> None:
    assert (neutral.line(text), neutral.description(text)) == (title, body)
