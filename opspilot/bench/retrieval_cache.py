"""Vectors kept between evaluations, by (hash of the text, space): the model runs once for each text."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from opspilot.connectors.ports import Embedder

_TABLE = "CREATE TABLE IF NOT EXISTS vector (key TEXT PRIMARY KEY, value BLOB NOT NULL)"


class KeepingEmbedder:
    """In front of another; `computed` and `kept` count what each gave. One lock: the model is busy
    anyway while it computes."""

    def __init__(self, inner: Embedder, folder: Path | None) -> None:
        self._inner = inner
        self.space, self.dimensions = inner.space, inner.dimensions
        self.computed = self.kept = 0
        self._lock = threading.Lock()
        where: Path | str = ":memory:"
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            where = folder / "vectors.sqlite"
        self._kept = sqlite3.connect(where, check_same_thread=False, isolation_level=None)
        self._kept.execute(_TABLE)

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return self._vectors("passage", list(texts), self._inner.embed_passages)

    def embed_query(self, text: str) -> list[float]:
        return self._vectors("query", [text], lambda one: [self._inner.embed_query(one[0])])[0]

    def _vectors(
        self, kind: str, texts: list[str], compute: Callable[[Sequence[str]], list[list[float]]]
    ) -> list[list[float]]:
        keys = [self._key(kind, text) for text in texts]
        with self._lock:
            found = dict(self._known(keys))
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        made = compute(list(missing.values())) if missing else []
        with self._lock:
            self.kept += len(found)
            self.computed += len(made)
            new = dict(zip(missing, made, strict=True))
            self._kept.executemany(
                "INSERT OR REPLACE INTO vector VALUES (?, ?)",
                [(key, np.array(value, dtype=np.float32).tobytes()) for key, value in new.items()],
            )
        return [(found | new)[key] for key in keys]

    def _known(self, keys: Sequence[str]) -> Iterator[tuple[str, list[float]]]:
        for key in keys:
            row = self._kept.execute("SELECT value FROM vector WHERE key = ?", [key]).fetchone()
            if row:
                yield key, np.frombuffer(row[0], dtype=np.float32).astype(float).tolist()

    def _key(self, kind: str, text: str) -> str:
        return f"{hashlib.sha256(text.encode()).hexdigest()}/{kind}/{self.space}"
