from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspilot.presentation.markdown import as_drawn

# What a browser would act on; every other tag only draws.
ACTIVE = re.compile(
    r"<(?!/?(b|blockquote|br|code|em|hr|li|ol|p|pre|s|span|strong|table|tbody|td|th|thead|tr|ul|wbr)\b)"
)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](http://imagem.example/a.png)",
        "<a href='javascript:alert(1)'>x</a>",
        "<!-- <b>x</b> -->",
        "[x][r]\n\n[r]: javascript:alert(1)",
        '<https://a.example/"onmouseover=alert(1)>',
        "| a |\n|---|\n| <svg onload=alert(1)> |",
        "```\n<script>alert(1)</script>\n```",
    ],
)
def test_nothing_of_a_text_acts(text: str) -> None:
    drawn = as_drawn(text)
    assert not ACTIVE.search(drawn)
    assert "<a" not in drawn
    assert "<img" not in drawn


def test_a_link_says_where_it_leads_and_is_none() -> None:
    drawn = as_drawn("[abrir](https://evil.example/login)")
    assert "abrir" in drawn
    assert "<code>https://evil.example/login</code>" in drawn.replace("<wbr>", "")


def test_an_address_that_is_written_out_is_not_said_twice() -> None:
    assert as_drawn("<https://a.example>").count("a.example") == 1


@pytest.mark.parametrize("form", ["{}", "`{}`", "```\n{}\n```", "    {}", "# {}", "- {}", "**{}**"])
def test_hidden_characters_are_shown_in_every_kind_of_text(form: str) -> None:
    assert "U+200B" in as_drawn(form.format("a\u200bb"))


def test_a_heading_of_the_text_is_no_heading_of_the_page() -> None:
    assert as_drawn("# Um\n\n### Dois") == "<p><b>Um</b></p><p><b>Dois</b></p>"


def test_a_numbered_list_keeps_its_numbers() -> None:
    assert "<li>3. três" in as_drawn("3. três\n4. quatro")


def test_an_escaped_command_is_drawn_as_the_words_it_is() -> None:
    assert as_drawn("\\/close").strip() == "<p>/close</p>"


@given(st.text(max_size=80))
def test_any_text_is_drawn_and_nothing_of_it_acts(text: str) -> None:
    assert not ACTIVE.search(as_drawn(text))
