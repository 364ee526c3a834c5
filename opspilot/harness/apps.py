from __future__ import annotations

from django.apps import AppConfig


class HarnessConfig(AppConfig):
    name = "opspilot.harness"
