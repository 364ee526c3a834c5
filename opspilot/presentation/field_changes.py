"""What changed between two lists of fields: labels as sets, texts by lines and words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opspilot.presentation.differences import Line, changes
from opspilot.presentation.shapes import FrozenField

# Comparing takes time that grows faster than the texts: longer ones are only said to differ.
_MOST_CHARACTERS, _MOST_LINES = 40_000, 2_000
_SHOWN = 200  # lines of one field


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field that differs. A list field has `added` and `removed`, any other has `lines`, and
    `more` of them that are not here; none at all where the texts are too long to be compared."""

    label: str
    lines: tuple[Line, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """The fields that differ, in the order of the newer list, and the labels of those that do not:
    together they are all the fields of both."""

    changed: tuple[FieldChange, ...]
    same: tuple[str, ...]


def compare(before: Sequence[FrozenField], after: Sequence[FrozenField]) -> Comparison:
    """By label. A field that only one of them has is compared with nothing."""
    old, new = {f.label: f.value for f in before}, {f.label: f.value for f in after}
    labels = [*new, *(label for label in old if label not in new)]
    found = [_change(label, old.get(label, ""), new.get(label, "")) for label in labels]
    changed = tuple(change for change in found if change is not None)
    differing = {change.label for change in changed}
    return Comparison(changed, tuple(label for label in labels if label not in differing))


def _change(label: str, old: str | Sequence[str], new: str | Sequence[str]) -> FieldChange | None:
    if isinstance(old, str) and isinstance(new, str):
        return _text_change(label, old, new)
    was, now = _items(old), _items(new)
    added, removed = sorted(now - was), sorted(was - now)
    return FieldChange(label, (), tuple(added), tuple(removed)) if added or removed else None


def _text_change(label: str, old: str, new: str) -> FieldChange | None:
    if old == new:
        return None
    if _is_long(old) or _is_long(new):
        return FieldChange(label)
    # Texts may differ in nothing but how their lines end, which a list of lines does not show.
    lines = changes(old, new) or changes(repr(old), repr(new))
    return FieldChange(label, tuple(lines[:_SHOWN]), more=max(0, len(lines) - _SHOWN))


def _is_long(text: str) -> bool:
    return len(text) > _MOST_CHARACTERS or text.count("\n") > _MOST_LINES


def _items(value: str | Sequence[str]) -> set[str]:
    return {value} - {""} if isinstance(value, str) else set(value)
