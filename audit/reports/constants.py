"""What every query may name without anybody asking for it: the zone of days, and the vocabulary's
own lists. An action that is registered later is in every report without a new file."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from audit.vocabulary import ACTIONS


def of_every_query() -> dict[str, Any]:
    return {
        "zone": timezone.get_default_timezone_name(),
        "effects": [name for name, action in ACTIONS.items() if action.effect],
        "useful": [name for name, action in ACTIONS.items() if action.useful],
    }
