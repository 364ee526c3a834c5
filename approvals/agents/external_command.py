"""A command for an action that one of the company's agents carries out itself.

Reading is total: any input gives a command, nothing is guessed or mended, and what could not be
read is named in it. Whether the fields are the right ones is the policy's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from approvals import neutral

MAX_FIELDS = 50
MAX_TEXT = 20_000
MAX_NUMBER = 10**15  # every reader of JSON keeps it exact
_WHOLE = "campos"  # how an input that has no fields is named
_CONTROLS = frozenset(map(chr, (*range(32), 127))) - {"\n", "\t"}
Value = str | int


@dataclass(frozen=True, slots=True)
class ExternalCommand:
    """A registered kind and its fields by name. `unreadable` names those that hold a fraction, a
    list, a truth value, control characters or too much."""

    kind: str
    fields: tuple[tuple[str, Value], ...] = ()
    unreadable: tuple[str, ...] = ()


def read(*, kind: str, fields: object) -> ExternalCommand:
    """The command in `{<field>: <text or whole number>, …}`. Never raises."""
    if not isinstance(fields, Mapping) or len(fields) > MAX_FIELDS:
        return ExternalCommand(kind, unreadable=(_WHOLE,))
    odd: set[str] = set()
    values = dict(_values(fields, odd))
    return ExternalCommand(kind, tuple(sorted(values.items())), tuple(sorted(odd)))


def _values(fields: Mapping[object, object], odd: set[str]) -> Iterator[tuple[str, Value]]:
    for key, given in fields.items():
        name = key if isinstance(key, str) else type(key).__name__
        value = _value(given)
        if value is None or name != key or not _is_text(name):
            odd.add(name.encode(errors="replace").decode()[:60] or _WHOLE)
        elif value != "":
            yield name, value


def _value(given: object) -> Value | None:
    """The value; "" for nothing, None for what cannot be read."""
    if given is None:
        return ""
    if isinstance(given, int) and not isinstance(given, bool):
        return given if abs(given) < MAX_NUMBER else None
    if isinstance(given, str) and len(given) <= MAX_TEXT and _is_text(given):
        return neutral.normalise(given)
    return None


def _is_text(given: str) -> bool:
    """No control characters, and no half of a surrogate pair: JSON can carry one."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return _CONTROLS.isdisjoint(given.replace("\r", "\n"))
