"""What the pages of the trail show of a row, and that reading them is a row too."""

from __future__ import annotations

import html
import re
import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.utils import translation

from audit import trail
from audit.models import AgenteAcao, Entity
from audit.vocabulary import ACTIONS, Authorization, Result
from grounding.models import Chunk
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.usefixtures("committed")

# Of passages that are gone: ids and versions are all that is left of them.
PASSAGES = [
    {"trecho": 31, "versao": 12, "sha256": "a", "inicio": 0, "fim": 9},
    {"trecho": 32, "versao": 12, "sha256": "b", "inicio": 0, "fim": 9},
    {"trecho": 44, "versao": 9, "sha256": "c", "inicio": 0, "fim": 9},
    {"trecho": 44, "versao": 9, "sha256": "c", "inicio": 9, "fim": 12},
]


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


def an_effect(tenant: Tenant, **values: Any) -> str:
    """A row about a customer; the address of the customer's history."""
    with tenant_scope(tenant.pk):
        entity = Entity.objects.create(
            tenant_id=tenant.pk, type="cliente", title="CPF ***", document_hash=uuid.uuid4().hex
        )
        row: dict[str, Any] = {
            "correlacao_id": uuid.uuid4(),
            "acao": "issue.criada",
            "resultado": Result.OK,
            "autorizacao": Authorization.HUMANA,
            "entidade_tipo": "cliente",
            "entidade_id": str(entity.ref),
        }
        trail.record(trail.Entry(**row | values))
    return f"/trilha/entidades/cliente/{entity.ref}/"


def a_row_about(ref: str, **values: Any) -> None:
    """In the open scope."""
    row: dict[str, Any] = {
        "correlacao_id": uuid.uuid4(),
        "acao": "issue.criada",
        "resultado": Result.OK,
        "autorizacao": Authorization.HUMANA,
        "entidade_tipo": "cliente",
        "entidade_id": ref,
    }
    trail.record(trail.Entry(**row | values))


def stories_of(page: str) -> list[str]:
    """Their titles, in order."""
    return [html.unescape(title) for title in re.findall(r"<h3 id=[^>]*>([^<]*)</h3>", page)]


def main_of(page: str) -> str:
    return page.partition("<main")[2]


def test_passages_that_are_gone_are_counted_and_their_ids_kept_for_the_run(
    tenant: Tenant, auditor: Browser
) -> None:
    run = uuid.uuid4()
    history = main_of(auditor.read(an_effect(tenant, fontes=PASSAGES, correlacao_id=run)))
    assert "3 trechos" in history
    assert "versões de id" not in history
    assert "31/12, 32/12, 44/9" in auditor.read(f"/trilha/correlacao/{run}/")


def test_a_passage_that_can_be_read_is_named_by_its_title_and_version(
    tenant: Tenant, auditor: Browser
) -> None:
    version = factories.a_published_document(tenant)
    with tenant_scope(tenant.pk):
        chunk = Chunk.objects.filter(version=version)[0]
    cited = {"trecho": chunk.pk, "versao": version.pk, "sha256": chunk.sha256}
    page = main_of(auditor.read(an_effect(tenant, fontes=[cited | {"inicio": 0, "fim": 9}])))
    assert f">{version.title}</a> versão 1, trecho 1" in page


def test_people_are_named_and_their_ids_stand_only_where_the_run_is_compared(
    tenant: Tenant, auditor: Browser
) -> None:
    run = uuid.uuid4()
    address = an_effect(tenant, aprovado_por="aprovador 9 (usuario:77)", correlacao_id=run)
    assert "Issue criada · aprovador 9" in auditor.read(address)
    assert "usuario:77" not in main_of(auditor.read(address))
    before, _details, details = main_of(auditor.read(f"/trilha/correlacao/{run}/")).partition(
        "<details"
    )
    assert "usuario:77" not in before
    assert "usuario:77" in details


def test_in_english_labels_are_english_and_stored_words_say_that_they_are_portuguese(
    tenant: Tenant, auditor: Browser
) -> None:
    with translation.override("en"):
        words = str(ACTIONS["aprovacao.recusada"].words)
    auditor.client.cookies["django_language"] = "en"
    address = an_effect(
        tenant, acao="aprovacao.recusada", saida_resumo="falta o motivo", erro="destino_ocupado"
    )
    page = main_of(auditor.client.get(address, headers={"accept-language": "en"}).content.decode())
    assert words != "Aprovação recusada"
    assert words in page
    assert (
        '<span lang="pt-BR">falta o motivo · o destino pediu para esperar; nada foi feito</span>'
        in page
    )


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (Decimal(0), "sem custo"),
        (Decimal("12.5"), "custo: R$ 0,1250"),
        (Decimal(250), "custo: R$ 2,50"),
        (None, "custo: não informado"),
    ],
)
def test_the_cost_of_an_effect_is_said(
    tenant: Tenant, auditor: Browser, cost: Decimal | None, words: str
) -> None:
    assert words in auditor.read(an_effect(tenant, custo_exato=cost))


def test_what_an_effect_is_undone_at_is_a_link_with_its_host_and_path(
    tenant: Tenant, auditor: Browser
) -> None:
    url = "https://gitlab.example/aurora/infra/-/issues/7?x=1"
    page = auditor.read(an_effect(tenant, reversivel=True, reversao_ref=url))
    assert f'<a href="{url}">gitlab.example/aurora/infra/-/issues/7</a>' in page


@pytest.mark.parametrize(
    "reference", ["javascript:alert(1)", "http:sem-host", "http://[x", "issue 7"]
)
def test_a_reference_that_is_no_web_address_stays_text(
    tenant: Tenant, auditor: Browser, reference: str
) -> None:
    page = auditor.read(an_effect(tenant, reversao_ref=reference))
    assert reference in page
    assert f'href="{reference}' not in page


def test_reading_a_run_is_a_row_of_its_own_that_says_which(
    tenant: Tenant, auditor: Browser
) -> None:
    run = uuid.uuid4()
    an_effect(tenant, correlacao_id=run)
    assert auditor.status(f"/trilha/correlacao/{run}/") == 200
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="historico.lido")
    assert (row.entidade_id, row.saida_resumo) == (None, f"rodada {run}")
    assert row.correlacao_id != run
    assert auditor.read(f"/trilha/correlacao/{run}/").count("Histórico lido") == 0


def test_a_history_longer_than_a_page_leads_to_every_older_row_once(
    tenant: Tenant, auditor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.views.story.PAGE", 2)
    address = an_effect(tenant, saida_resumo="linha 0")
    ref = address.split("/")[-2]
    with tenant_scope(tenant.pk):
        for number in range(1, 5):
            a_row_about(ref, saida_resumo=f"linha {number}")
    read: list[str] = []
    path = f"{address}?acao=efeito"
    while path:
        page = auditor.read(path)
        read += re.findall(r"linha \d", page)
        older = re.search(r'href="(\?acao=efeito&amp;antes=[^"]+)"', page)
        path = address + html.unescape(older[1]) if older else ""
    assert read == [f"linha {number}" for number in (4, 3, 2, 1, 0)]


def test_filters_of_kind_and_period_stand_in_the_address(tenant: Tenant, auditor: Browser) -> None:
    address = an_effect(tenant)
    assert "Issue criada" in auditor.read(f"{address}?acao=efeito&periodo=7d")
    assert stories_of(auditor.read(f"{address}?acao=leituras")) == ["Histórico lido"]
    hidden = main_of(auditor.read(f"{address}?ate=2020-01-01"))
    assert "Nenhum registro com estes filtros" in hidden
    assert f'href="{address}"' in hidden


@pytest.mark.parametrize(
    "query",
    [
        "acao=x",
        "periodo=9",
        "de=31/12",
        "ate=2026-99-99",
        "antes=x,1",
        "antes=9999-12-31T23:59:59-14:00,1",
        "de=0001-01-01",
    ],
)
def test_what_an_address_has_wrong_is_left_out(
    tenant: Tenant, auditor: Browser, query: str
) -> None:
    assert "Issue criada" in auditor.read(f"{an_effect(tenant)}?{query}")


def test_a_customer_nothing_was_done_about_gets_the_negative_sentence(
    tenant: Tenant, auditor: Browser
) -> None:
    with tenant_scope(tenant.pk):
        entity = Entity.objects.create(
            tenant_id=tenant.pk, type="cliente", title="CPF ***", document_hash=uuid.uuid4().hex
        )
    assert "Nenhum registro deste cliente" in auditor.read(
        f"/trilha/entidades/cliente/{entity.ref}/"
    )


def test_an_unknown_and_a_foreign_customer_get_the_same_negative_sentence(auditor: Browser) -> None:
    foreign = an_effect(factories.a_tenant())
    for address in (foreign, f"/trilha/entidades/cliente/{uuid.uuid4()}/"):
        assert auditor.status(address) == 404
        assert "Nenhum registro deste cliente" in auditor.read(address)


def test_a_run_leads_to_its_proposal_and_its_customer(tenant: Tenant, auditor: Browser) -> None:
    proposal = factories.a_proposal(tenant)
    page = auditor.read(f"/trilha/correlacao/{proposal.correlacao_id}/")
    assert f'href="/rodadas/{proposal.correlacao_id}/aprovacao/"' in page
    done = auditor.client.get(f"/rodadas/{proposal.correlacao_id}/aprovacao/")
    assert done.headers["Location"] == f"/aprovacoes/{proposal.ref}/"


def test_a_run_without_a_proposal_leads_to_none(auditor: Browser) -> None:
    assert auditor.status(f"/rodadas/{uuid.uuid4()}/aprovacao/") == 404


def test_a_trail_without_runs_says_so(auditor: Browser) -> None:
    assert "A trilha ainda não tem rodadas" in auditor.read("/trilha/entidades/")


def test_the_way_back_from_a_run_leads_to_where_its_reader_came_from(
    tenant: Tenant, auditor: Browser
) -> None:
    run = uuid.uuid4()
    an_effect(tenant, correlacao_id=run)
    page, asked = f"/trilha/correlacao/{run}/", "/trilha/consultas/acoes-irreversiveis/?periodo=7d"
    came = auditor.client.get(page, headers={"Referer": f"http://testserver{asked}"})
    assert f'<a href="{asked}"' in came.content.decode()
    assert '<a href="/trilha/entidades/"' in main_of(auditor.read(page))


def test_a_typing_mistake_is_told_calmly_in_the_trail(tenant: Tenant, auditor: Browser) -> None:
    auditor.client.post("/trilha/procurar/", {"documento": "123"})
    told = main_of(auditor.read("/trilha/entidades/"))
    assert "Formulário a corrigir" in told
    assert "Ação recusada" not in told


def test_one_page_of_the_trail_has_the_search_and_the_others_lead_to_it(auditor: Browser) -> None:
    assert 'name="documento"' in main_of(auditor.read("/trilha/"))
    assert 'name="documento"' not in main_of(auditor.read("/trilha/entidades/"))
    assert 'href="/trilha/"' in main_of(auditor.read("/trilha/entidades/"))
