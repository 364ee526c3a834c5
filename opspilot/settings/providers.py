"""The models that may be asked, in the order in which they are tried."""

from __future__ import annotations

import json
import re
from typing import Any

from django.core.exceptions import ImproperlyConfigured

_REQUIRED = {"name", "url", "model"}
_KNOWN = _REQUIRED | {"key", "timeout", "most_tokens", "route"}
_ROUTES = ("standard", "cheap")
PLANNERS = ("rules", "model")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")


def providers(text: str) -> tuple[dict[str, Any], ...]:
    """OPSPILOT_PROVIDERS: a JSON list of `name`, `url`, `model` and, where they differ from what is
    usual, `key`, `timeout` (seconds), `most_tokens` and `route`. Anything else stops the process."""
    try:
        found = json.loads(text or "[]")
    except ValueError as exc:
        raise ImproperlyConfigured("OPSPILOT_PROVIDERS is no JSON.") from exc
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ImproperlyConfigured("OPSPILOT_PROVIDERS must be a list of JSON objects.")
    made = tuple(_provider(one) for one in found)
    if len({one["name"] for one in made}) < len(made):
        raise ImproperlyConfigured("OPSPILOT_PROVIDERS names a provider twice.")
    return made


def planner(text: str, known: tuple[dict[str, Any], ...]) -> str:
    """OPSPILOT_PLANNER: who proposes a run's next step. A model that is not there stops the process:
    the rules do not quietly take its place."""
    if text not in PLANNERS:
        raise ImproperlyConfigured("OPSPILOT_PLANNER is rules or model.")
    if text == "model" and not known:
        raise ImproperlyConfigured("OPSPILOT_PLANNER is model, and OPSPILOT_PROVIDERS names none.")
    return text


def _provider(given: dict[str, Any]) -> dict[str, Any]:
    missing, unknown = _REQUIRED - given.keys(), given.keys() - _KNOWN
    if missing or unknown:
        wrong = ", ".join([*(f"no {one}" for one in sorted(missing)), *sorted(unknown)])
        raise ImproperlyConfigured(f"OPSPILOT_PROVIDERS: {wrong}.")
    if not all(isinstance(given[one], str) for one in ("name", "url", "model")):
        raise ImproperlyConfigured("OPSPILOT_PROVIDERS: name, url and model are texts.")
    if not _NAME.fullmatch(given["name"]):
        raise ImproperlyConfigured(
            "OPSPILOT_PROVIDERS: a name has small letters, digits and hyphens."
        )
    timeout, most = given.get("timeout", 30), given.get("most_tokens", 900)
    if not _is_number(timeout, 1, 50) or not _is_number(most, 50, 8_000):
        raise ImproperlyConfigured(
            "OPSPILOT_PROVIDERS: timeout lies between 1 and 50 seconds, most_tokens between 50 and 8000."
        )
    if given.get("route", "standard") not in _ROUTES:
        raise ImproperlyConfigured("OPSPILOT_PROVIDERS: route is standard or cheap.")
    return {
        **given,
        "key": str(given.get("key", "")),
        "timeout": float(timeout),
        "most_tokens": most,
    }


def _is_number(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
