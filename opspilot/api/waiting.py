"""Which requests of one process may wait for a change, so that the others get threads, too.

While another company waits, each has one place; a company that waits alone may have them all, and
gives one back when another one comes.
"""

from __future__ import annotations

import threading
from collections import Counter
from uuid import UUID


class Places:
    def __init__(self, number: int) -> None:
        self._number = number
        self._lock = threading.Lock()
        self._taken: Counter[UUID] = Counter()
        self._asked: Counter[UUID] = Counter()  # how many a company is asked to give back

    def take(self, tenant_id: UUID) -> bool:
        """Whether this request may wait; who may must `leave`."""
        with self._lock:
            mine, all_ = self._taken[tenant_id], self._taken.total()
            others = all_ - mine
            if mine and others:
                return False
            if all_ >= self._number:
                self._ask_back(mine)
                return False
            self._taken[tenant_id] += 1
            return True

    def leave(self, tenant_id: UUID) -> None:
        with self._lock:
            self._taken[tenant_id] -= 1
            if self._taken[tenant_id] <= 1:
                del self._asked[tenant_id]
            self._taken += Counter()  # companies nobody waits for are forgotten

    def is_wanted_back(self, tenant_id: UUID) -> bool:
        """Whether another company waits for this one's place: the answer goes out as it is."""
        with self._lock:
            if not self._asked[tenant_id] or self._taken[tenant_id] < 2:
                return False
            self._asked[tenant_id] -= 1
            return True

    def _ask_back(self, mine: int) -> None:
        """Of a company that has more than one, for somebody who has none."""
        (most, held) = self._taken.most_common(1)[0]
        if not mine and held > 1 and self._asked[most] < held - 1:
            self._asked[most] += 1
