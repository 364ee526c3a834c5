"""What is pasted where a question is asked is a command or a question, and never half of each."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.tasks import task_command, task_paste

FULL: dict[str, Any] = {"template_id": 21, "limit": "srv-pag-02", "server_action": "restart"}


@pytest.mark.parametrize(
    "text",
    [
        '{"template_id": 21, "limit": "srv-pag-02", "server_action": "restart"}',
        '{"template_id": "21", "limit": ["SRV-PAG-02"], "server_action": "restart"}',
        "template_id=21 limit=srv-pag-02 server_action=restart",
        "  template_id=21\n\tlimit=SRV-PAG-02  server_action=restart ",
        "template_id = 21\nlimit = srv-pag-02\nserver_action = restart\n",
        '```json\n{"template_id": 21, "limit": "srv-pag-02", "server_action": "restart"}\n```',
    ],
)
def test_the_same_command_is_read_from_json_lines_and_words(text: str) -> None:
    found = task_paste.read(text)
    assert found is not None
    assert found.command == task_command.read(FULL)


def test_the_five_fields_are_kept_whatever_template_is_named() -> None:
    text = "template_id=1 limit=a server_name=b server_action=c deploy_service=d"
    found = task_paste.read(text)
    assert found is not None
    assert found.command.fields.keys() == set(task_command.FIELDS)


def test_a_line_may_carry_the_justification_with_its_blanks() -> None:
    found = task_paste.read("template_id=1\nlimit=a\njustificativa=A fila parou às 9 h.")
    assert found is not None
    assert found.why == "A fila parou às 9 h."
    assert found.command.variables == ()


def test_a_command_in_words_is_followed_by_a_line_that_says_why() -> None:
    text = "template_id=21 limit=srv-pag-02 server_action=restart\njustificativa=Falta de disco."
    found = task_paste.read(text)
    assert found is not None
    assert found.command == task_command.read(FULL)
    assert found.why == "Falta de disco."


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("template_id=21", ("limit",)),
        ("limit=srv-pag-02", ("template_id",)),
        ("server_name=api", ("template_id", "limit")),
        ('{"template_id": 21, "limit": ""}', ("limit",)),
    ],
)
def test_half_a_command_is_a_command_that_says_what_it_lacks(
    text: str, missing: tuple[str, ...]
) -> None:
    found = task_paste.read(text)
    assert found is not None
    assert found.command.missing == missing


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Por que a API está lenta?",
        "o que faz limit=5 nesta consulta?",
        '{"level": "error", "message": "timeout"}',
        "{ não é JSON",
        "a=b c=d",
        "x = y\nfoi o que apareceu no log",
    ],
)
def test_a_text_that_is_no_command_stays_a_question(text: str) -> None:
    assert task_paste.read(text) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("template_id=21 limit=a por favor", ("favor", "por")),
        ("template_id=21\nlimit=a\nlimit=b", ("limit",)),
        ('{"template_id": 1, "limit": "a", "limit": "all"}', ("limit",)),
        ('{"template_id": 21, "limit": "a"', ("comando",)),
        ('[{"template_id": 21, "limit": "a"}]', ("comando",)),
        ('{"template_id": 21, "limit": "a", "justificativa": 7}', ("justificativa",)),
    ],
)
def test_what_does_not_belong_to_a_command_is_named(text: str, named: tuple[str, ...]) -> None:
    found = task_paste.read(text)
    assert found is not None
    assert found.command.unreadable == named


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\u200b", "\u2028", "\x0b", "\x0c", "\x85"])
def test_a_blank_that_is_not_plain_is_never_taken_away(blank: str) -> None:
    for text in (
        f"template_id=21 limit={blank}srv-pag-02",
        f"template_id=21 limit=srv-pag-02{blank}",
        f"template_id=21\nlimit=srv-pag-02{blank}\n",
        f'{{"template_id": 21, "limit": "srv-pag-02\\u{ord(blank):04x}"}}',
    ):
        found = task_paste.read(text)
        assert found is not None
        assert found.command.hosts != ("srv-pag-02",)


@given(st.text(max_size=200) | st.text(alphabet='template_idlimit={}[]":, \n', max_size=80))
def test_reading_never_fails(text: str) -> None:
    task_paste.read(text)
