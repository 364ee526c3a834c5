"""A row's key is read by one rule, whoever asks for it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pydantic import ValidationError

from opspilot.api.action_contract import ActionIn, key_of

ROW = {
    "acao": "repasse.humano",
    "correlacao_id": "00000000-0000-0000-0000-000000000001",
    "resultado": "ok",
    "autorizacao": "regra",
}
PIECES = [
    "k",
    "~",
    "!",
    " ",
    "\n",
    "\t",
    "\r",
    "\x0b",
    "\x1f",
    "\x7f",
    "\u00a0",
    "\u200b",
    "é",
    "x" * 199,
]


def accepted(key: object) -> str | None:
    try:
        return ActionIn.model_validate(ROW | {"chave": key}).chave
    except ValidationError:
        return None


def test_what_is_looked_up_is_what_the_row_is_kept_under() -> None:
    chance = random.Random(2026)  # noqa: S311 - the same keys each time
    for _ in range(2_000):
        key = "".join(chance.choices(PIECES, k=chance.randint(0, 4)))
        assert key_of(ROW | {"chave": key}) == accepted(key) in {key, None}


@pytest.mark.parametrize("row", [None, [], "chave", 7, {}, {"chave": None}, {"chave": ["k"]}])
def test_what_has_no_key_has_none(row: Any) -> None:
    assert key_of(row) is None
