"""The page of all pieces, without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test.signals import template_rendered
from django.utils import translation

from opspilot.estilo import views
from opspilot.settings import base

COMPONENTS = Path(__file__).parents[3] / "templates" / "components"


@pytest.fixture(scope="module")
def drawn() -> Iterator[tuple[str, set[str]]]:
    """The page, and the names of the templates that took part in it."""
    names: set[str] = set()

    def note(template: object, **_more: object) -> None:
        names.add(str(getattr(template, "name", "")))

    template_rendered.connect(note)
    try:
        with translation.override("pt-br"):
            yield render_to_string("estilo/index.html", views.content()), names
    finally:
        template_rendered.disconnect(note)


def test_every_component_is_on_the_style_page(drawn: tuple[str, set[str]]) -> None:
    made = {f"components/{path.name}" for path in COMPONENTS.glob("*.html")}
    assert made - drawn[1] == set()


def test_each_theme_stands_beside_the_others(drawn: tuple[str, set[str]]) -> None:
    for theme in ("light", "dark"):
        for contrast in ("normal", "more"):
            assert f'data-theme="{theme}" data-contrast="{contrast}"' in drawn[0]


def test_every_id_of_the_page_is_used_once(drawn: tuple[str, set[str]]) -> None:
    ids = [piece.partition('"')[0] for piece in drawn[0].split(' id="')[1:]]
    # The bar and the strip take each other's place on a real page; here they stand together.
    assert {name for name in set(ids) if ids.count(name) > 1} <= {"decisao"}


def test_production_keeps_the_page_off() -> None:
    assert base.STYLE_PAGE is False
