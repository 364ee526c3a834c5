"""Follows the links of the console as one person and looks at each kind of page once."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl

from opspilot.smoke.pages import Element, Page
from tests.web.people import Person

WIDTHS = (320, 390, 640, 820, 1280)  # the fourth: a tablet held upright
LIMIT = 80  # kinds of pages per person; the console has fewer
# Parameters whose value makes another page; of the others it is told only that there are some.
FACES = {"decidir": "", "estado": "", "ver": "", "fila": "/aprovacoes/"}
MEASURES = (Path(__file__).parent / "measures.js").read_text(encoding="utf-8")
LOOKS: dict[str, tuple[Literal["light", "dark"], Literal["more", "no-preference"]]] = {
    "light": ("light", "no-preference"),
    "dark": ("dark", "no-preference"),
    "contrast": ("light", "more"),
}
SCREENS = Path(__file__).parents[2] / ".screens"  # kept out of the repository
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
_FACTS = """() => ({
  title: document.title,
  text: document.body.innerText,
  headings: document.querySelectorAll("h1").length,
  first_stop: document.querySelector(
    "a[href],button,input:not([type=hidden]),select,textarea,summary")?.className || "",
})"""
_LINKS = """nodes => nodes.filter(node => !node.closest("[hidden]")).map(node => node.getAttribute("href"))"""
# The browser keeps the reports of a page and gives them to whoever asks later, too.
_REPORTS = """async () => {
  const found = [];
  const observer = new ReportingObserver(
    (reports) => found.push(...reports.map((r) => `${r.body.effectiveDirective} ${r.body.sample}`)),
    { types: ["csp-violation"], buffered: true });
  observer.observe();
  await new Promise((resolve) => setTimeout(resolve, 0));
  return found;
}"""


@dataclass(frozen=True, slots=True)
class Measures:
    """Of a page at one width."""

    wider: int  # pixels beyond the window
    small: list[str]  # what is pressed and is less than 24 px either way
    cut: list[str]  # controls whose words do not fit
    overlaps: list[str]  # items of the top bar that lie on each other


@dataclass(frozen=True, slots=True)
class Visit:
    person: str
    path: str
    status: int
    policy: str
    title: str
    text: str
    html: str
    telling: bool  # it shows a piece that no visit before it did
    headings: int
    first_stop: str
    at: dict[int, Measures]  # by width
    complaints: list[str]
    reports: list[str]

    @property
    def page(self) -> Page:
        return Page(self.html, status=self.status, url=self.path)


@dataclass
class Pieces:
    """What has been seen so far, by tag and class: of the frame anywhere, of the rest by address."""

    seen: dict[str, set[tuple[str, str]]] = field(default_factory=dict)

    def grow(self, path: str, page: Page) -> bool:
        """Whether this page holds any that is new."""
        tags = [element.tag for element in page.elements]
        end = tags.index("main") if "main" in tags else 0
        frame, rest = page.elements[:end], page.elements[end:]
        address = kind(path).partition("?")[0]
        return any([self._grow("frame", frame), self._grow(address, rest)])

    def _grow(self, place: str, elements: list[Element]) -> bool:
        pieces = {(e.tag, e.attributes.get("class", "")) for e in elements}
        known = self.seen.setdefault(place, set())
        new = not pieces <= known
        known |= pieces
        return new


def crawl(person: Person, starts: Sequence[str], known: Pieces) -> list[Visit]:
    """Each start, and each kind of page linked from them."""
    queue, visits, seen = list(starts), list[Visit](), set[str]()
    while queue and len(visits) < LIMIT:
        path = queue.pop(0).partition("#")[0]
        if kind(path) in seen and len(visits) >= len(starts):
            continue
        seen.add(kind(path))
        visits.append(look(person, path, known))
        links = person.page.locator("a[href^='/']:not([download]), a[href^='?']:not([download])")
        hrefs = links.evaluate_all(_LINKS)
        queue += [href if href.startswith("/") else path.partition("?")[0] + href for href in hrefs]
    return visits


def kind(path: str) -> str:
    """The address with what differs between two pages of one kind taken out."""
    address, _, query = _ID.sub("ID", path).partition("?")
    parameters = parse_qsl(query, keep_blank_values=True)
    shown = {f"{n}={v}" for n, v in parameters if n in FACES and FACES[n] in ("", address)}
    if len(parameters) > len(shown):
        shown.add("…")
    return f"{address}?{'&'.join(sorted(shown))}" if shown else address


def one_of_each(visits: Sequence[Visit]) -> list[Visit]:
    """The fullest page of each address and of each decision."""
    chosen: dict[str, Visit] = {}
    for visit in visits:
        address, _, query = kind(visit.path).partition("?")
        name = f"{address}?{query}" if "decidir=" in query else address
        if name not in chosen or len(visit.html) > len(chosen[name].html):
            chosen[name] = visit
    return list(chosen.values())


def look(person: Person, path: str, known: Pieces) -> Visit:
    """At every width where it shows something new, else only at the least."""
    heard = len(person.complaints)
    response = person.open(path)
    html = response.text()
    telling = known.grow(path, Page(html))
    at = {width: measure(person, width) for width in (WIDTHS if telling else WIDTHS[:1])}
    if os.environ.get("TEST_SCREENS"):
        _photograph(person, path)
    return Visit(
        person=person.name,
        path=path,
        status=response.status,
        policy=response.headers.get("content-security-policy", ""),
        html=html,
        telling=telling,
        at=at,
        **person.page.evaluate(_FACTS),
        reports=person.page.evaluate(_REPORTS),
        complaints=person.complaints[heard:],
    )


def measure(person: Person, width: int) -> Measures:
    person.page.set_viewport_size({"width": width, "height": 800})
    return Measures(**person.page.evaluate(MEASURES))


def _photograph(person: Person, path: str) -> None:
    SCREENS.mkdir(exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", f"{person.name} {kind(path)}".lower()).strip("-")
    for look, (scheme, contrast) in LOOKS.items():
        person.page.emulate_media(color_scheme=scheme, contrast=contrast)
        for width in (390, 1280):
            person.page.set_viewport_size({"width": width, "height": 800})
            file = SCREENS / f"{name}-{width}-{look}.png"
            person.page.screenshot(path=file, full_page=True)
    person.page.emulate_media(color_scheme="light", contrast="no-preference")
