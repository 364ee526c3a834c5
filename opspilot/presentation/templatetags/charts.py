"""Charts as tags: an SVG without words beside a real table with the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django import template
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from opspilot.presentation import formats
from opspilot.presentation.charts import Value, bars, line
from opspilot.presentation.shapes import Point

register = template.Library()

_BAR_WIDTH = 100  # the box of every drawing; the sheet stretches it
_LINE_HEIGHT, _SPARK_HEIGHT = 100, 24


@register.inclusion_tag("components/chart_bars.html")
def bar_chart(
    points: Sequence[Point],
    caption: str,
    heading: str,
    measure: str,
    kind: str = "number",
    top: Value = None,
) -> dict[str, object]:
    """`kind`: number | centavos | percent. `top`: the value of a whole bar, where it is known."""
    widths = bars([point.value for point in points], width=_BAR_WIDTH, top=top)
    rows = [
        (point, width, _words(point, kind)) for point, width in zip(points, widths, strict=True)
    ]
    return {"rows": rows, "caption": caption, "heading": heading, "measure": measure}


@register.inclusion_tag("components/chart_line.html")
def line_chart(
    points: Sequence[Point], caption: str, heading: str, measure: str, kind: str = "number"
) -> dict[str, object]:
    drawn = _drawn(points, kind, _LINE_HEIGHT)
    return {**drawn, "caption": caption, "heading": heading, "measure": measure}


@register.inclusion_tag("components/spark.html")
def spark(
    points: Sequence[Point], caption: str, heading: str, measure: str, kind: str = "number"
) -> dict[str, object]:
    """A line as high as a line of text, beside the number it explains."""
    drawn = _drawn(points, kind, _SPARK_HEIGHT)
    return {**drawn, "caption": caption, "heading": heading, "measure": measure}


def _drawn(points: Sequence[Point], kind: str, height: int) -> dict[str, object]:
    shape = line([point.value for point in points], width=_BAR_WIDTH, height=height)
    return {
        "path": shape.path,
        "top": _format(kind)(shape.top),
        "rows": [(point, _words(point, kind)) for point in points],
        "first": points[0].label if points else "",
        "last": points[-1].label if len(points) > 1 else "",
    }


def _words(point: Point, kind: str) -> str:
    return _("sem dados") if point.value is None else _format(kind)(float(point.value))


def _format(kind: str) -> Callable[[float], str]:
    language = get_language() or "pt-br"
    if kind == "centavos":
        return lambda value: formats.money_text(round(value), language=language)
    unit = " %" if kind == "percent" else ""
    return lambda value: formats.number_text(value, language=language) + unit
