"""The egress list as it is read once, when a process starts."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from opspilot.connectors import egress
from opspilot.connectors.errors import NotAllowedError


def check_settings() -> None:
    for text in settings.OPSPILOT_EGRESS_HTTP:
        try:
            egress.entry(text)
        except (ValueError, NotAllowedError) as exc:
            raise ImproperlyConfigured(
                f"OPSPILOT_EGRESS_HTTP: {text} is not a host with an optional port and path"
            ) from exc
