"""Steps of a live run: one issue in a real project, from nothing sent to closed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from opspilot.smoke import live_policy, live_stage
from opspilot.smoke.cast import Request
from opspilot.smoke.deciding import approve
from opspilot.smoke.executing import done
from opspilot.smoke.expectation import UnmetError, expect
from opspilot.smoke.live_stage import Stage, resuming_sends_nothing, second_approval_refused
from opspilot.smoke.report import Outcome, timed
from opspilot.smoke.requesting import path

TITLE = "OpsPilot: conferência ao vivo"
TEXT = "Criada por uma conferência ao vivo do OpsPilot, que a fecha em seguida.\n\n/close\n@all"
WHY = "Conferência ao vivo do caminho inteiro até o GitLab."


@dataclass(kw_only=True)
class Live(Stage):
    project: int
    issue: dict[str, Any] = field(default_factory=dict)
    closed: bool = False


def doctor_well(live: Live) -> None:
    live_stage.examine(live, "gitlab", policy=_policy(live.project))


def nothing_written_before_approval(live: Live) -> None:
    page = live.cast.operador.open("/rodadas/comando/")
    review = live.cast.operador.submit(
        page.form(path(page)),
        alias=live_policy.ALIAS,
        titulo=TITLE,
        descricao=TEXT,
        justificativa=WHY,
    )
    live_stage.wait_unsent(live, live_stage.confirm(live, review))


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
    issues = f"/api/v4/projects/{live.project}/issues"
    expected = [("POST", issues), ("PUT", f"{issues}/{live.issue.get('iid')}")]
    writes = live_stage.sent(live)
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
    """Ends at the first fault. An issue that was made is closed in any case, where that can be
    done."""
    last = ""
    for outcome in live_stage.until_a_fault(live, STEPS):
        yield outcome
        last = "" if outcome.ok else outcome.name
    if last and last != closed_by_a_reversal.__name__ and _is_open(live):
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
    return {
        **live_stage.told(live, found, steps=len(STEPS)),
        "project": live.project,
        "issue": {name: live.issue.get(name) for name in ("iid", "web_url", "state")},
        "left_open": bool(live.issue) and not live.closed,
    }


def _policy(project: int) -> str:
    return f"from opspilot.smoke import live_policy; live_policy.put(project_id={project:d})"
