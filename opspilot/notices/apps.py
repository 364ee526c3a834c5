from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "opspilot.notices"
    label = "notices"

    def ready(self) -> None:
        """An entry that is not a place stops the process, instead of allowing none or too many."""
        from opspilot.notices import checking

        checking.check_settings()
