"""The moment before which an approved action is not to be carried out, as its requester chose it."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.translation import gettext as _

from approvals.stops.calendar import Calendar
from approvals.stops.stop_errors import ScheduleError

FIELD = "executar_de"  # of the action, so that the hash covers it; the column says the same
_UTC = "%Y-%m-%dT%H:%M:%SZ"


def zone_of(calendar: Calendar | None) -> ZoneInfo:
    """The company's zone: its policy's, else the console's."""
    return calendar.zone if calendar else ZoneInfo(settings.TIME_ZONE)


def typed(wall: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """A time of the company's clock as a moment. Raises ScheduleError for one that the clock skips
    or shows twice, since nobody could tell which was meant, and for one no calendar has."""
    try:
        first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(dt.UTC) for fold in (0, 1))
    except OverflowError as exc:
        raise ScheduleError from exc
    if first != second:
        raise ScheduleError(_("O relógio pula ou repete este horário; escolha outro."))
    return first


def within(
    moment: dt.datetime, *, now: dt.datetime, until: dt.datetime, zone: ZoneInfo
) -> dt.datetime:
    """The moment to the second, or ScheduleError: it is over, or later than it may be done.

    The refusal names the latest moment, by the company's clock."""
    if not now < moment <= until:
        said = _("O horário precisa ser futuro e, pela política, no máximo %(latest)s.")
        raise ScheduleError(said % {"latest": words(until, zone)})
    return _to_the_second(moment)


def kept(moment: dt.datetime | None) -> dt.datetime | None:
    """What an action keeps of a chosen moment."""
    return None if moment is None else _to_the_second(moment)


def _to_the_second(moment: dt.datetime) -> dt.datetime:
    return moment.astimezone(dt.UTC).replace(microsecond=0)


def written(moment: dt.datetime) -> str:
    """As it stands in the action: one text for one moment."""
    return moment.astimezone(dt.UTC).strftime(_UTC)


def of(action: dict[str, Any]) -> dt.datetime | None:
    """What `written` wrote; None where nothing was chosen. Raises ValueError for an altered one."""
    text = action.get(FIELD)
    return None if text is None else dt.datetime.strptime(text, _UTC).replace(tzinfo=dt.UTC)


def words(moment: dt.datetime, zone: ZoneInfo) -> str:
    """With its zone: "01/12/2026 08:00 (America/Sao_Paulo, UTC-03:00)"."""
    local = moment.astimezone(zone)
    offset = local.strftime("%z")
    return f"{local:%d/%m/%Y %H:%M} ({zone.key}, UTC{offset[:3]}:{offset[3:5]})"
