from __future__ import annotations

from django.apps import AppConfig


class GroundingConfig(AppConfig):
    name = "grounding"
