"""Steps: who may decide, who may not, and that a decision is made once."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

from opspilot.smoke.cast import TENANT, Cast, Request
from opspilot.smoke.expectation import UnmetError, expect
from opspilot.smoke.pages import Form, Page
from opspilot.smoke.people import Person

MARKER = re.compile(r"opk[0-9a-f]{32}")
_MOMENT = re.compile(r"\d\d:\d\d:\d\d")


def self_approval_refused(cast: Cast) -> None:
    """The page offers no such button, so the form is sent by hand, with the hash the page shows."""
    request = cast.request("proposal")
    page = cast.operador.open(request.url)
    token = page.form(f"{request.url}cancelar/").value("csrfmiddlewaretoken")
    fields = [("csrfmiddlewaretoken", token), ("acao_hash", request.hash)]
    answer = cast.operador.post(f"{request.url}aprovar/", fields)
    expect(answer.status == 403, f"the requester's own vote was answered {answer.status}")
    expect(answer.code == "propria_solicitacao", f"the refusal's code is {answer.code}")
    rows = cast.database.rows(
        "SELECT a.estado, (SELECT count(*) FROM approval_decision d WHERE d.approval_id = a.id)"
        " FROM agente_aprovacao a WHERE a.correlacao_id = %s",
        [request.run],
        tenant=TENANT,
    )
    expect(rows == [("pendente", 0)], "something was decided")
    noted = cast.database.rows(
        "SELECT saida_resumo FROM agente_acao WHERE correlacao_id = %s AND acao = 'acao.recusada'",
        [request.run],
        tenant=TENANT,
    )
    expect(noted == [("propria_solicitacao",)], "the refusal is not in the trail")


def other_tenant_404(cast: Cast) -> None:
    """What belongs to another company and what does not exist are the same page."""
    foreign = cast.stranger.open(cast.request("proposal").url)
    unknown = cast.stranger.open(f"/aprovacoes/{uuid.uuid4()}/")
    expect(foreign.status == unknown.status == 404, "a foreign proposal is not a 404")
    expect(foreign.code == "nao_encontrado", f"its code is {foreign.code}")
    expect(_words(foreign) == _words(unknown), "a foreign proposal and an unknown one differ")


def approved(cast: Cast) -> None:
    request = cast.request("proposal")
    inbox = cast.aprovador.open("/aprovacoes/")
    page = cast.aprovador.open(inbox.link(request.url))
    read(cast.aprovador, request)
    text = str(request.action["description"])
    expect("\n/close" not in text and "@all" not in text, "the text is not inert")
    expect("/close" in text and "37 bar" in text, "the approver does not see the whole text")
    expect(page.status == 200, "the approver cannot open the proposal")
    answer, ref = approve(cast.aprovador, request), request.url.rstrip("/").rpartition("/")[2]
    expect(
        answer.status == 200 and f"decidida={ref}" in answer.url, f"not approved ({answer.code})"
    )


def second_decision_refused(cast: Cast) -> None:
    """The same page, open in another tab since before the decision, is sent."""
    request = cast.request("proposal")
    if request.second_tab is None:
        raise UnmetError("an earlier step approved nothing")
    answer = cast.aprovador.submit(request.second_tab)
    expect(answer.status == 409, f"the second decision was answered {answer.status}")
    expect(answer.code == "ja_decidida", f"its code is {answer.code}")


def read(person: Person, request: Request) -> None:
    """What the approver sees: the exact action, and the marker that will stand below it."""
    shown = person.open(f"{request.url}?ver=json").all("pre")
    request.action = _parsed(shown[0].raw if shown else "")
    found = MARKER.search(person.open(request.url).text)
    expect(found is not None, "the page does not show the marker")
    request.marker = found[0] if found else ""


def approve(person: Person, request: Request) -> Page:
    request.second_tab = _confirmation(person, request)
    return person.submit(_confirmation(person, request))


def _confirmation(person: Person, request: Request) -> Form:
    page = person.open(person.open(request.url).link("decidir=aprovar"))
    form = page.form(f"{request.url}aprovar/")
    expect(form.value("acao_hash") == request.hash, "the approver decides another content")
    return form


def _parsed(text: str) -> dict[str, Any]:
    try:
        return dict(json.loads(text))
    except ValueError as exc:
        raise UnmetError("the page does not show the action as JSON") from exc


def _words(page: Page) -> str:
    """All of the page that a person reads, without its moment and its request id."""
    text = _MOMENT.sub("", page.by_id("conteudo").text)
    for request_id in page.codes[1:]:
        text = text.replace(request_id, "")
    return text
