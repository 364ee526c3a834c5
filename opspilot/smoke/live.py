"""Steps of a live run: one issue in a real project, from nothing sent to closed again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from opspilot.bootstrap.instance import Instance
from opspilot.smoke import live_policy
from opspilot.smoke.cast import TENANT, Cast, Request
from opspilot.smoke.deciding import approve, read, second_decision_refused
from opspilot.smoke.executing import done
from opspilot.smoke.expectation import UnmetError, expect
from opspilot.smoke.pages import Page
from opspilot.smoke.report import Outcome, timed
from opspilot.smoke.requesting import path
from opspilot.smoke.witness import Entry, Witness

TITLE = "OpsPilot: conferência ao vivo"
TEXT = "Criada por uma conferência ao vivo do OpsPilot, que a fecha em seguida.\n\n/close\n@all"
WHY = "Conferência ao vivo do caminho inteiro até o GitLab."
SWEEPS = 12.0  # seconds: two of the worker's sweeps and a restart


@dataclass
class Live:
    console: Instance
    cast: Cast
    witness: Witness
    project: int
    doctor: dict[str, Any] = field(default_factory=dict)
    reads_before_approval: int = -1
    issue: dict[str, Any] = field(default_factory=dict)
    closed: bool = False


def doctor_well(live: Live) -> None:
    live.console.command("shell", "-c", _policy(live.project), roles=("app", "reader"))
    output = live.console.command("doctor", "gitlab", "--tenant", TENANT, "--json")
    live.doctor = json.loads(output.splitlines()[-1])
    expect(live.doctor["ok"], "the doctor found a fault")


def nothing_written_before_approval(live: Live) -> None:
    page = live.cast.operador.open("/rodadas/comando/")
    review = live.cast.operador.submit(
        page.form(path(page)),
        alias=live_policy.ALIAS,
        titulo=TITLE,
        descricao=TEXT,
        justificativa=WHY,
    )
    request = _confirmed(live, review)
    read(live.cast.aprovador, request)
    live.cast.keep("proposal", request)
    time.sleep(SWEEPS / 2)  # the worker has looked by then
    expect(live.witness.writes() == [], "something was sent before anybody approved")
    live.reads_before_approval = len(live.witness.requests())  # none of them a look of ours


def created_and_read_back(live: Live) -> None:
    request = live.cast.request("proposal")
    expect(request.marker != "", "an earlier step did not read the proposal")
    approve(live.cast.aprovador, request)
    page = live.cast.aprovador.settled(live.cast.aprovador.open(request.url))
    found = live.witness.issues_with(project=live.project, marker=request.marker)
    expect(len(found) == 1, f"the remote holds {len(found)} issues of this proposal")
    live.issue = live.witness.issue(project=live.project, iid=int(found[0]["iid"]))
    done(live.cast, page, request)
    expect(live.issue["description"] == request.description, "the body is not the approved one")
    expect(live.issue["title"] == request.action["title"], "the title is not the approved one")
    expect(live.issue["labels"] == request.action["labels"], "the labels are not the approved ones")
    expect(live.issue["state"] == "opened", f"the issue is {live.issue['state']}")


def second_approval_refused(live: Live) -> None:
    second_decision_refused(live.cast)


def resuming_sends_nothing(live: Live) -> None:
    """A person asks, and the worker dies and comes back: what is done is done."""
    request, before = live.cast.request("proposal"), len(live.witness.writes())
    token = _token(live.cast.operador.open(request.url))
    live.cast.operador.post(f"{request.url}retomar/", [("csrfmiddlewaretoken", token)])
    live.console.restart("worker")
    time.sleep(SWEEPS)
    expect(len(live.witness.writes()) == before, "something was sent again")


def closed_by_a_reversal(live: Live) -> None:
    request = live.cast.request("proposal")
    ref = request.url.rstrip("/").rpartition("/")[2]
    page = live.cast.operador.open(f"/rodadas/sobre/{ref}/reversao/")
    form = page.form(path(page))
    made = live.cast.operador.submit(form, justificativa=WHY)
    expect(made.status == 200 and "/aprovacoes/" in made.url, f"nothing was made ({made.code})")
    reversal = Request(run="", url=path(made), hash=form.value("acao_hash"))
    approve(live.cast.aprovador, reversal)
    page = live.cast.aprovador.settled(live.cast.aprovador.open(reversal.url))
    expect("oncluída" in page.by_id("andamento").text, "the page does not say concluída")
    live.issue = live.witness.issue(project=live.project, iid=int(live.issue["iid"]))
    live.closed = live.issue["state"] == "closed"
    expect(live.closed, f"the issue is {live.issue['state']}")


def exactly_one_post(live: Live) -> None:
    """Of the whole run: the issue was asked for once, and once to be closed."""
    writes = [(entry["method"], entry["path"].partition("?")[0]) for entry in live.witness.writes()]
    issues = f"/api/v4/projects/{live.project}/issues"
    expected = [("POST", issues), ("PUT", f"{issues}/{live.issue.get('iid')}")]
    expect(writes == expected, f"{len(writes)} requests that write left")


STEPS: tuple[Callable[[Live], None], ...] = (
    doctor_well,
    nothing_written_before_approval,
    created_and_read_back,
    second_approval_refused,
    resuming_sends_nothing,
    closed_by_a_reversal,
    exactly_one_post,
)


def outcomes(live: Live) -> Iterator[Outcome]:
    """Ends at the first fault: on a real system nothing is tried on top of one. An issue that was
    made is closed in any case, where that can be done."""
    for step in STEPS:
        outcome = timed(step.__name__, step, live)
        yield outcome
        if not outcome.ok:
            break
    else:
        return
    if step is not closed_by_a_reversal and _is_open(live):
        yield timed("closed_after_the_fault", closed_by_a_reversal, live)


def _is_open(live: Live) -> bool:
    """Whether there is an issue of this run to be closed, also one whose step came to no end."""
    try:
        marker = live.cast.request("proposal").marker
    except UnmetError:
        return False
    if marker and not live.issue:
        found = live.witness.issues_with(project=live.project, marker=marker)
        live.issue = found[0] if found else {}
    return bool(live.issue) and not live.closed


def record(live: Live, found: list[Outcome]) -> dict[str, Any]:
    """What a person may keep as proof. No token, no address of the machine."""
    return {
        "ok": len(found) == len(STEPS) and all(outcome.ok for outcome in found),
        "steps": {outcome.name: outcome.ok for outcome in found},
        "faults": {outcome.name: outcome.fault for outcome in found if outcome.fault},
        "timings_ms": {outcome.name: outcome.ms for outcome in found},
        "project": live.project,
        "issue": {name: live.issue.get(name) for name in ("iid", "web_url", "state")},
        "left_open": bool(live.issue) and not live.closed,
        "reads_before_approval": live.reads_before_approval,
        "requests": [_shown(entry) for entry in live.witness.requests()],
        "doctor": live.doctor,
    }


def _shown(entry: Entry) -> Entry:
    return entry | {"path": entry["path"].partition("?")[0]}


def _confirmed(live: Live, review: Page) -> Request:
    form = review.form(path(review))
    made = live.cast.operador.submit(form)
    expect(made.status == 200 and "/aprovacoes/" in made.url, f"nothing was made ({made.code})")
    run = path(review).split("/rodadas/")[1].split("/")[0]
    return Request(run=run, url=path(made), hash=form.value("acao_hash"))


def _token(page: Page) -> str:
    forms = [form for form in page.forms if any(k == "csrfmiddlewaretoken" for k, _ in form.fields)]
    expect(bool(forms), "the page has no form")
    return forms[0].value("csrfmiddlewaretoken")


def _policy(project: int) -> str:
    return f"from opspilot.smoke import live_policy; live_policy.put(project_id={project:d})"
