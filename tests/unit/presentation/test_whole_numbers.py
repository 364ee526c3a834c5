from __future__ import annotations

import pytest

from opspilot.presentation.addresses import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("999", 999)])
def test_ascii_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text, most=999) == number


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        " 7",
        "-1",
        "+1",
        "1.0",
        "1e3",
        "0x1",
        "\u0661",
        "\uff11",
        "\u00b2",
        "1000",
        "9" * 50,
    ],
)
def test_anything_else_is_none(text: str | None) -> None:
    assert whole_number(text, most=999) is None
