"""Steps: what an operador asks for, from an answer and as an explicit command."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from opspilot.smoke.cast import CUSTOMER, TENANT, Cast, Request
from opspilot.smoke.expectation import UnmetError, expect
from opspilot.smoke.pages import Page
from opspilot.smoke.people import Person

_RUN = re.compile(r"/rodadas/([0-9a-f-]{36})/")
ACTIVE_TEXT = "Trocar o filtro antes do próximo turno.\n\n/close\n@all confiram."


def proposal_created(cast: Cast) -> None:
    """From the answer; the text carries a command and a mention for the remote to obey."""
    if not cast.answered:
        raise UnmetError("an earlier step got no answer")
    answer = cast.operador.open(cast.answered)
    page = cast.operador.open(answer.link("/rodadas/", "/proposta/"))
    suggested = page.form(path(page)).value("descricao")
    expect("37 bar" in suggested, "the draft does not start from the answer")
    request = confirm(cast.operador, page, f"{suggested}\n\n{ACTIVE_TEXT}", customer=CUSTOMER)
    cast.keep("proposal", request)
    row = _stored(cast, request)
    expect(row[1] in {"alta", "media", "baixa"}, "the proposal has no coverage")
    expect(row[2] > 0, "the proposal has no evidence")


def explicit_command_no_model(cast: Cast) -> None:
    """No question, no search, no model: and the trail says so."""
    page = cast.operador.open("/rodadas/comando/")
    request = confirm(cast.operador, page, "Abrir o registro da troca do filtro.")
    cast.keep("command", request)
    expect(_stored(cast, request)[1:] == (None, 0), "an explicit command claims a basis")
    lines = cast.database.rows(
        "SELECT acao, modelo, fontes::text FROM agente_acao WHERE correlacao_id = %s",
        [request.run],
        tenant=TENANT,
    )
    expect([line[0] for line in lines] == ["issue.criada"], "the run did more than prepare")
    expect([line[1:] for line in lines] == [("nenhum", "[]")], "a model or a source is named")
    story = cast.auditor.open(f"/trilha/correlacao/{request.run}/")
    expect(story.status == 200, "the auditor cannot read the command's run")


def confirm(person: Person, page: Page, description: str, *, customer: str = "") -> Request:
    """Fill in, review, confirm: the requester's whole act, on the form this page holds."""
    review = person.submit(
        page.form(path(page)),
        alias="infra",
        titulo="Troca do filtro",
        descricao=description,
        etiquetas="incidente",
        responsaveis="plantao-infra",
        justificativa="O filtro passou do prazo de troca.",
        cliente=customer,
    )
    form = review.form(path(review))
    made = person.submit(form)
    found = _RUN.search(review.url)
    expect(made.status == 200 and "/aprovacoes/" in made.url, f"nothing was made ({made.code})")
    return Request(run=found[1] if found else "", url=path(made), hash=form.value("acao_hash"))


def path(page: Page) -> str:
    return urlsplit(page.url).path


def _stored(cast: Cast, request: Request) -> tuple[object, str | None, int]:
    query = (
        "SELECT estado, cobertura, jsonb_array_length(evidencia) FROM agente_aprovacao"
        " WHERE correlacao_id = %s"
    )
    state, coverage, evidence = cast.database.rows(query, [request.run], tenant=TENANT)[0]
    expect(state == "pendente", "the proposal does not wait for a decision")
    return state, coverage, evidence
