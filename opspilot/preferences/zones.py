"""The time zones a person may choose: Brazil's first, then every place of the zone database."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from zoneinfo import available_timezones

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from opspilot.presentation.formats import offset_text
from opspilot.tenancy.preferences import zone_named

Choice = tuple[str, str | Promise]
Group = tuple[str | Promise, list[Choice]]

_BRAZIL = (
    "America/Sao_Paulo",
    "America/Bahia",
    "America/Fortaleza",
    "America/Recife",
    "America/Maceio",
    "America/Araguaina",
    "America/Belem",
    "America/Santarem",
    "America/Manaus",
    "America/Cuiaba",
    "America/Campo_Grande",
    "America/Porto_Velho",
    "America/Boa_Vista",
    "America/Rio_Branco",
    "America/Eirunepe",
    "America/Noronha",
)
_REGIONS: dict[str, str | Promise] = {
    "Africa": _("África"),
    "America": _("América"),
    "Antarctica": _("Antártida"),
    "Arctic": _("Ártico"),
    "Asia": _("Ásia"),
    "Atlantic": _("Atlântico"),
    "Australia": _("Austrália"),
    "Europe": _("Europa"),
    "Indian": _("Índico"),
    "Pacific": _("Pacífico"),
}


def choices() -> list[Choice | Group]:
    """As a select takes them: the console's own zone, Brazil with its offsets, the regions, UTC."""
    console = _("Do console (%(zone)s)") % {"zone": settings.TIME_ZONE}
    brazil: list[Choice] = [(name, _with_offset(name)) for name in _BRAZIL if name in _names()]
    return [("", console), (_("Brasil"), brazil), *_regions(), ("UTC", "UTC")]


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones())


def _regions() -> list[Group]:
    others = sorted(n for n in _names() - set(_BRAZIL) if n.partition("/")[0] in _REGIONS)
    return [
        (_REGIONS[region], [(name, _place(name)) for name in found])
        for region, found in groupby(others, lambda name: name.partition("/")[0])
    ]


def _place(name: str) -> str:
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")


def _with_offset(name: str) -> str:
    return f"{_place(name)} ({offset_text(timezone.localtime(timezone=zone_named(name)))})"
