"""A document as the page shows it: passage by passage, the cited one marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grounding import wording
from grounding.models import Chunk, Version
from opspilot.presentation.shapes import Fact


@dataclass(frozen=True, slots=True)
class Part:
    """A passage; `marked` is the quote inside it, empty where nothing is cited."""

    number: int
    heading: str
    before: str
    marked: str
    after: str
    current: bool


def parts(
    version: Version,
    chunks: Sequence[Chunk],
    current: int | None,
    span: tuple[int | None, int | None],
) -> list[Part]:
    return [_part(chunk, version.title, current, span) for chunk in chunks]


def facts(version: Version) -> list[Fact]:
    replaced = version.replaced_at
    return [
        Fact(_("Versão"), str(version.number)),
        Fact(
            _("Estado"),
            _("substituído em") if replaced else _("ativo"),
            at=replaced,
            state="pending" if replaced else "done",
        ),
        Fact(_("Idioma"), version.language),
        Fact(_("Publicado"), at=version.published_at),
        Fact(_("Sinais"), wording.findings(version.findings) or _("nenhum")),
    ]


def _part(
    chunk: Chunk, title: str, current: int | None, span: tuple[int | None, int | None]
) -> Part:
    number = chunk.ordinal + 1
    path = list(chunk.heading_path)
    below = path[1:] if path[:1] == [title] else path  # the page's own heading says the title
    here = number == current
    start, end = _inside(chunk, span) if here else (0, 0)
    return Part(
        number=number,
        heading=" › ".join(below),
        before=chunk.text[:start],
        marked=chunk.text[start:end],
        after=chunk.text[end:],
        current=here,
    )


def _inside(chunk: Chunk, span: tuple[int | None, int | None]) -> tuple[int, int]:
    """The span relative to the passage; a span that is not in it marks the whole passage."""
    start, end = span
    if start is None or end is None or not chunk.start <= start < end <= chunk.end:
        return 0, len(chunk.text)
    return start - chunk.start, end - chunk.start
