"""Whose trace it is: the ids that stand for one customer now, and how the registry shows them."""

from __future__ import annotations

from dataclasses import dataclass

from audit import entities
from audit.models import Trace
from audit.registry import standing


@dataclass(frozen=True, slots=True)
class Whose:
    ids: tuple[str, ...]
    title: str


def whose(trace: Trace) -> Whose:
    """Entries that were joined are one customer; their rows keep the id they were written with."""
    entity = entities.get(type_=trace.entity_type, ref=trace.entity_ref)
    members = standing.members(entity)
    return Whose(tuple(str(one.ref) for one in members), entities.shown_title(entity))
