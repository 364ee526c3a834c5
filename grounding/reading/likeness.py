"""Passages of different documents that say nearly the same: MinHash over runs of five words.

Only those that share a band of their signatures are compared, so a night's look stays cheap.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from grounding.reading.analysis import fold

ALIKE = 0.85  # share of equal hashes: an estimate of how many runs of words two texts share
_RUN = 5  # words
_HASHES, _BANDS = 64, 16
_CROWD = 30  # compared in one band at most: two hundred copies are told by thirty
_PRIME = (1 << 31) - 1
_draw = np.random.default_rng(20_261_130)
_A = _draw.integers(1, _PRIME, _HASHES, dtype=np.int64)
_B = _draw.integers(0, _PRIME, _HASHES, dtype=np.int64)
Signature = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Passage:
    id: int
    document: int
    text: str


def signature(text: str) -> Signature | None:
    """None for a text too short to be told from others."""
    words = fold(text).split()
    if len(words) < 2 * _RUN:
        return None
    runs = {" ".join(words[i : i + _RUN]) for i in range(len(words) - _RUN + 1)}
    hashed = np.array([zlib.crc32(run.encode()) % _PRIME for run in runs], dtype=np.int64)
    made: Signature = ((hashed[:, None] * _A + _B) % _PRIME).min(axis=0)
    return made


def pairs(passages: Iterable[Passage]) -> list[tuple[Passage, Passage]]:
    """Each pair once, of different documents only."""
    signed = [(one, made) for one in passages if (made := signature(one.text)) is not None]
    found = {
        (a, b)
        for a, b in _candidates([made for _, made in signed])
        if signed[a][0].document != signed[b][0].document
        and float(np.mean(signed[a][1] == signed[b][1])) >= ALIKE
    }
    return [(signed[a][0], signed[b][0]) for a, b in sorted(found)]


def _candidates(signatures: Sequence[Signature]) -> Iterator[tuple[int, int]]:
    width = _HASHES // _BANDS
    for band in range(_BANDS):
        held: dict[bytes, list[int]] = defaultdict(list)
        for place, made in enumerate(signatures):
            held[made[band * width : (band + 1) * width].tobytes()].append(place)
        for places in held.values():
            yield from combinations(places[:_CROWD], 2)
