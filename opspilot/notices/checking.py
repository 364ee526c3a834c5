"""What may leave and to where, as it is read once, when a process starts."""

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
    try:
        listed = egress.private(settings.OPSPILOT_EGRESS_PRIVATE)
    except ValueError as exc:
        raise ImproperlyConfigured(f"OPSPILOT_EGRESS_PRIVATE: {exc}") from exc
    for name in ("OPSPILOT_GITLAB_URL", "OPSPILOT_SEMAPHORE_URL"):
        _check_address(name, getattr(settings, name), listed)


def _check_address(name: str, url: str, listed: egress.Private) -> None:
    """Of an address that names its host, where that leads is seen only when it is asked."""
    if not url:
        return
    try:
        host = egress.base(url).host
    except ValueError as exc:
        raise ImproperlyConfigured(f"{name}: {exc}") from exc
    if egress.is_address(host) and not egress.may_lead_to(host, host, listed=listed):
        raise ImproperlyConfigured(
            f"{name}: {host} is not a public address, and OPSPILOT_EGRESS_PRIVATE does not list it"
        )
