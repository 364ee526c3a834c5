"""One line of a proof: what was checked, how it came out, and on what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["ok", "red", "unknown", "none"]


@dataclass(frozen=True, slots=True)
class Line:
    """`red` = it does not hold; `unknown` = nobody can say, and never green; `none` = there was
    nothing of the kind. `code` with `values` is the sentence, in whatever language."""

    name: str
    state: State
    code: str
    values: dict[str, Any] = field(default_factory=dict)


def ok(name: str, code: str, **values: Any) -> Line:
    return Line(name, "ok", code, values)


def red(name: str, code: str, **values: Any) -> Line:
    return Line(name, "red", code, values)


def unknown(name: str, code: str, **values: Any) -> Line:
    return Line(name, "unknown", code, values)


def none(name: str, code: str, **values: Any) -> Line:
    return Line(name, "none", code, values)
