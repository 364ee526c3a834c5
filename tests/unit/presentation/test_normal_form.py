"""No text, however hostile, takes a time that grows with its square."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest

from audit.masking import mask
from grounding.intake.decoding import decode
from opspilot.busca import typed
from opspilot.presentation.normal_form import LONGEST_RUN, nfc

ACUTE, GRAVE_BELOW = "\u0301", "\u0316"


@pytest.mark.parametrize(
    "text", ["", "fila", "ação", "e\u0301", "ﬁ", "한국어", "a" + ACUTE * LONGEST_RUN]
)
def test_ordinary_text_is_in_its_ordinary_form(text: str) -> None:
    assert nfc(text) == unicodedata.normalize("NFC", text)


def test_a_run_of_marks_longer_than_any_writing_has_is_broken_and_nothing_is_lost() -> None:
    found = nfc("a" + ACUTE * 100)
    assert found.replace("\u034f", "").count(ACUTE) == 99
    assert nfc(found) == found


def spent(act: Callable[[], object]) -> float:
    started = time.process_time()
    act()
    return time.process_time() - started


@pytest.mark.parametrize(
    ("make", "act"),
    [
        (lambda n: "a" + ACUTE * n + GRAVE_BELOW * n, nfc),
        (lambda n: "a" + ACUTE * n + GRAVE_BELOW * n, lambda text: decode(text.encode())),
        (lambda n: "a" * n, mask),
        (lambda n: "a-" * n, mask),
        (lambda n: "a" * n, lambda text: typed.is_personal(typed.tidy(text))),
    ],
    ids=["nfc", "file", "word", "hyphens", "search"],
)
def test_eight_times_the_text_takes_nowhere_near_sixty_four_times_as_long(
    make: Callable[[int], str], act: Callable[[str], object]
) -> None:
    """A ratio within one run, with the quadratic one far beyond it; a floor keeps noise out."""
    act(make(100))
    small, large = make(4_000), make(32_000)
    assert spent(lambda: act(large)) < 24 * max(spent(lambda: act(small)), 0.01)
