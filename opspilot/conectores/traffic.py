"""How a remote fares by what all processes know together: its breaker, and the calls under way."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence

from django.conf import settings
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from opspilot.presentation.shapes import Fact
from opspilot.resilience.models import Breaker, BreakerState, Slot


def of_model(provider: str) -> str:
    """The name under which calls of this provider are guarded."""
    return f"model:{provider}"


def facts(names: Sequence[str], now: dt.datetime) -> dict[str, list[Fact]]:
    """By name. Calls are those of all companies together."""
    breakers = {row.connector: row for row in Breaker.objects.filter(connector__in=names)}
    held = Slot.objects.filter(connector__in=names, until__gt=Now())
    used = Counter(held.values_list("connector", flat=True))
    return {name: [breaker(breakers.get(name), now), _calls(used[name])] for name in names}


def breaker(found: Breaker | None, now: dt.datetime) -> Fact:
    """Open: nothing is sent until then. Over that time it waits for one call that tries."""
    label = _("Disjuntor")
    if found is None or found.state == BreakerState.CLOSED or found.opened_at is None:
        return Fact(label, _("fechado"), state="done")
    until = found.opened_at + dt.timedelta(seconds=settings.OPSPILOT_BREAKER_SECONDS)
    if until <= now:
        return Fact(label, _("espera por uma chamada de teste"), state="attention")
    return Fact(label, _("aberto"), _("nada é enviado até lá"), at=until, state="failed")


def _calls(used: int) -> Fact:
    most = settings.OPSPILOT_CONNECTOR_SLOTS
    return Fact(_("Chamadas em curso"), _("%(used)s de %(most)s") % {"used": used, "most": most})
