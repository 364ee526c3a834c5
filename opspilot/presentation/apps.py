from __future__ import annotations

from functools import lru_cache

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import trans_real

WORDS = 8192  # texts whose translation is remembered


class PresentationConfig(AppConfig):
    """How values look on a page: template tags, number and date formats. No models."""

    name = "opspilot.presentation"
    label = "presentation"

    def ready(self) -> None:
        """Of the language the words are written in, the catalogues hold nothing: each word would be
        looked for in all of them, some two hundred times for one page."""
        source = trans_real.translation(settings.LANGUAGE_CODE)
        vars(source)["gettext"] = lru_cache(maxsize=WORDS)(source.gettext)
