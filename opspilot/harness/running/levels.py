"""The coverage of a whole try: looking again with other words does not wash away a poor search."""

from __future__ import annotations

from collections.abc import Sequence

from grounding.retrieval.coverage import Level

_WORST_FIRST: tuple[Level, ...] = ("nenhuma", "baixa", "media", "alta")


def of_try(searched: Sequence[Level]) -> Level | None:
    """The worst of the searches, where the last one found nothing or each found something. A search
    that found nothing before one that did leaves "baixa". None: nothing was searched."""
    if not searched:
        return None
    *_earlier, last = searched
    worst = min(searched, key=_WORST_FIRST.index)
    return "baixa" if worst == "nenhuma" != last else worst
