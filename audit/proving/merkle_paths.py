"""The way from a leaf of the seal's tree up to its root, and back again by who has only the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from audit.seal.merkle import leaf_hash, node_hash

Side = Literal["esquerda", "direita"]
Path = list[tuple[Side, str]]
"""Upwards: on which side the other half stands, and its hash in hexadecimal."""


@dataclass(slots=True)
class _Peak:
    """A whole subtree, with the wanted leaves under it."""

    height: int
    hash: bytes
    wanted: list[int] = field(default_factory=list)


class PathTree:
    """Hashes come one by one: memory grows with the tree's height and with what is wanted."""

    def __init__(self) -> None:
        self.paths: dict[int, Path] = {}
        self._peaks: list[_Peak] = []

    def add(self, leaf: bytes, *, wanted: int | None = None) -> None:
        """`wanted` is the name under which this leaf's way is kept."""
        peak = _Peak(0, leaf_hash(leaf))
        if wanted is not None:
            self.paths[wanted] = []
            peak.wanted.append(wanted)
        while self._peaks and self._peaks[-1].height == peak.height:
            peak = self._joined(self._peaks.pop(), peak)
        self._peaks.append(peak)

    def close(self) -> dict[int, Path]:
        """After the last leaf."""
        while len(self._peaks) > 1:
            right = self._peaks.pop()
            self._peaks.append(self._joined(self._peaks.pop(), right))
        return self.paths

    def _joined(self, left: _Peak, right: _Peak) -> _Peak:
        for name in left.wanted:
            self.paths[name].append(("direita", right.hash.hex()))
        for name in right.wanted:
            self.paths[name].append(("esquerda", left.hash.hex()))
        return _Peak(
            left.height + 1, node_hash(left.hash, right.hash), [*left.wanted, *right.wanted]
        )


def root_from(leaf: bytes, path: Iterable[tuple[Side, str]]) -> str:
    """The root this way leads to; ValueError where it is no way."""
    node = leaf_hash(leaf)
    for side, other in path:
        half = bytes.fromhex(other)
        node = node_hash(half, node) if side == "esquerda" else node_hash(node, half)
    return node.hex()
