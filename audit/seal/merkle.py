"""A Merkle tree over hashes that come one by one: memory grows with the tree's height only."""

from __future__ import annotations

import hashlib

EMPTY = hashlib.sha256(b"").digest()
"""The root over nothing."""


class Tree:
    """Leaves and inner nodes are hashed apart (RFC 6962), so one can never stand for the other."""

    def __init__(self) -> None:
        self.count = 0
        # (height, hash) of the whole subtrees, left first
        self._peaks: list[tuple[int, bytes]] = []

    def add(self, leaf: bytes) -> None:
        self.count += 1
        height, node = 0, leaf_hash(leaf)
        while self._peaks and self._peaks[-1][0] == height:
            _, left = self._peaks.pop()
            height, node = height + 1, node_hash(left, node)
        self._peaks.append((height, node))

    def root(self) -> bytes:
        if not self._peaks:
            return EMPTY
        node = self._peaks[-1][1]
        for _, left in reversed(self._peaks[:-1]):
            node = node_hash(left, node)
        return node


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
