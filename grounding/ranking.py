"""BM25 as the lexical leg computes it, here and in SQL."""

from __future__ import annotations

from math import log

K1 = 1.2
# Pieces are cut to one size already, so their length says less than a document's (0.75) would.
B = 0.5


def idf(document_frequency: int, chunks: int) -> float:
    """Weight of a term found in `document_frequency` of `chunks`; a term found in none counts too."""
    return log(1 + (chunks - document_frequency + 0.5) / (document_frequency + 0.5))


def bm25(frequency: int, length: int, average_length: float, weight: float) -> float:
    """One term's part of a chunk's score; `length` is the sum of the chunk's frequencies."""
    return weight * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / average_length))
