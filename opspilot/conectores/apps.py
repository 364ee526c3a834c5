from __future__ import annotations

from django.apps import AppConfig


class ConectoresConfig(AppConfig):
    name = "opspilot.conectores"
    label = "conectores"
