"""Follows the links of the console as one person and looks at each kind of page once."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.web.people import Person

WIDTHS = (320, 1280)
LIMIT = 30  # kinds of pages per person; the console has fewer
SCREENS = Path(__file__).parents[2] / ".screens"  # kept out of the repository
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
_FIRST_STOP = """() => document.querySelector(
  'a[href],button,input:not([type=hidden]),select,textarea,summary').className"""
_LINKS = "nodes => nodes.map(node => node.getAttribute('href'))"
_WIDER = "() => document.documentElement.scrollWidth - window.innerWidth"


@dataclass(frozen=True, slots=True)
class Visit:
    person: str
    path: str
    status: int
    policy: str
    text: str
    html: str
    headings: int
    first_stop: str
    wider: dict[int, int]  # pixels beyond the window, by its width
    complaints: list[str]


def crawl(person: Person, starts: Sequence[str], seen: set[str]) -> list[Visit]:
    """Each start, and each kind of page linked from them that is not in `seen`, which grows."""
    queue, visits = list(starts), list[Visit]()
    while queue and len(visits) < LIMIT:
        path = queue.pop(0).partition("#")[0]
        if kind(path) in seen and len(visits) >= len(starts):
            continue
        seen.add(kind(path))
        visits.append(_look(person, path))
        hrefs = person.page.locator("a[href^='/'], a[href^='?']").evaluate_all(_LINKS)
        queue += [href if href.startswith("/") else path.partition("?")[0] + href for href in hrefs]
    return visits


def kind(path: str) -> str:
    """The address with what differs between two pages of one kind taken out."""
    return re.sub(r"=\d+", "=", _ID.sub("ID", path))


def _look(person: Person, path: str) -> Visit:
    heard = len(person.complaints)
    response = person.open(path)
    wider = {}
    for width in WIDTHS:
        person.page.set_viewport_size({"width": width, "height": 800})
        wider[width] = int(person.page.evaluate(_WIDER))
    if os.environ.get("TEST_SCREENS"):
        _photograph(person, path)
    return Visit(
        person=person.name,
        path=path,
        status=response.status,
        policy=response.headers.get("content-security-policy", ""),
        text=person.page.locator("body").inner_text(),
        html=response.text(),
        headings=person.page.locator("h1").count(),
        first_stop=str(person.page.evaluate(_FIRST_STOP)),
        wider=wider,
        complaints=person.complaints[heard:],
    )


def _photograph(person: Person, path: str) -> None:
    SCREENS.mkdir(exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", f"{person.name} {kind(path)}".lower()).strip("-")
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for width in (390, 1280):
            person.page.set_viewport_size({"width": width, "height": 800})
            file = SCREENS / f"{name}-{width}-{scheme}.png"
            person.page.screenshot(path=file, full_page=True)
    person.page.emulate_media(color_scheme="light")
