"""Proposals about the same target: the one to compare with, and those that wait beside this one."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from approvals.inbox.around import Titles
from approvals.inbox.likeness import ALIKE, likeness
from approvals.models import AgenteAprovacao

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pending proposal, as far as a list names it."""

    ref: UUID
    title: str
    requester: str


@dataclass(frozen=True, slots=True)
class Alike:
    """Pending proposals like this one; `more` is how many of those compared are not shown."""

    shown: tuple[Waiting, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Nearest:
    """The decided proposal to compare with; `alike` is false where its title is another one."""

    pk: int
    alike: bool


@dataclass(frozen=True, slots=True)
class Last:
    """That proposal as a whole."""

    proposal: AgenteAprovacao
    alike: bool


def nearest(proposal: AgenteAprovacao, titles: Titles) -> Nearest | None:
    """The newest proposal of the same kind and target that was approved or refused and is like
    this one; the newest of them at all when none is. For a closed one, only those before it."""
    newest = titles.decided
    if not newest:
        return None
    alike = [pk for pk, title in newest if _likeness(proposal, title) >= ALIKE]
    return Nearest(alike[0] if alike else newest[0][0], bool(alike) or not has_title(proposal))


def has_title(proposal: AgenteAprovacao) -> bool:
    """Only what has a title can be told alike by it."""
    return bool(proposal.proposta.get("title"))


def waiting(proposal: AgenteAprovacao, titles: Titles) -> Alike:
    """Other pending proposals of the same kind and target whose title is like this one's."""
    rows = [Waiting(UUID(ref), title or "", who) for ref, title, who in titles.waiting]
    alike = [row for row in rows if _likeness(proposal, row.title) >= ALIKE]
    return Alike(tuple(alike[:SHOWN]), max(0, len(alike) - SHOWN))


def _likeness(proposal: AgenteAprovacao, title: object) -> float:
    mine = str(proposal.proposta.get("title") or "")
    return likeness(mine, str(title or "")) if mine else 0.0
