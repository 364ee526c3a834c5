"""What the page of a proposal tells whoever decides, whatever the proposal holds."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from psycopg import sql

from approvals import canonical, proposals
from approvals.actions import AgentFacts
from approvals.models import AgenteAprovacao, OpenIssueList
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.browsing import Browser, a_browser, as_
from tests.db.deciding import approver, refuse

pytestmark = pytest.mark.usefixtures("committed")

TITLE = "Reiniciar o consumidor de pagamentos"
MOST_QUERIES = 36


def page(proposal: AgenteAprovacao, by: Browser | None = None, query: str = "") -> str:
    browser = by or a_reader(proposal)
    path = reverse("approvals:detail", args=[proposal.ref])
    return html.unescape(browser.read(path + query))


def a_reader(proposal: AgenteAprovacao) -> Browser:
    with tenant_scope(proposal.tenant_id):
        return a_browser(Tenant.objects.get(pk=proposal.tenant_id), Role.APROVADOR)


def words(text: str) -> str:
    """The page as a reader hears it: without tags, one space between words."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def rewritten(admin: Connection, proposal: AgenteAprovacao, action: dict[str, Any]) -> None:
    """Another action with its own right hash, as an older or another release would have stored."""
    admin.execute(
        "UPDATE agente_aprovacao SET proposta = %s::jsonb, acao_hash = %s, acao = %s WHERE id = %s",
        [canonical.dumps(action), canonical.action_hash(action), action["kind"], proposal.pk],
    )


def test_what_changed_since_the_last_similar_one_stands_field_by_field() -> None:
    tenant = factories.a_tenant()
    before = refuse(factories.a_proposal(tenant, labels=("incidente",)), approver(tenant))
    text = page(factories.a_proposal(tenant, labels=("runbook",), description="Outro texto."))
    section = text.split("h-diferenca")[-1].split("</section>")[0]
    assert reverse("approvals:detail", args=[before.ref]) in section
    assert "recusada" in section
    assert before.motivo is not None
    assert before.motivo in section
    assert '<del class="token">incidente</del>' in section
    assert '<ins class="token">runbook</ins>' in section
    assert "Iguais: Tipo, Endereço, Projeto, Título, Responsáveis, Confidencial" in words(section)


def test_without_a_similar_one_it_says_so() -> None:
    text = page(factories.a_proposal(factories.a_tenant()))
    assert "Nenhuma proposta deste tipo para este destino foi aprovada ou recusada antes." in text


def test_nobody_has_looked_yet_is_said_and_not_shown_as_nothing_found() -> None:
    text = words(page(factories.a_proposal(factories.a_tenant())))
    assert "No destino: Ainda não foi procurado." in text
    assert "Nenhuma com título parecido" not in text


def test_like_work_open_elsewhere_is_named_with_the_time_it_was_looked_up() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, title=TITLE)
    other = factories.a_proposal(tenant, title=f"{TITLE} já")
    issue = {"iid": 31, "title": f"{TITLE} hoje", "url": "https://git.example/31"}
    with tenant_scope(tenant.pk):
        OpenIssueList.objects.update(issues=[issue], looked_at=clock.now(), complete=False)
    text = page(proposal)
    assert 'href="https://git.example/31"' in text
    assert reverse("approvals:detail", args=[other.ref]) in text
    assert "1 issue aberta lida, as mais novas; o projeto tem mais." in words(text)
    assert "Procurado em" in text
    assert "há parecidas: confira antes de decidir" in text


def test_the_remote_asked_for_nothing_while_the_page_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nobody(*_arguments: object, **_values: object) -> None:
        raise AssertionError("the web process asked the remote")

    monkeypatch.setattr("opspilot.connectors.http.BoundedClient.request", nobody)
    assert "Ainda não foi procurado" in page(factories.a_proposal(factories.a_tenant()))


def test_the_agent_its_owner_model_and_instruction_are_named() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    owner = factories.a_principal(tenant, Role.OPERADOR)
    draft = factories.a_draft(owner)
    agent = AgentFacts("triagem", owner.subject, "modelo-pequeno-2", "a" * 64)
    with tenant_scope(tenant.pk):
        proposal = proposals.create(
            principal=owner,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[],
            agent=agent,
        )
    text = words(page(proposal))
    for part in ("(triagem)", owner.name, "modelo-pequeno-2", "a" * 64):
        assert part in text.split("Quem pediu")[1]


def test_a_person_who_asked_is_named_and_no_agent_is_invented() -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    section = words(page(proposal)).split("Quem pediu")[1][:120]
    assert f"Pessoa {proposal.solicitante_nome}" in section
    assert "Modelo" not in section


def test_how_to_go_back_and_what_cannot_be_undone_are_both_said() -> None:
    text = page(factories.a_proposal(factories.a_tenant()))
    assert "aprovada por outra pessoa, fecha a issue" in text
    assert "Fechar não apaga" in text


def test_both_times_left_are_shown() -> None:
    text = words(page(factories.a_proposal(factories.a_tenant())))
    assert re.search(r"Prazo em \d", text)
    assert re.search(r"Executar até em \d", text)


def test_the_body_is_drawn_with_its_marker_and_nothing_in_it_acts() -> None:
    proposal = factories.a_proposal(
        factories.a_tenant(), description="**Forte** [x](https://evil.example)\n\n# Título"
    )
    raw = a_reader(proposal).read(reverse("approvals:detail", args=[proposal.ref]))
    section = raw.split('id="h-aparece"')[1].split("</section>")[0]
    assert "<strong>Forte</strong>" in section
    assert "<a" not in section
    assert re.search(r"opk[0-9a-f]{32}", section.replace("<wbr>", ""))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("solicitante_nome", "operador\u202e 1"),
        ("justificativa", "A fila p\u0430rou."),
        ("justificativa", "Antes" + " " * 6000 + "depois"),
        ("modelo", "modelo\u200b"),
    ],
)
def test_a_deceptive_character_is_warned_of_in_every_field(
    admin: Connection, field: str, value: str
) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    if field == "modelo":
        admin.execute("UPDATE agente_aprovacao SET agente = 'x' WHERE id = %s", [proposal.pk])
    statement = sql.SQL("UPDATE agente_aprovacao SET {} = %s WHERE id = %s")
    admin.execute(statement.format(sql.Identifier(field)), [value, proposal.pk])
    text = page(proposal)
    assert "Há caracteres que não se veem, ou que passam por outros." in text
    assert "U+" in text.split("<main")[1]
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", text)


@pytest.mark.parametrize("field", ["alias", "title", "labels", "assignees"])
def test_the_same_holds_for_what_will_be_sent(admin: Connection, field: str) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    action = dict(proposal.proposta)
    spoof = "p\u0430g\u200b"
    odd: dict[str, Any] = {"labels": [spoof], "assignees": [{"name": spoof, "id": 1}]}
    rewritten(admin, proposal, action | {field: odd.get(field, spoof)})
    text = page(proposal)
    assert "U+200B" in text
    assert "U+0430 CYRILLIC SMALL LETTER A" in text
    assert "\u200b" not in text


def test_nothing_deceptive_is_warned_of_where_there_is_nothing() -> None:
    assert "Há caracteres que não se veem" not in page(factories.a_proposal(factories.a_tenant()))


def test_an_action_of_an_unknown_kind_is_shown_as_stored_and_has_no_buttons(
    admin: Connection,
) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    rewritten(admin, proposal, {"kind": "foguete.lancado", "alvo": "lua", "schema": 1})
    text = page(proposal)
    assert "Este console não conhece este tipo de ação." in text
    assert '"alvo": "lua"' in text
    assert "decidir=aprovar" not in text
    assert "Aprovar…" not in text


def test_content_that_was_altered_is_said_to_be_and_is_decided_by_nobody(admin: Connection) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    admin.execute(
        "UPDATE agente_aprovacao SET proposta = proposta - 'labels' WHERE id = %s", [proposal.pk]
    )
    text = page(proposal)
    assert "O conteúdo guardado não é o que foi proposto." in text
    assert "decidir=" not in text
    assert page(proposal, query="?ver=json").count("project_path") >= 1


def test_a_moved_policy_is_marked_line_by_line_before_the_click() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_policy(tenant, projects=factories.projects_with("infra", labels=["runbook"]))
    text = page(proposal)
    assert "A política mudou desde a proposta." in text
    table = words(text.split('id="h-regras"')[1].split("</table>")[0])
    assert "Na proposta, versão 1" in table
    assert "Agora, versão 2" in table
    assert "Etiquetas mudou permite Etiqueta que a política deste projeto não tem" in table
    assert "decidir=aprovar" not in text
    assert "decidir=recusar" in text


def test_a_closed_one_is_judged_by_nothing_any_more() -> None:
    tenant = factories.a_tenant()
    proposal = refuse(factories.a_proposal(tenant), approver(tenant))
    table = page(proposal).split('id="h-regras"')[1].split("</table>")[0]
    assert "Na proposta, versão 1" in words(table)
    assert "Agora" not in table


def test_a_very_long_description_is_shown_to_its_last_word(admin: Connection) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    long = "Uma linha de texto com acentuação.\n" * 5_700 + "ÚLTIMA PALAVRA"
    assert len(long.encode()) > 200_000
    rewritten(admin, proposal, dict(proposal.proposta) | {"description": long})
    text = page(proposal)
    frozen = text.split('class="frozen"')[1].split("</section>")[0]
    assert "ÚLTIMA PALAVRA" in frozen
    assert "decidir=recusar" in text


def test_the_page_of_another_company_s_proposal_is_not_found() -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    stranger = a_browser(factories.a_tenant(), Role.APROVADOR)
    assert stranger.status(reverse("approvals:detail", args=[proposal.ref])) == 404


def test_what_the_page_asks_of_the_database_does_not_grow_with_what_surrounds_it() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, title=TITLE)
    browser = as_(approver(tenant))
    few = _queries(browser, proposal)
    for number in range(12):
        factories.a_proposal(tenant, title=f"{TITLE} {number}")
        refuse(factories.a_proposal(tenant, title=TITLE), approver(tenant))
    many = _queries(browser, proposal)
    assert many <= few + 2
    assert many <= MOST_QUERIES


def _queries(browser: Browser, proposal: AgenteAprovacao) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert browser.status(reverse("approvals:detail", args=[proposal.ref])) == 200
    return len(captured)


def test_the_attempts_of_one_request_are_one_story() -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    first = refuse(factories.a_proposal(tenant, by=requester), approver(tenant))
    second = _again(tenant, first)
    story = words(page(second).split('id="h-tentativas"')[1].split("</section>")[0])
    assert "Tentativa anterior: recusada." in story
    assert f"Motivo: {first.motivo}" in story
    assert "Esta proposta." in story
    later = words(page(first).split('id="h-tentativas"')[1].split("</section>")[0])
    assert "Pedida de novo: pendente." in later


def _again(tenant: Tenant, before: AgenteAprovacao) -> AgenteAprovacao:
    by = factories.a_principal(tenant, Role.OPERADOR)
    draft = factories.a_draft(by)
    with tenant_scope(tenant.pk):
        return proposals.create(
            principal=by,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[],
            anterior=before,
        )
