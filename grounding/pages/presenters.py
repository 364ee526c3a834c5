"""A document as the page shows it: the text exactly as it was read, the cited place marked."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grounding.models import Chunk, Version
from grounding.pages import wording
from opspilot.presentation.shapes import Fact

_FORMATS = {"text": gettext_lazy("texto"), "markdown": "Markdown"}  # the others by their letters


@dataclass(frozen=True, slots=True)
class Reading:
    """The whole text in three: what is cited stands in `marked`, empty where nothing is."""

    before: str
    marked: str
    after: str


def reading(version: Version, chunk: Chunk | None, span: tuple[int | None, int | None]) -> Reading:
    """Citations point into this very text, so it is shown as it is and not rendered."""
    text = version.text
    start, end = _place(text, chunk, span)
    return Reading(text[:start], text[start:end], text[end:])


def facts(version: Version) -> list[Fact]:
    replaced = version.replaced_at
    gone = _("substituído em") if replaced else _("retirado")
    return [
        Fact(_("Versão"), str(version.number)),
        Fact(
            _("Estado"),
            _("ativo") if version.active else gone,
            at=None if version.active else replaced,
            state="done" if version.active else "pending",
        ),
        Fact(_("Idioma"), version.language),
        Fact(_("Formato"), str(_FORMATS.get(version.kind) or version.kind.upper())),
        Fact(_("Publicado"), at=version.published_at),
        Fact(_("Sinais"), wording.findings(version.findings) or _("nenhum")),
    ]


def _place(text: str, chunk: Chunk | None, span: tuple[int | None, int | None]) -> tuple[int, int]:
    """The cited span; without one that fits, the passage; without a passage, nothing."""
    start, end = span
    if start is not None and end is not None and 0 <= start < end <= len(text):
        return start, end
    return (chunk.start, chunk.end) if chunk else (0, 0)
