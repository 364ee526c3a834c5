"""Nothing that has the focus lies under a bar, and everything is large enough to be hit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from opspilot.bootstrap.instance import Instance
from tests.web.crawl import Visit, kind, one_of_each
from tests.web.people import Person

pytestmark = pytest.mark.browser

# The last is what a window of 1280 × 1024 shows at 400 %: what fits it fits a small phone.
SIZES = [(1280, 720), (320, 256)]
STOPS = 400  # Tabs on one page before we say that the focus goes nowhere
# Where the middle and the corners of what has the focus are looked at, what lies on top there?
_COVERED = """() => {
  const el = document.activeElement;
  if (!el || el === document.body) return null;
  const name = `${el.tagName.toLowerCase()}.${el.className} ${(el.innerText || el.name || "").trim().slice(0, 30)}`;
  const { left, right, top, bottom } = el.getClientRects()[0] || el.getBoundingClientRect();
  const x0 = Math.max(left, 0) + 5, x1 = Math.min(right, innerWidth) - 5;
  const y0 = Math.max(top, 0) + 5, y1 = Math.min(bottom, innerHeight) - 5;
  if (right - left < 2 || x1 < x0 - 8 || y1 < y0 - 8) return `${name}: out of the window`;
  const middle = [(x0 + x1) / 2, (y0 + y1) / 2];
  const corners = [[x0, y0], [x1, y0], [x0, y1], [x1, y1]];
  const hides = ([x, y]) => {
    const hit = document.elementFromPoint(x, y);
    if (!hit) return "nothing";
    const own = hit === el || el.contains(hit) || hit.contains(el) || hit.closest("label")?.control === el;
    return own ? "" : `${hit.tagName.toLowerCase()}.${hit.className}`;
  };
  const hidden = [middle, ...corners].map(hides).filter(Boolean);
  return hidden.length ? `${name}: under ${hidden[0]}` : "";
}"""
_TOUCH = """() => [...document.querySelectorAll(".decide a, .decide button")]
  .filter((el) => el.checkVisibility())
  .map((el) => { const { left, right, top, bottom } = el.getBoundingClientRect();
    return { name: el.innerText.trim(), left, right, top, bottom }; })"""


def _walk(page: Page) -> Iterator[str]:
    """What is covered while the focus goes through the page once."""
    page.evaluate("() => { scrollTo(0, 0); document.activeElement.blur(); }")
    for _stop in range(STOPS):
        page.keyboard.press("Tab")
        found = page.evaluate(_COVERED)
        if found is None:
            return
        if found:
            yield found
    raise AssertionError(f"{page.url}: {STOPS} stops and no end")


def test_nothing_is_covered_while_the_focus_goes_through_each_page(
    visits: list[Visit], everybody: dict[str, Person]
) -> None:
    covered = {}
    for visit in one_of_each(visits):
        page = everybody[visit.person].page
        everybody[visit.person].open(visit.path)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if found := list(_walk(page)):
                covered[f"{kind(visit.path)} at {width}×{height}"] = found
    assert covered == {}


def test_a_bar_laid_over_the_page_is_found(visitor: Person) -> None:
    """The control of the test above."""
    visitor.open("/conta/entrar/")
    visitor.page.evaluate(
        "() => { const bar = document.createElement('div'); bar.className = 'laid';"
        " Object.assign(bar.style, { position: 'fixed', inset: 0 }); document.body.append(bar); }"
    )
    assert any("under div.laid" in found for found in _walk(visitor.page))


@pytest.fixture
def on_a_phone(console: Instance, chromium: Browser, aprovador: Person) -> Iterator[Person]:
    person = Person(chromium, console, like=aprovador, touch=True)
    yield person
    person.leave()


@pytest.mark.parametrize("strip", ["", "?decidir=aprovar", "?decidir=recusar"])
def test_what_decides_is_48_pixels_tall_and_24_apart_under_a_finger(
    on_a_phone: Person, pending: str, strip: str
) -> None:
    on_a_phone.open(pending + strip)
    buttons = on_a_phone.page.evaluate(_TOUCH)
    assert len(buttons) >= 2
    assert [b for b in buttons if b["bottom"] - b["top"] < 48 or b["right"] - b["left"] < 48] == []
    near = [
        (one["name"], other["name"])
        for i, one in enumerate(buttons)
        for other in buttons[i + 1 :]
        if _gap(one, other) < 24
    ]
    assert near == []


def _gap(one: dict[str, float], other: dict[str, float]) -> float:
    """Pixels between two boxes, along the axis on which they are further apart."""
    across = max(one["left"], other["left"]) - min(one["right"], other["right"])
    down = max(one["top"], other["top"]) - min(one["bottom"], other["bottom"])
    return max(across, down)
