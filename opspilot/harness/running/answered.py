"""The end that is an answer: retrieve → draft → check citations → answer, or abstain."""

from __future__ import annotations

import time

from grounding.answers import composing
from opspilot.harness import answering, evidence
from opspilot.harness.answering import Drafted
from opspilot.harness.planning.port import MAX_QUERY, Choice, SearchKnowledge
from opspilot.harness.running import claims, closing, ends, looking, uses
from opspilot.harness.running.looking import Found
from opspilot.harness.running.steps import Made, since
from opspilot.harness.running.trips import Trip
from opspilot.harness.running.uses import Use
from opspilot.tenancy.scope import tenant_scope


def answer(trip: Trip, choice: Choice, began: float) -> None:
    """From what the run's last search found; where it made none, the request is looked for first.
    With no transaction open. Raises LateRunError, and what the first look raises."""
    found = trip.found or _first_look(trip)
    drafted = answering.draft(
        trip.run,
        query=found.query,
        grounded=found.grounded,
        still_mine=lambda: claims.still_mine(trip.run),
    )
    use = uses.of(choice.completed, choice.cost) + uses.of(drafted.completed, drafted.cost)
    with tenant_scope(trip.run.tenant_id):
        drafted.answer = composing.checked(drafted.answer, worded=drafted.completed is not None)
        finish(trip, found, drafted, Made(choice.planned.call, "done", since(began), use))


def searched(found: Found, call: SearchKnowledge, duration_ms: int, use: Use) -> Made:
    return Made(call, "done", duration_ms, use, coverage=found.level, receipt=found.receipt)


def _first_look(trip: Trip) -> Found:
    began = time.monotonic()
    call = SearchKnowledge(query=trip.run.question[:MAX_QUERY])
    found = looking.look(trip.run, call.query)
    trip.keep(found)
    with tenant_scope(trip.run.tenant_id):
        claims.hold(trip.run)
        trip.write(searched(found, call, since(began), uses.NOTHING))
    return found


def finish(trip: Trip, found: Found, drafted: Drafted, made: Made) -> None:
    """In the open scope, in which the citations were checked."""
    content = composing.as_json(drafted.answer, found.grounded) | drafted.as_json()
    content["duration_ms"] = trip.milliseconds()
    end = ends.answered(
        content=content,
        level=found.level,
        cited=evidence.cited(content["sentences"]),
        code=drafted.code,
        instruction=drafted.instruction_hash,
    )
    closing.close_here(trip, end, made)
