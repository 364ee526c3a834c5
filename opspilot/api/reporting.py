"""Actions an agent did by itself become rows of the trail: each answered for itself, written at once.

A row stands on somebody's word. Of `humana` and `previa` that is an approval of the agent's own, used
up right here; of `regra`, the policy in force. The agent's clock, cost and words stay its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from pydantic import ValidationError

from audit import trail
from opspilot.api import problems, reported, reported_rows
from opspilot.api.action_contract import MOST_ROWS, ActionIn, ActionOut, ActionsOut, key_of
from opspilot.api.contract import FieldFault
from opspilot.api.entry import Visitor
from opspilot.api.errors import InvalidFieldsError, RowKeyReusedError
from opspilot.api.reported import Made
from opspilot.errors import OpsPilotError


@dataclass(slots=True)
class _Batch:
    """What one call has led to so far. `places` are those of `entries` among the answers."""

    visitor: Visitor
    known: dict[str, reported.Known]
    seen: reported_rows.Seen
    answers: list[ActionOut | None] = field(default_factory=list)
    entries: list[trail.Entry] = field(default_factory=list)
    new: dict[str, tuple[str, int]] = field(default_factory=dict)  # key: body and place in entries
    places: list[tuple[int, str]] = field(default_factory=list)
    refused: dict[str, OpsPilotError] = field(default_factory=dict)


def one(*, visitor: Visitor, given: dict[str, Any]) -> ActionOut:
    """The row's answer; raises what a list would say of it."""
    batch = _taken(visitor, [given], alone=True)
    return _written(batch)[0]


def many(*, visitor: Visitor, given: Sequence[Any]) -> ActionsOut:
    """An answer for each row. Those that are refused leave the others as they are; each code leaves
    one row of its own."""
    if not 1 <= len(given) <= MOST_ROWS:
        raise InvalidFieldsError(
            [{"campo": "corpo", "motivo": "too_long" if given else "too_short"}]
        )
    batch = _taken(visitor, given, alone=False)
    for error in batch.refused.values():
        trail.record_refusal(principal=visitor.principal, error=error)
    lines = _written(batch)
    counted = Counter(line.status == 201 for line in lines)
    return ActionsOut(gravadas=counted[True], recusadas=counted[False], linhas=lines)


def _taken(visitor: Visitor, given: Sequence[Any], *, alone: bool) -> _Batch:
    reported.hold(visitor.agent_id)
    keys = list(_keys(given))
    batch = _Batch(
        visitor,
        reported.known(agent_id=visitor.agent_id, keys=keys),
        reported_rows.Seen.of(visitor, given),
    )
    for row in given:
        try:
            batch.answers.append(_answer(batch, row))
        except OpsPilotError as exc:
            if alone:
                raise
            batch.refused.setdefault(exc.code, exc)
            batch.answers.append(_refused(row, exc))
    return batch


def _answer(batch: _Batch, row: Any) -> ActionOut | None:
    """What is known already, or None for a row that is written with the others.

    A key comes before everything else: what was accepted once is answered alike also when by now
    its time would be too long ago.
    """
    key = key_of(row)
    if key is None:
        _new(batch, row, reported.body_hash(row))
        return None
    body = reported.body_hash(row)
    if (before := batch.known.get(key)) is not None:
        if before.body_hash != body:
            raise RowKeyReusedError
        return ActionOut(chave=key, status=201, id=before.trail_row)
    if (twin := batch.new.get(key)) is not None:
        if twin[0] != body:
            raise RowKeyReusedError
        batch.places.append((twin[1], key))
        return None
    _new(batch, row, body)
    return None


def _new(batch: _Batch, row: Any, body: str) -> None:
    data = _read(row)
    begins = data.aprovacao is not None or data.entidade is not None
    with transaction.atomic() if begins else nullcontext():  # a refusal takes along what it began
        entry = reported_rows.entry(batch.visitor, data, batch.seen)
    batch.new[data.chave] = (body, len(batch.entries))
    batch.places.append((len(batch.entries), data.chave))
    batch.entries.append(entry)


def _written(batch: _Batch) -> list[ActionOut]:
    ids = trail.record_many(batch.entries)
    reported.keep(
        agent_id=batch.visitor.agent_id,
        made=[Made(key, body, ids[place]) for key, (body, place) in batch.new.items()],
    )
    waiting = iter(batch.places)
    return [found or _done(ids, *next(waiting)) for found in batch.answers]


def _done(ids: Sequence[int], place: int, key: str) -> ActionOut:
    return ActionOut(chave=key, status=201, id=ids[place])


def _refused(row: Any, error: OpsPilotError) -> ActionOut:
    faults = problems.faults_of(error)
    return ActionOut(
        chave=key_of(row),
        status=error.http_status,
        codigo=error.code,
        detalhe=problems.detail_of(error),
        campos=[FieldFault(**fault) for fault in faults],
    )


def _read(row: Any) -> ActionIn:
    try:
        return ActionIn.model_validate(row)
    except ValidationError as exc:
        faults = [{"loc": fault["loc"], "type": fault["type"]} for fault in exc.errors()]
        raise InvalidFieldsError(problems.fields_of(faults)) from None


def _keys(given: Sequence[Any]) -> Iterator[str]:
    return (key for row in given if (key := key_of(row)) is not None)
