"""The half of `bench audit` that runs as the application itself, in the throw-away instance.

Not a management command: it writes, seals and lets months go, which nobody should do to a company by
a slip.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import django


def main(arguments: list[str]) -> None:
    """STAGE [REQUESTS]; ends with one JSON object. What is imported in the functions needs Django to
    be set up first."""
    django.setup()
    stage, *rest = arguments
    found = STAGES[stage](*map(int, rest))
    sys.stdout.write(json.dumps(found) + "\n")


def _prepare() -> dict[str, Any]:
    from opspilot.bench import audit_cast

    return {
        "tenant": str(audit_cast.prepare()),
        **{name: str(audit_cast.ref(name)) for name in ("small", "middle", "large", "huge")},
    }


def _touched() -> dict[str, Any]:
    from opspilot.bench import audit_reading

    return audit_reading.touched()


def _reading(requests: int) -> dict[str, Any]:
    from opspilot.bench import audit_reading

    return audit_reading.measure(requests)


def _flips() -> dict[str, Any]:
    from opspilot.bench import audit_reading

    return audit_reading.flips()


def _writing() -> dict[str, Any]:
    from opspilot.bench import audit_writing

    return audit_writing.measure()


def _export() -> dict[str, Any]:
    from opspilot.bench import audit_export

    return audit_export.measure()


def _sealing() -> dict[str, Any]:
    from opspilot.bench import audit_sealing

    return audit_sealing.measure()


def _months() -> dict[str, Any]:
    from opspilot.bench import audit_months

    return audit_months.measure()


STAGES: dict[str, Callable[..., dict[str, Any]]] = {
    "prepare": _prepare,
    "touched": _touched,
    "reading": _reading,
    "flips": _flips,
    "writing": _writing,
    "export": _export,
    "sealing": _sealing,
    "months": _months,
}

if __name__ == "__main__":
    main(sys.argv[1:])
