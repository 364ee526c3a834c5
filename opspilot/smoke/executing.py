"""Steps: exactly one effect, as approved, also when the remote's answer is lost."""

from __future__ import annotations

from opspilot.smoke.cast import TENANT, Cast, Request
from opspilot.smoke.deciding import approve, read
from opspilot.smoke.expectation import expect
from opspilot.smoke.pages import Page
from opspilot.smoke.sandbox import Issue


def issue_created_once(cast: Cast) -> None:
    """What the approver read is what the remote holds, and nothing in it was obeyed."""
    request = cast.request("proposal")
    page = cast.aprovador.settled(cast.aprovador.open(request.url))
    issue = the_one_issue(cast, request)
    done(cast, page, request)
    expect(issue["description"] == request.description, "the body is not the approved one")
    expect(issue["title"] == request.action["title"], "the title is not the approved one")
    expect(issue["labels"] == request.action["labels"], "the labels are not the approved ones")
    expect(issue["state"] == "opened", f"the issue is {issue['state']}")
    expect(issue["quick_actions"] == [], "the remote ran a quick action")
    expect(issue["notifications"] == [], "the remote notified somebody")


def lost_answer_no_duplicate(cast: Cast) -> None:
    """The issue is stored and the answer dropped: unknown first, then found, never sent again."""
    request = cast.request("command")
    read(cast.aprovador, request)
    cast.sandbox.order("drop_after")
    approve(cast.aprovador, request)
    cast.aprovador.until(request.url, "esultado desconhecido")
    done(cast, cast.aprovador.settled(cast.aprovador.open(request.url)), request)
    the_one_issue(cast, request)


def the_one_issue(cast: Cast, request: Request) -> Issue:
    expect(request.marker != "", "an earlier step did not read the proposal")
    issues = cast.sandbox.issues(request.marker)
    expect(len(issues) == 1, f"the sandbox holds {len(issues)} issues of this proposal")
    sent = [entry for entry in cast.sandbox.creations() if entry["marker"] == request.marker]
    expect(len(sent) == 1, f"the request to create it was sent {len(sent)} times")
    return issues[0]


def done(cast: Cast, page: Page, request: Request, *, action: str = "issue.criada") -> None:
    """The page says so, and the trail has one row of the effect, authorised by a person."""
    expect("oncluída" in page.by_id("andamento").text, "the page does not say concluída")
    rows = cast.database.rows(
        "SELECT autorizacao, aprovado_por IS NOT NULL FROM agente_acao"
        " WHERE correlacao_id = %s AND acao = %s AND resultado = 'ok'",
        [request.run, action],
        tenant=TENANT,
    )
    expect(rows == [("humana", True)], f"the trail has {len(rows)} rows of the effect")
