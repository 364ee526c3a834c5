"""Why a file or a source could not be read stands in the trail as words, not as a code."""

from __future__ import annotations

from typing import get_args

import pytest

from audit import reasons
from grounding.errors import UnreadableCode
from grounding.intake import quarantine, uploads
from grounding.life import deleting
from grounding.sync import words
from grounding.sync.errors import Code

OF_FILES = [
    *get_args(UnreadableCode), "long_name", uploads.INTERRUPTED, quarantine.REFUSED,
    deleting.DELETED,
]  # fmt: skip


@pytest.mark.parametrize("code", [*OF_FILES, *get_args(Code)])
def test_each_code_has_its_words(code: str) -> None:
    assert reasons.words(code) not in ("", code)


def test_a_model_s_answer_that_is_not_shown_is_said_too() -> None:
    assert "modelo" in reasons.words("modelo_quote_invented")


@pytest.mark.parametrize("code", get_args(Code))
def test_each_reason_of_a_source_has_its_sentence_on_the_page(code: str) -> None:
    assert words.reason(code) != code
