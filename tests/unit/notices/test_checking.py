"""An egress list that cannot be read stops the process."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from opspilot.notices import checking


def test_a_list_of_places_is_accepted(settings: Settings) -> None:
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com", "http://127.0.0.1:9000"]
    checking.check_settings()


@pytest.mark.parametrize("entry", ["10.0.0.1", "*.example.com", "hooks.example.com:99999", "x"])
def test_an_entry_that_is_no_place_stops_the_process_and_is_named(
    settings: Settings, entry: str
) -> None:
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com", entry]
    with pytest.raises(ImproperlyConfigured, match="OPSPILOT_EGRESS_HTTP") as caught:
        checking.check_settings()
    assert entry in str(caught.value)
