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


@pytest.mark.parametrize("entry", ["10.0.0.0/99", "*.internal", "Gitlab", "a b"])
def test_a_private_entry_that_is_no_host_and_no_network_stops_the_process(
    settings: Settings, entry: str
) -> None:
    settings.OPSPILOT_EGRESS_PRIVATE = ["127.0.0.1", entry]
    with pytest.raises(ImproperlyConfigured, match="OPSPILOT_EGRESS_PRIVATE") as caught:
        checking.check_settings()
    assert entry in str(caught.value)


@pytest.mark.parametrize("name", ["OPSPILOT_GITLAB_URL", "OPSPILOT_SEMAPHORE_URL"])
@pytest.mark.parametrize("url", ["gitlab.example", "ftp://x.example", "https://a@x.example"])
def test_a_connector_s_address_that_is_none_stops_the_process(
    settings: Settings, name: str, url: str
) -> None:
    setattr(settings, name, url)
    with pytest.raises(ImproperlyConfigured, match=name):
        checking.check_settings()


def test_a_private_address_that_is_not_listed_stops_the_process_before_work_is_blocked(
    settings: Settings,
) -> None:
    settings.OPSPILOT_GITLAB_URL = "http://10.1.2.3:8080"
    with pytest.raises(ImproperlyConfigured, match=r"OPSPILOT_GITLAB_URL: 10\.1\.2\.3"):
        checking.check_settings()
    settings.OPSPILOT_EGRESS_PRIVATE = [*settings.OPSPILOT_EGRESS_PRIVATE, "10.1.0.0/16"]
    checking.check_settings()


def test_a_connector_without_an_address_is_no_fault(settings: Settings) -> None:
    settings.OPSPILOT_GITLAB_URL = ""
    checking.check_settings()
