"""The colours of the sheet, as the sheet itself has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspilot.presentation.contrast import PAIRS, TEXT, Pair, palettes, ratio

STATIC = Path(__file__).parents[3] / "static"
PIECES = ("components", "pages")
SHEET = (STATIC / "opspilot.css").read_text(encoding="utf-8")
PALETTES = palettes(SHEET)
BUDGET = 30_000  # bytes of both sheets


def _least(name: str, least: float) -> float:
    palette = PALETTES[name]
    return min(
        ratio(palette[pair.front], palette[pair.back]) for pair in PAIRS if pair.least == least
    )


def test_black_on_white_is_the_highest_ratio() -> None:
    assert ratio("#000000", "#ffffff") == pytest.approx(21)


def test_a_ratio_is_the_same_both_ways() -> None:
    assert ratio("#1351b4", "#ffffff") == ratio("#ffffff", "#1351b4") == pytest.approx(7.33, 0.01)


def test_there_are_four_palettes() -> None:
    assert set(PALETTES) == {"light", "dark", "light more", "dark more"}


def test_high_contrast_replaces_what_it_names_and_keeps_the_rest() -> None:
    assert PALETTES["light more"]["muted"] == PALETTES["light"]["text"]
    assert PALETTES["light more"]["surface"] == PALETTES["light"]["surface"]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.front} on {pair.back}")
@pytest.mark.parametrize("name", PALETTES)
def test_a_colour_reads_on_what_it_is_drawn_on(name: str, pair: Pair) -> None:
    assert ratio(PALETTES[name][pair.front], PALETTES[name][pair.back]) >= pair.least


@pytest.mark.parametrize(("name", "least"), [("light", 5.45), ("dark", 6.3)])
def test_the_worst_text_is_no_worse_than_promised(name: str, least: float) -> None:
    assert _least(name, TEXT) >= least


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_high_contrast_reaches_seven_for_every_text(scheme: str) -> None:
    assert _least(f"{scheme} more", TEXT) >= 7


def test_asking_by_preference_and_by_system_gives_the_same_palette() -> None:
    blocks = re.findall(r"\[data-contrast(?:=\"more\"\]|\]\)) \{(.*?)\}", SHEET, re.DOTALL)
    asked, system = (block.split() for block in blocks if "--ok" in block)
    assert asked == system


def test_a_colour_nobody_may_read_fails() -> None:
    faint = SHEET.replace("--muted: light-dark(#52606d,", "--muted: light-dark(#aab4bf,")
    palette = palettes(faint)["light"]
    assert ratio(palette["muted"], palette["surface"]) < TEXT


def test_no_sheet_but_the_tokens_names_a_colour() -> None:
    pieces = "".join((STATIC / f"{name}.css").read_text("utf-8") for name in PIECES)
    named = set(re.findall(r"#[0-9a-f]{3,8}\b", pieces))
    # Shadows and the veil behind a dialog are not read; print is always black on white.
    assert {colour for colour in named if len(colour) in {4, 7}} <= {"#fff"}


def test_the_sheets_stay_small() -> None:
    assert sum((STATIC / f"{name}.css").stat().st_size for name in ("opspilot", *PIECES)) <= BUDGET
