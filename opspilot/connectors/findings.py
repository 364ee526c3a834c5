"""What a connector's check found. Codes and plain values; the words are the page's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

FindingState = Literal["ok", "atencao", "falha"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`facts` hold text, numbers, booleans and lists of them: they go to JSON as they are.

    `ok` holds; `atencao` works today and needs a person; `falha` must be mended first.
    """

    check: str
    state: FindingState
    facts: Mapping[str, object] = field(default_factory=dict)
