"""The colours of the sheet and how well each reads on the others (WCAG 2 contrast). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

SCHEMES = ("light", "dark")
TEXT, CONTROL = 4.5, 3.0  # least ratio of text, and of what only has to be seen

_STATES = ("ok", "warn", "bad", "info", "unknown")
_PLANE = ("surface", "bg", "sunken")
_TINTED = ("ok-tint", "warn-tint", "bad-tint", "info-tint", "unknown-tint", "neutral-tint")

_BLOCK = r"{} \{{(.*?)\}}"
_TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")
_PAIR = re.compile(r"light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)")
_REFERENCE = re.compile(r"var\(--([\w-]+)\)")


@dataclass(frozen=True, slots=True)
class Pair:
    """A colour that is drawn on another somewhere in the console."""

    front: str
    back: str
    least: float


PAIRS = (
    *(Pair(front, back, TEXT) for front in ("text", "muted") for back in (*_PLANE, *_TINTED)),
    *(Pair("accent", back, TEXT) for back in (*_PLANE, "info-tint", "neutral-tint")),
    *(Pair(state, back, TEXT) for state in _STATES for back in (f"{state}-tint", *_PLANE)),
    *(Pair("on-accent", back, TEXT) for back in ("accent", "bad")),
    *(Pair("control", back, CONTROL) for back in _PLANE),
    *(Pair("focus", back, CONTROL) for back in (*_PLANE, *_TINTED)),
)


def palettes(css: str) -> dict[str, dict[str, str]]:
    """Token by name, "#rrggbb", in "light", "dark", "light more" and "dark more"."""
    plain = _tokens(css, ":root")
    more = plain | _tokens(css, '[data-contrast="more"]')
    return {
        **{scheme: _resolved(plain, scheme) for scheme in SCHEMES},
        **{f"{scheme} more": _resolved(more, scheme) for scheme in SCHEMES},
    }


def ratio(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _tokens(css: str, selector: str) -> dict[str, str]:
    block = re.search(_BLOCK.format(re.escape(selector)), css, re.DOTALL)
    if block is None:
        raise LookupError(selector)
    return dict(_TOKEN.findall(block.group(1)))


def _resolved(tokens: Mapping[str, str], scheme: str) -> dict[str, str]:
    found = {}
    for name in tokens:
        value = tokens[name]
        while reference := _REFERENCE.fullmatch(value):
            value = tokens[reference.group(1)]
        if pair := _PAIR.fullmatch(value):
            found[name] = _long(pair.group(1 + SCHEMES.index(scheme)))
    return found


def _long(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
