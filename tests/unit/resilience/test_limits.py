"""A limit that lets nothing through, or everything, stops the process."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings


@pytest.mark.parametrize(
    "name", ["OPSPILOT_BREAKER_FAILURES", "OPSPILOT_BREAKER_SECONDS", "OPSPILOT_CONNECTOR_SLOTS"]
)
def test_a_limit_of_nothing_stops_the_process_and_is_named(settings: Settings, name: str) -> None:
    setattr(settings, name, 0)
    with pytest.raises(ImproperlyConfigured, match=name):
        apps.get_app_config("resilience").ready()


def test_the_least_limits_are_accepted(settings: Settings) -> None:
    settings.OPSPILOT_BREAKER_FAILURES = 1
    settings.OPSPILOT_CONNECTOR_SLOTS = 1
    settings.OPSPILOT_BREAKER_SECONDS = 0.001
    apps.get_app_config("resilience").ready()
