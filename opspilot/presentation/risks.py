"""A risk in the words of the page, in one place."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

WORDS: dict[str, Promise] = {
    "baixo": gettext_lazy("baixo"),
    "medio": gettext_lazy("médio"),
    "alto": gettext_lazy("alto"),
}


def word(level: object) -> str:
    """The level in words; one that nobody knows as it is written, so that it is seen."""
    return str(WORDS.get(str(level), level))
