from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "opspilot.accounts"
    label = "accounts"

    def ready(self) -> None:
        """A wrong network or role map stops the process, instead of opening or closing a door."""
        from opspilot.accounts import address, role_map

        address.check_settings()
        role_map.check_settings()
