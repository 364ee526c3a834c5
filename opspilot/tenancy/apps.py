from __future__ import annotations

from django.apps import AppConfig


class TenancyConfig(AppConfig):
    name = "opspilot.tenancy"
    label = "tenancy"
