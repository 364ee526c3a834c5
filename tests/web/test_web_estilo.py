"""The pieces of the style page look as they did.

A picture is compared by the mean colour of small squares: the smoothing of letters differs between
machines and disappears in a mean; a piece that moves, grows or changes its colour does not. A hairline
that only changes its shade is too little to be seen this way.
With TEST_BASELINES=1 (`poe baselines`) the kept pictures are written anew instead; look at them before
you keep them."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page

from opspilot.bootstrap.instance import Instance
from tests.web.people import Person

pytestmark = pytest.mark.browser

BASELINES = Path(__file__).parent / "baselines"
SECTIONS = (
    *("temas", "cores", "tipo", "icones", "botoes", "estados"),
    *("campos", "tabelas", "evidencia", "historia", "graficos", "decidir"),
)
LOOKS = {"light": ("light", "normal"), "dark": ("dark", "normal"), "contrast": ("light", "more")}
WIDTHS = (1280, 390)
SHRINK = 4  # pixels of the page to one of the kept picture, each way
SQUARE = 4  # pixels of the kept picture whose mean is compared, each way
TOLERANCE = 16  # of 255, in the worst channel of the worst square
MOST_KEPT = 600_000  # bytes of all kept pictures
COLOURS = 256  # of a kept picture
Photographs = dict[tuple[str, int], dict[str, Image.Image]]
_BOX = """name => { const box = document.getElementById(name).getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom].map(Math.round); }"""
_LENGTHEN = """body => { for (let i = 0; i < 5; i++)
  body.append(...[...body.rows].map(row => row.cloneNode(true))); }"""


@dataclass(frozen=True, slots=True)
class Difference:
    """How far two pictures are apart; `size` is of the section itself, in pixels of the page."""

    size: int
    colour: int

    @property
    def is_seen(self) -> bool:
        return self.size > SHRINK or self.colour > TOLERANCE


@pytest.fixture(scope="module")
def page(operador: Person) -> Iterator[Page]:
    page = operador.context.new_page()
    page.goto("/estilo/")
    _settle(page)
    yield page
    page.close()


def _settle(page: Page) -> None:
    """Letters that are the same on every machine, and nothing focused."""
    page.evaluate("() => document.documentElement.style.setProperty('--mono', 'var(--sans)')")
    page.evaluate("() => document.fonts.ready.then(() => document.activeElement.blur())")


def _wear(page: Page, look: str, width: int) -> None:
    theme, contrast = LOOKS[look]
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate(
        "([theme, contrast]) => Object.assign(document.documentElement.dataset, {theme, contrast})",
        [theme, contrast],
    )


def _pictures(page: Page) -> dict[str, Image.Image]:
    """Each section, cut out of one picture of the whole page and made small. Photographed one by
    one they would be scrolled to, and now and then a part is not painted in time."""
    page.evaluate("() => window.scrollTo(0, 0)")
    shot = page.screenshot(full_page=True, animations="disabled", caret="hide")
    whole = Image.open(io.BytesIO(shot)).convert("RGB")
    return {name: _small(whole.crop(tuple(page.evaluate(_BOX, name)))) for name in SECTIONS}


def _small(image: Image.Image) -> Image.Image:
    return image.resize((image.width // SHRINK, image.height // SHRINK), Image.Resampling.BOX)


@pytest.fixture(scope="module")
def photographed(page: Page) -> Photographs:
    """The sections in each look and width."""
    found = {}
    for look, width in product(LOOKS, WIDTHS):
        _wear(page, look, width)
        found[look, width] = _pictures(page)
    return found


def _difference(one: Image.Image, other: Image.Image) -> Difference:
    size = max(abs(one.width - other.width), abs(one.height - other.height)) * SHRINK
    box = (0, 0, min(one.width, other.width), min(one.height, other.height))
    squares = (max(box[2] // SQUARE, 1), max(box[3] // SQUARE, 1))
    first, second = (
        image.crop(box).resize(squares, Image.Resampling.BOX) for image in (one, other)
    )
    worst = ImageChops.difference(first, second).convert("RGB")
    return Difference(size=size, colour=max(worst.tobytes()))


def _kept(section: str, look: str, width: int) -> Path:
    return BASELINES / f"{section}-{look}-{width}.png"


def _keep(image: Image.Image, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(path, optimize=True)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_looks_as_it_did(
    photographed: Photographs,
    section: str,
    look: str,
    width: int,
) -> None:
    image, kept = photographed[look, width][section], _kept(section, look, width)
    if os.environ.get("TEST_BASELINES"):
        _keep(image, kept)
    difference = _difference(image, Image.open(kept).convert("RGB"))
    assert not difference.is_seen, f"{difference}; `poe baselines` if it was meant"


@pytest.mark.parametrize(
    ("section", "token", "value"),
    [
        ("botoes", "--accent", "#13885a"),  # another colour
        ("estados", "--ok-tint", "#c9e9cf"),  # a shade
        ("campos", "--hit", "36px"),  # 4 px higher
        ("graficos", "--pad", "11px"),  # 2 px more air
        ("historia", "--unknown-tint", "#e3f4e6"),  # one badge
        ("campos", "--sans", "serif"),  # another face
        ("evidencia", "--sunken", "#d9dee7"),  # a shade of grey
    ],
)
def test_a_changed_token_is_seen(
    page: Page,
    photographed: Photographs,
    section: str,
    token: str,
    value: str,
) -> None:
    _wear(page, "light", 1280)
    style = "document.documentElement.style"
    page.evaluate(f"([name, value]) => {style}.setProperty(name, value)", [token, value])
    try:
        changed = _pictures(page)[section]
    finally:
        page.evaluate(f"name => {style}.removeProperty(name)", token)
    assert _difference(photographed["light", 1280][section], changed).is_seen


def test_the_same_page_twice_is_the_same_picture(page: Page, photographed: Photographs) -> None:
    page.reload()
    _settle(page)
    _wear(page, "dark", 390)
    again = _pictures(page)
    assert not any(
        _difference(first, again[name]).is_seen for name, first in photographed["dark", 390].items()
    )


def test_the_console_brings_its_own_letters(page: Page) -> None:
    loaded = "() => [...document.fonts].filter(face => face.status === 'loaded').length"
    assert page.evaluate(loaded) == 1


def test_closing_a_message_needs_no_script(
    operador: Person, console: Instance, chromium: Browser
) -> None:
    person = Person(chromium, console, script=False, like=operador)
    person.open("/estilo/")
    message = person.page.locator("dialog.note")
    message.get_by_role("button", name="Fechar aviso").click()
    assert not message.is_visible()
    person.leave()


def test_the_heading_of_a_long_table_stays_in_sight(page: Page) -> None:
    _wear(page, "light", 1280)
    page.locator("#tabelas tbody").first.evaluate(_LENGTHEN)
    page.locator("#tabelas tbody tr").nth(60).scroll_into_view_if_needed()
    heading = page.locator("#tabelas thead th").first
    top = heading.evaluate("node => node.getBoundingClientRect().top")
    page.reload()
    _settle(page)
    assert top == pytest.approx(0, abs=1)


def test_the_kept_pictures_stay_small() -> None:
    kept = list(BASELINES.glob("*.png"))
    assert len(kept) == len(SECTIONS) * len(LOOKS) * len(WIDTHS)
    assert sum(path.stat().st_size for path in kept) <= MOST_KEPT
