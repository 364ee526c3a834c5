"""`/estilo/`: every piece of the console on one page, for whoever changes how it looks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from opspilot.estilo import samples
from opspilot.presentation import contrast
from opspilot.tenancy.http import TenantRequest, requires

_STATIC = Path(settings.STATICFILES_DIRS[0])
_SYMBOL = re.compile(r'<symbol id="([\w-]+)"')
_SWATCHES = (
    *("bg", "surface", "sunken", "line", "control", "text", "muted", "accent", "focus"),
    *("ok", "warn", "bad", "info", "unknown"),
)


# A form of the page posts back to it; nothing is kept.
@require_http_methods(["GET", "HEAD", "POST"])
@requires()
def index(request: TenantRequest) -> HttpResponse:
    return render(request, "estilo/index.html", content())


def content() -> dict[str, Any]:
    return {
        **samples.context(),
        "themes": _themes(),
        "swatches": _swatches(),
        "icons": _SYMBOL.findall((_STATIC / "sprite.svg").read_text(encoding="utf-8")),
    }


def _themes() -> list[samples.Theme]:
    palettes = contrast.palettes(_sheet())
    return [
        samples.theme(name, _least(palette, contrast.TEXT)) for name, palette in palettes.items()
    ]


def _least(palette: dict[str, str], kind: float) -> float:
    """The worst ratio among the pairs that must reach `kind`."""
    return min(
        contrast.ratio(palette[pair.front], palette[pair.back])
        for pair in contrast.PAIRS
        if pair.least == kind
    )


def _swatches() -> list[samples.Swatch]:
    palettes = contrast.palettes(_sheet())
    light, dark = palettes["light"], palettes["dark"]
    return [
        samples.Swatch(
            token=token,
            light=light[token],
            dark=dark[token],
            on_light=contrast.ratio(light[token], light["surface"]),
            on_dark=contrast.ratio(dark[token], dark["surface"]),
        )
        for token in _SWATCHES
    ]


def _sheet() -> str:
    return (_STATIC / "opspilot.css").read_text(encoding="utf-8")
