"""The summary as a PDF of A4 pages, with a font of its own in it: accents print alike everywhere."""

from __future__ import annotations

import io
from functools import cache
from typing import Any
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import LongTable, Paragraph, SimpleDocTemplate, Spacer, TableStyle

from audit.models import Trace
from audit.trace import summary_words
from audit.trace.manifest import Facts
from audit.trace.summary_words import Story, Words

TEXT, BOLD = "Vera", "VeraBd"
_LINE = colors.HexColor("#d5dae1")
_SMALL = ParagraphStyle("small", fontName=TEXT, fontSize=8, leading=11)
_BODY = ParagraphStyle("body", fontName=TEXT, fontSize=9, leading=13, spaceAfter=4)
_TITLE = ParagraphStyle("title", fontName=BOLD, fontSize=15, leading=20, spaceAfter=6)
_HEADING = ParagraphStyle(
    "heading", fontName=BOLD, fontSize=11, leading=15, spaceBefore=10, spaceAfter=4
)
_STORY = ParagraphStyle(
    "story", fontName=BOLD, fontSize=8, leading=11, spaceBefore=5, keepWithNext=1
)


def render(trace: Trace, found: Facts, zone: ZoneInfo) -> bytes:
    """Bounded whatever the trace: so many stories, so many lines of each."""
    _fonts()
    said, out = summary_words.words(trace, found, zone), io.BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        title=summary_words.TITLE,
        lang="pt-BR",
        leftMargin=18 * mm,
        rightMargin=18 * mm,
        topMargin=16 * mm,
        bottomMargin=18 * mm,
        invariant=1,  # no clock of its own in the file
    )

    def numbered(canvas: Any, _document: Any) -> None:
        canvas.setFont(TEXT, 7)
        canvas.drawRightString(A4[0] - 18 * mm, 10 * mm, f"página {canvas.getPageNumber()}")

    document.build(_flow(said, document.width), onFirstPage=numbered, onLaterPages=numbered)
    return out.getvalue()


def _flow(said: Words, width: float) -> list[Any]:
    flow: list[Any] = [
        Paragraph(summary_words.TITLE, _TITLE),
        _table([[label, value] for label, value in said.facts], [width * 0.28, width * 0.72]),
        Spacer(1, 4 * mm),
        Paragraph(escape(said.sentence), _BODY),
        Paragraph(summary_words.MASKED, _BODY),
    ]
    if said.totals:
        widths = [width * part for part in (0.4, 0.2, 0.26, 0.14)]
        flow += [_table([list(summary_words.TOTALS_HEAD), *said.totals], widths, head=True)]
        flow += [Spacer(1, 2 * mm), Paragraph(escape(said.cost), _BODY)]
        flow += [Paragraph(summary_words.STORIES_TITLE, _HEADING)]
        flow += [Paragraph(escape(said.note), _BODY)]
        flow += [piece for story in said.stories for piece in _told(story)]
    return flow


def _told(story: Story) -> list[Any]:
    lines = "<br/>".join(escape(line) for line in story.lines)
    return [Paragraph(escape(story.title), _STORY), Paragraph(lines, _SMALL)]


def _table(rows: list[list[str]], widths: list[float], *, head: bool = False) -> LongTable:
    cells = [[Paragraph(escape(cell), _SMALL) for cell in row] for row in rows]
    style = [("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    return LongTable(cells, colWidths=widths, repeatRows=int(head), style=TableStyle(style))


@cache
def _fonts() -> None:
    """They come with the library, free to embed."""
    for name in (TEXT, BOLD):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
