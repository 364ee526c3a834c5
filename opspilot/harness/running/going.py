"""One step of a run after the other: planned with no transaction open, checked, then done.

What a call may do is this code's word: search, prepare one command that its requester has to
confirm, answer, ask, hand over or refuse. Nothing here decides or sends (I6).
"""

from __future__ import annotations

import time
from typing import get_args

from django.db import transaction

from opspilot.connectors.errors import RefusedByRemoteError, UnavailableError
from opspilot.errors import OpsPilotError
from opspilot.harness import evidence
from opspilot.harness.guards.errors import ToolRefusedError
from opspilot.harness.guards.tools import authorize_tool_call
from opspilot.harness.planning.port import (
    Call,
    Choice,
    Ending,
    FinalAnswer,
    InvalidOutputError,
    PlannerUnavailableError,
    PrepareIssue,
    PrepareTask,
    SearchKnowledge,
    Taken,
)
from opspilot.harness.running import (
    answered,
    claims,
    closing,
    ends,
    looking,
    preparing,
    uses,
    waiting,
)
from opspilot.harness.running.steps import Made, since
from opspilot.harness.running.trips import Trip
from opspilot.tenancy.scope import tenant_scope

SEARCH_AWAY = "busca_indisponivel"
SEARCH_REFUSED = "busca_recusada"


def go(trip: Trip) -> None:
    """To its end. Raises LateRunError where another worker has taken it over, UnavailableError where
    a search cannot be made now."""
    while step(trip):
        pass


def step(trip: Trip) -> bool:
    """One step, or the end; whether the run goes on after it."""
    bound = trip.bound()
    if trip.run.stop_by or bound:
        closing.close(trip, ends.stopped() if trip.run.stop_by else ends.failed(bound))
        return False
    began = time.monotonic()
    try:
        choice = trip.planner.next(trip.situation())
    except InvalidOutputError as exc:
        use = uses.of(exc.completed, exc.cost)
        _note(trip, Made(None, "invalid", since(began), use, code=exc.fault))
        return True
    except PlannerUnavailableError as exc:
        closing.close(trip, ends.review(exc.code, waiting.until(exc.retry_after)))
        return False
    return _do(trip, choice, began)


def _do(trip: Trip, choice: Choice, began: float) -> bool:
    call = choice.planned.call
    if code := _not_made(trip, call):
        closing.close(trip, ends.refused(code), _refused(choice, began, code))
        return False
    match call:
        case SearchKnowledge():
            return _search(trip, choice, call, began)
        case PrepareIssue() | PrepareTask():
            return _prepare(trip, choice, call, began)
        case FinalAnswer():
            _end(trip, choice, call, began)
            return False


def _not_made(trip: Trip, call: object) -> str:
    """Why nothing is done for this call; empty for one that may be made. The table is asked first, by
    the name that the call gives itself: what is no call of ours may be no tool of ours either."""
    try:
        authorize_tool_call(trip.identity, str(getattr(call, "tool", "")))
    except ToolRefusedError as exc:
        return exc.code
    return ToolRefusedError.code if _known(call) is None else ""


def _known(call: object) -> Call | None:
    """None where a planner gave what is no call of ours, or an ending that there is not, whatever it
    says of itself."""
    if isinstance(call, FinalAnswer):
        return call if call.ending in get_args(Ending) else None
    if isinstance(call, SearchKnowledge | PrepareIssue | PrepareTask):
        return call
    return None


def _search(trip: Trip, choice: Choice, call: SearchKnowledge, began: float) -> bool:
    try:
        found = looking.look(trip.run, call.query)
    except UnavailableError:
        if choice.completed is None:
            raise
        _search_is_away(trip, choice, began)
        return False
    except RefusedByRemoteError:
        _note(trip, _refused(choice, began, SEARCH_REFUSED))
        return True
    trip.keep(found)
    use = uses.of(choice.completed, choice.cost)
    _note(trip, answered.searched(found, call, since(began), use))
    return True


def _answer(trip: Trip, choice: Choice, began: float) -> None:
    try:
        answered.answer(trip, choice, began)
    except UnavailableError:
        if choice.completed is None:
            raise
        _search_is_away(trip, choice, began)
    except RefusedByRemoteError:
        end = ends.failed(SEARCH_REFUSED)
        closing.close(trip, end, _refused(choice, began, SEARCH_REFUSED))


def _search_is_away(trip: Trip, choice: Choice, began: float) -> None:
    """Of a plan that was paid for: planned anew each minute, it would be paid anew each minute."""
    end = ends.review(SEARCH_AWAY, waiting.until(0))
    closing.close(trip, end, _refused(choice, began, SEARCH_AWAY))


def _prepare(trip: Trip, choice: Choice, call: PrepareIssue | PrepareTask, began: float) -> bool:
    """At most one command a run: what passes ends it. Of what does not, the planner is told the code
    of the refusal alone."""
    run = trip.run
    run.coverage = trip.coverage
    with tenant_scope(run.tenant_id):
        try:
            with transaction.atomic():
                command = preparing.kept(run, call)
        except OpsPilotError as exc:
            code = exc.code
        else:
            closing.close_here(trip, ends.prepared(command, _basis(trip)), _done(choice, began))
            return False
    _note(trip, _refused(choice, began, code))
    return True


def _end(trip: Trip, choice: Choice, call: FinalAnswer, began: float) -> None:
    done = _done(choice, began)
    match call.ending:
        case "answer":
            _answer(trip, choice, began)
        case "ask":
            command, code = _understood(trip, choice), _last_refusal(trip)
            end = ends.asks(command, call.missing, call.words, _basis(trip), code)
            closing.close(trip, end, done)
        case "hand_over":
            closing.close(trip, ends.handed_over(call.words), done)
        case "refuse":
            code = _last_refusal(trip) or ends.OUTSIDE
            closing.close(trip, ends.refused(code, call.words), done)


def _understood(trip: Trip, choice: Choice) -> dict[str, object]:
    """What the planner says it read; else the last command that was refused, to be corrected."""
    tried = [one.call for one in trip.taken if isinstance(one.call, PrepareIssue | PrepareTask)]
    call = choice.understood or (tried[-1] if tried else None)
    return preparing.understood(trip.run, call) if call else {}


def _last_refusal(trip: Trip) -> str:
    """Why the last command was refused; empty where none was tried. The end says the policy's reason
    and not that the wish was none of this console's."""
    tried = [one for one in trip.taken if isinstance(one.call, PrepareIssue | PrepareTask)]
    return tried[-1].code if tried else ""


def _basis(trip: Trip) -> list[dict[str, object]]:
    return evidence.found(trip.found.grounded.ranked) if trip.found else []


def _note(trip: Trip, made: Made) -> None:
    """A step after which the run goes on."""
    with tenant_scope(trip.run.tenant_id):
        claims.hold(trip.run)
        trip.write(made)
    is_found = isinstance(made.call, SearchKnowledge) and made.outcome == "done"
    passages = looking.passages(trip.found) if is_found and trip.found else ()
    trip.taken.append(Taken(made.call, made.outcome, made.code, made.coverage, passages))


def _done(choice: Choice, began: float) -> Made:
    use = uses.of(choice.completed, choice.cost)
    return Made(choice.planned.call, "done", since(began), use)


def _refused(choice: Choice, began: float, code: str) -> Made:
    use = uses.of(choice.completed, choice.cost)
    return Made(_known(choice.planned.call), "refused", since(began), use, code=code)
