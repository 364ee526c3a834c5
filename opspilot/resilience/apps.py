from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class ResilienceConfig(AppConfig):
    name = "opspilot.resilience"
    label = "resilience"

    def ready(self) -> None:
        """With none of these nothing would ever be sent, or all of it at once."""
        for name in ("OPSPILOT_BREAKER_FAILURES", "OPSPILOT_CONNECTOR_SLOTS"):
            if getattr(settings, name) < 1:
                raise ImproperlyConfigured(f"{name} must be at least 1.")
        if settings.OPSPILOT_BREAKER_SECONDS <= 0:
            raise ImproperlyConfigured("OPSPILOT_BREAKER_SECONDS must be more than 0.")
