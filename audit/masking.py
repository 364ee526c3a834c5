"""What never enters the trail, masked where it appears (I9).

Rows about something that already happened are masked and counted, never refused: the shapes err on
the side of masking, because a false positive costs a readable word and a false negative is kept for
years. What may be refused instead is `guard.refusing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audit.guard import secret_shapes
from audit.guard.kinds import STAND_INS, Kind
from audit.guard.looking import cleaned

MAX_TEXT = 500

Told = Counter[Kind]


def mask(text: str, told: Told | None = None) -> str:
    """The text with everything that never enters replaced, cut at MAX_TEXT. `told` counts what was."""
    text = cleaned(text, told)
    if len(text) <= MAX_TEXT:
        return text
    if told is not None:
        told[Kind.LONGO] += 1
    return text[: MAX_TEXT - 1] + "…"


def mask_whole(text: str) -> str:
    """The same uncut, for a text that is kept beside the trail and not in it."""
    return cleaned(text)


def mask_json(value: Any, told: Told | None = None) -> Any:
    """The same for every key and text inside a JSON value. What stands under the name of a secret
    is one, whatever it looks like, and so is a number that is a document's."""
    if isinstance(value, str):
        return mask(value, told)
    if isinstance(value, Mapping):
        return dict(_pairs(value, told))
    if isinstance(value, Sequence):
        return [mask_json(item, told) for item in value]
    return _number(value, told)


def _pairs(value: Mapping[Any, Any], told: Told | None) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        name = mask(str(key), told)
        if secret_shapes.is_name(str(key)) and item not in (None, "", [], {}):
            if told is not None:
                told[Kind.SEGREDO] += 1
            yield name, STAND_INS[Kind.SEGREDO]
        else:
            yield name, mask_json(item, told)


def _number(value: Any, told: Told | None) -> Any:
    """The number itself, or what stands for it."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) < 10**9:
        return value
    written = str(value).rjust(11, "0")
    masked = mask(written, told)
    return value if masked == written else masked
