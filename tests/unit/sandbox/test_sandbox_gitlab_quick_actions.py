"""Which text runs, told on the extractor itself."""

from __future__ import annotations

import pytest

from opspilot.sandbox.gitlab.quick_actions import extract


def _names(text: str) -> list[str]:
    return [command.name for command in extract(text).commands]


@pytest.mark.parametrize(
    "text",
    [
        "/close",
        "/CLOSE",
        "/close now",
        "palavras\n/close\nmais palavras",
        "- item\n\n/close",
        "> citação\n\n/close",
        "> # título citado\n/close",
        "```\ncódigo\n```\n/close",
        "```\n/label ~x\n```\n\n/close",
        "# título\n/close",
        "<!-- nota -->\n/close",
        "<div>\nx\n</div>\n\n/close",
        "a `b` c\n/close",
        "linha\r\n/close\r\n",
    ],
)
def test_a_command_at_the_start_of_a_paragraph_line_runs(text: str) -> None:
    assert _names(text) == ["close"]


@pytest.mark.parametrize(
    "text",
    [
        " /close",
        "    /close",
        "veja /close",
        "```\n/close\n```",
        "```\n/close",
        "~~~\n```\n/close\n~~~",
        "````\n```\n/close\n````",
        "> /close",
        "> citação\n/close",
        ">>>\n/close\n>>>",
        "- item\n/close",
        "- item\n  /close",
        "1. item\n\n   texto\n/close",
        "<div>\n/close\n</div>",
        "<!--\n/close\n-->",
        "<pre>\n\n/close\n</pre>",
        "a `b\n/close\nc` d",
        "a | b\n--- | ---\n/close",
        "título\n/close\n======",
        "/closed",
        "/desconhecido",
        "\\/close",
    ],
)
def test_text_outside_top_level_paragraphs_does_not_run(text: str) -> None:
    assert _names(text) == []


def test_a_fence_closed_by_the_text_itself_lets_the_command_out() -> None:
    assert _names("```\ncitado\n```\n/close\n```\nresto\n```") == ["close"]


def test_commands_leave_the_text() -> None:
    assert extract("antes\n/close\ndepois\n/label ~a  \n\n").text == "antes\ndepois"


def test_shrug_rewrites_the_line() -> None:
    assert extract("/shrug paciência").text == "paciência ¯\\＿(ツ)＿/¯"


def test_deep_nesting_does_not_exhaust_the_extractor() -> None:
    assert _names(">" * 50_000 + "\n\n/close") == ["close"]
