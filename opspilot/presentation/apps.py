from __future__ import annotations

from django.apps import AppConfig


class PresentationConfig(AppConfig):
    """How values look on a page: template tags, number and date formats. No models."""

    name = "opspilot.presentation"
    label = "presentation"
