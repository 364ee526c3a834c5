"""What every live run has in common: its scene, the acts of people in it, and its record."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from opspilot.bootstrap.instance import Instance
from opspilot.smoke.cast import TENANT, Cast, Request
from opspilot.smoke.deciding import read, second_decision_refused
from opspilot.smoke.expectation import expect
from opspilot.smoke.pages import Page
from opspilot.smoke.report import Outcome, timed
from opspilot.smoke.requesting import path
from opspilot.smoke.witness import Entry, Witness

SWEEPS = 12.0  # seconds: two of the worker's sweeps and a restart


@dataclass(kw_only=True)
class Stage:
    console: Instance
    cast: Cast
    witness: Witness
    doctor: dict[str, Any] = field(default_factory=dict)
    reads_before_approval: int = -1


Scene = TypeVar("Scene", bound=Stage)


def examine(stage: Stage, connector: str, *, policy: str) -> None:
    """Put the policy of this run in force, and have the remote checked against it."""
    stage.console.command("shell", "-c", policy, roles=("app", "reader"))
    output = stage.console.command("doctor", connector, "--tenant", TENANT, "--json")
    stage.doctor = json.loads(output.splitlines()[-1])
    expect(stage.doctor["ok"], "the doctor found a fault")


def confirm(stage: Stage, review: Page) -> Request:
    """Press what the requester reviewed into a proposal."""
    form = review.form(path(review))
    made = stage.cast.operador.submit(form)
    expect(made.status == 200 and "/aprovacoes/" in made.url, f"nothing was made ({made.code})")
    run = path(review).split("/rodadas/")[1].split("/")[0]
    return Request(run=run, url=path(made), hash=form.value("acao_hash"))


def wait_unsent(stage: Stage, request: Request) -> None:
    """The approver has read it and the worker has looked: still nothing that writes has left."""
    read(stage.cast.aprovador, request)
    stage.cast.keep("proposal", request)
    time.sleep(SWEEPS / 2)
    expect(stage.witness.writes() == [], "something was sent before anybody approved")
    stage.reads_before_approval = len(stage.witness.requests())  # none of them a look of ours


def second_approval_refused(stage: Stage) -> None:
    second_decision_refused(stage.cast)


def resuming_sends_nothing(stage: Stage) -> None:
    """A person asks, and the worker dies and comes back: what is done is done."""
    request, before = stage.cast.request("proposal"), len(stage.witness.writes())
    token = _token(stage.cast.operador.open(request.url))
    stage.cast.operador.post(f"{request.url}retomar/", [("csrfmiddlewaretoken", token)])
    stage.console.restart("worker")
    time.sleep(SWEEPS)
    expect(len(stage.witness.writes()) == before, "something was sent again")


def until_a_fault(scene: Scene, steps: Sequence[Callable[[Scene], None]]) -> Iterator[Outcome]:
    """On a real system nothing is tried on top of a fault."""
    for step in steps:
        outcome = timed(step.__name__, step, scene)
        yield outcome
        if not outcome.ok:
            return


def told(stage: Stage, found: Sequence[Outcome], *, steps: int) -> dict[str, Any]:
    """What a person may keep as proof. No token, no address of the machine."""
    return {
        "ok": len(found) == steps and all(outcome.ok for outcome in found),
        "steps": {outcome.name: outcome.ok for outcome in found},
        "faults": {outcome.name: outcome.fault for outcome in found if outcome.fault},
        "timings_ms": {outcome.name: outcome.ms for outcome in found},
        "reads_before_approval": stage.reads_before_approval,
        "requests": [_shown(entry) for entry in stage.witness.requests()],
        "doctor": stage.doctor,
    }


def sent(stage: Stage) -> list[tuple[str, str]]:
    """Every request that writes, by method and path, oldest first."""
    return [(each["method"], each["path"].partition("?")[0]) for each in stage.witness.writes()]


def _shown(entry: Entry) -> Entry:
    return entry | {"path": entry["path"].partition("?")[0]}


def _token(page: Page) -> str:
    forms = [form for form in page.forms if any(k == "csrfmiddlewaretoken" for k, _ in form.fields)]
    expect(bool(forms), "the page has no form")
    return forms[0].value("csrfmiddlewaretoken")
