"""How one person wants the console: kept on their row, so it is the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Theme(TextChoices):
    SYSTEM = "system", _("Do sistema")
    LIGHT = "light", _("Claro")
    DARK = "dark", _("Escuro")


class Contrast(TextChoices):
    """Normal still follows a system that asks for more."""

    NORMAL = "normal", _("Normal")
    MORE = "more", _("Maior")


class Density(TextChoices):
    COMFORTABLE = "comfortable", _("Confortável")
    COMPACT = "compact", _("Compacta")


@dataclass(frozen=True, slots=True)
class Preferences:
    """What holds for somebody who has chosen nothing, and for whoever has not logged in."""

    language: str = ""
    """A Django language code; empty means what the browser asks for."""
    time_zone: str = ""
    """A name of the zone database; empty means the console's own zone."""
    theme: str = Theme.SYSTEM.value
    contrast: str = Contrast.NORMAL.value
    density: str = Density.COMFORTABLE.value
    shortcuts: bool = True
    next_item: bool = True
    """After a decision the next item of the queue opens; otherwise the queue itself."""
    mail_notices: bool = True
    """Letters about what waits. What is stuck (given to another role, unknown) is told all the same."""

    @property
    def zone(self) -> ZoneInfo | None:
        """None for the console's zone, and for a name this machine's database does not have."""
        return zone_named(self.time_zone) if self.time_zone else None

    @property
    def color_scheme(self) -> str:
        """What the browser draws its own controls in, before any style is read."""
        return "light dark" if self.theme == Theme.SYSTEM else self.theme


@cache
def zone_named(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
