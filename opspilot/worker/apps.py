from __future__ import annotations

from django.apps import AppConfig


class WorkerConfig(AppConfig):
    name = "opspilot.worker"
