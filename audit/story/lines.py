"""One row of the trail as a line of a timeline."""

from __future__ import annotations

from dataclasses import dataclass

from audit import wording
from audit.story.queries import TrailLine
from opspilot.presentation.shapes import Entry

_ICONS = {
    "conhecimento.consultado": "book",
    "historico.lido": "trail",
    "entidade.registrada": "person",
    "entidade.unida": "person",
    "entidade.separada": "person",
    "entidade.apagada": "person",
}


@dataclass(frozen=True, slots=True)
class TrailEntry(Entry):
    """A line of a timeline. `stored` is text of the row itself, in Portuguese whoever reads it."""

    stored: str = ""


def entry(line: TrailLine) -> TrailEntry:
    """An address at which the row can be undone is a link."""
    url, place = wording.reversal(line.reversal or "")
    words, by = wording.action(line.action, line.result, line.output), wording.person(line)
    stored = [wording.stored(line), place if not url else ""]
    return TrailEntry(
        time=line.at,
        text=f"{words} · {by}" if by else words,
        icon=_ICONS.get(line.action, ""),
        state=wording.state(line.action, line.result, line.output),
        sub=" · ".join(wording.details(line)),
        url=url,
        link=place if url else "",
        stored=" · ".join(part for part in stored if part),
    )
