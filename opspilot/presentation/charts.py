"""Geometry of the charts: numbers in, shapes of a fixed box out. Pure: no words, no colours.

The lower edge is always zero, so that a height never exaggerates a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

Value = Decimal | int | float | None  # None: nothing was measured there


class NegativeValueError(ValueError):
    """These charts start at zero; what is below it needs another drawing."""


@dataclass(frozen=True, slots=True)
class Line:
    path: str  # of an SVG path; where a value is missing the pen is lifted. Empty: nothing to draw
    top: float  # the value at the upper edge


def line(values: Sequence[Value], *, width: int, height: int, edge: int = 2) -> Line:
    """A line from left to right; `edge` keeps the stroke inside the box."""
    numbers = _checked(values)
    top = max((number for number in numbers if number is not None), default=0.0)
    inner_width, inner_height = width - 2 * edge, height - 2 * edge
    gaps = max(len(numbers) - 1, 1)
    start = edge if len(numbers) > 1 else width / 2

    def place(position: int, number: float) -> str:
        x = start + position * inner_width / gaps
        y = height - edge - (number / top if top else 0) * inner_height
        return f"{_short(x)} {_short(y)}"

    measured = [(i, number) for i, number in enumerate(numbers) if number is not None]
    runs = [
        [place(i, number) for _, (i, number) in run]
        for _, run in groupby(enumerate(measured), key=lambda item: item[1][0] - item[0])
    ]
    return Line(path="".join(_stroke(run) for run in runs), top=top)


def bars(values: Sequence[Value], *, width: int, top: Value = None) -> list[str | None]:
    """The length of each bar, as it is written in the attribute. `top` is the value of a whole
    width where that is known (a ceiling, a total); a bar beyond it is cut there."""
    numbers = _checked(values)
    longest = max((number for number in numbers if number is not None), default=0.0)
    whole = longest if top is None else float(top)
    return [
        None if number is None else _short(min(number / whole, 1) * width if whole else 0)
        for number in numbers
    ]


def _checked(values: Sequence[Value]) -> list[float | None]:
    numbers = [None if value is None else float(value) for value in values]
    if any(number is not None and number < 0 for number in numbers):
        raise NegativeValueError
    return numbers


def _stroke(run: Sequence[str]) -> str:
    # A point alone is a line of no length, which a round cap draws as a dot.
    return f"M{run[0]}" + ("".join(f"L{place}" for place in run[1:]) or "h0")


def _short(number: float) -> str:
    """At most two decimals, always with a point: attributes know no language."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
