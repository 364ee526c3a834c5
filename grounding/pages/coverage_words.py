"""Coverage in words: its level, how it is drawn, and each reason."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from opspilot.presentation.shapes import State

_LEVELS: dict[str, tuple[State, Promise]] = {
    "alta": ("done", gettext_lazy("alta")),
    "media": ("done", gettext_lazy("média")),
    "baixa": ("attention", gettext_lazy("baixa")),
    "nenhuma": ("pending", gettext_lazy("nenhuma")),
}
_REASONS: dict[str, Promise] = {
    "terms_found": gettext_lazy("os termos da pergunta estão nos trechos"),
    "terms_missing": gettext_lazy("parte dos termos da pergunta não está nos trechos"),
    "close_passage": gettext_lazy("há um trecho de sentido próximo"),
    "no_close_passage": gettext_lazy("nenhum trecho tem sentido próximo"),
    "legs_agree": gettext_lazy("busca por palavras e por sentido acharam o mesmo runbook"),
    "legs_disagree": gettext_lazy("busca por palavras e por sentido acharam runbooks diferentes"),
    "unknown_identifier": gettext_lazy("há identificadores que nenhum runbook tem"),
    "languages_differ": gettext_lazy("pergunta e runbook estão em línguas diferentes"),
    "nothing_found": gettext_lazy("nada foi encontrado"),
}


def level(code: str) -> tuple[State, str]:
    """How it is drawn, and its word."""
    drawn, word = _LEVELS[code]
    return drawn, str(word)


def reasons(codes: Sequence[str]) -> list[str]:
    return [str(_REASONS.get(code, code)) for code in codes]
