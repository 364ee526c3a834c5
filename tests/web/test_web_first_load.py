"""The first page is small, and everything on it is ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser

from opspilot.bootstrap.instance import Instance
from tests.web.people import Person

pytestmark = pytest.mark.browser

LIMIT = 250_000  # bytes over the wire, headers included


@dataclass
class Traffic:
    """What the network says it carried for one page, by address."""

    addresses: dict[str, str] = field(default_factory=dict)
    carried: dict[str, float] = field(default_factory=dict)

    def asked(self, event: dict[str, Any]) -> None:
        self.addresses[event["requestId"]] = event["request"]["url"]

    def ended(self, event: dict[str, Any]) -> None:
        address = self.addresses.get(event["requestId"], event["requestId"])
        self.carried[address] = event["encodedDataLength"]

    @property
    def total(self) -> float:
        return sum(self.carried.values())


def _first_load(person: Person, path: str) -> Traffic:
    """With nothing in the cache, to the last byte."""
    traffic, session = Traffic(), person.context.new_cdp_session(person.page)
    listeners: dict[str, Callable[[dict[str, Any]], None]] = {
        "Network.requestWillBeSent": traffic.asked,
        "Network.loadingFinished": traffic.ended,
    }
    for name, listener in listeners.items():
        session.on(name, listener)
    session.send("Network.enable")
    person.page.goto(path, wait_until="networkidle")
    return traffic


@pytest.mark.parametrize("path", ["/conta/entrar/", "/", "/aprovacoes/"])
def test_a_first_load_carries_at_most_250_kb(
    console: Instance, chromium: Browser, aprovador: Person, path: str
) -> None:
    person = Person(chromium, console, like=None if path == "/conta/entrar/" else aprovador)
    traffic = _first_load(person, path)
    person.leave()
    assert len(traffic.carried) >= 5, traffic.carried
    assert traffic.total <= LIMIT, traffic.carried
    print(f"{path}: {traffic.total:.0f} bytes in {len(traffic.carried)} answers")


def test_a_second_page_carries_only_itself(
    console: Instance, chromium: Browser, aprovador: Person
) -> None:
    person = Person(chromium, console, like=aprovador)
    _first_load(person, "/")
    second = _first_load(person, "/aprovacoes/")
    person.leave()
    assert max(second.carried, key=lambda url: second.carried[url]).endswith("/aprovacoes/")
    assert second.total < 100_000, second.carried
