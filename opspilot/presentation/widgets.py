"""Draws what Django's own widget templates draw, for the two that stand on every busy page: a list
of forty people would run a hundred templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

Widget = Mapping[str, Any]
_OPTION = "django/forms/widgets/select_option.html"


class Renderer(DjangoTemplates):
    """FORM_RENDERER. Whatever it does not draw itself, Django draws."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        draw = _DRAWN.get(template_name)
        drawn = draw(context["widget"]) if draw else None
        if drawn is None:
            return super().render(template_name, context, request)
        return SafeString(drawn)  # each part of it is escaped below


def _select(widget: Widget) -> str | None:
    """None for one whose options are drawn by a template of their own."""
    groups = [(name, options) for name, options, _ in widget["optgroups"]]
    if any(option["template_name"] != _OPTION for _, options in groups for option in options):
        return None
    drawn = "".join(_group(name, options) for name, options in groups)
    return f'<select name="{_safe(widget["name"])}"{_attributes(widget)}>{drawn}\n</select>'


def _group(name: object, options: list[Widget]) -> str:
    drawn = "".join(
        f'\n  <option value="{_safe(one["value"])}"{_attributes(one)}>{_safe(one["label"])}</option>\n'
        for one in options
    )
    if not name:
        return drawn
    return f'\n  <optgroup label="{_safe(name)}">{drawn}\n  </optgroup>'


def _textarea(widget: Widget) -> str:
    text = _safe(widget["value"] or "")
    return f'<textarea name="{_safe(widget["name"])}"{_attributes(widget)}>\n{text}</textarea>'


def _attributes(widget: Widget) -> str:
    named = [(_safe(name), value) for name, value in widget["attrs"].items() if value is not False]
    return "".join(
        f" {name}" if value is True else f' {name}="{_safe(value)}"' for name, value in named
    )


def _safe(value: object) -> str:
    return conditional_escape(str(value))


_DRAWN: dict[str, Callable[[Widget], str | None]] = {
    "django/forms/widgets/select.html": _select,
    "django/forms/widgets/textarea.html": _textarea,
}
