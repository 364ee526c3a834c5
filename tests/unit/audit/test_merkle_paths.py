"""The way from a row up to the signed root leads where the seal's own tree ends."""

from __future__ import annotations

import pytest

from audit.proving.merkle_paths import PathTree, root_from
from audit.seal.merkle import Tree

LEAVES = [bytes([number]) * 32 for number in range(20)]


@pytest.mark.parametrize("count", range(1, 20))
def test_each_leaf_leads_to_the_seals_root(count: int) -> None:
    tree, ways = Tree(), PathTree()
    for number, leaf in enumerate(LEAVES[:count]):
        tree.add(leaf)
        ways.add(leaf, wanted=number)
    roots = {root_from(LEAVES[number], path) for number, path in ways.close().items()}
    assert roots == {tree.root().hex()}


def test_another_leaf_leads_elsewhere() -> None:
    ways = PathTree()
    for number, leaf in enumerate(LEAVES[:7]):
        ways.add(leaf, wanted=3 if number == 3 else None)
    (path,) = ways.close().values()
    assert root_from(LEAVES[3], path) != root_from(LEAVES[4], path)
