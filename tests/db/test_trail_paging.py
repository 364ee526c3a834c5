"""Pages of a long history and of a long run: each story told once and whole, nothing cut in
silence, and the months that are gone named."""

from __future__ import annotations

import datetime as dt
import html
import re
import uuid
from typing import Any

import pytest

from approvals.models import Execution, ExecutionAttempt
from audit.models import TrailExpiry
from audit.story import gaps
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser
from tests.db.merged_entities import a_customer
from tests.db.test_trail_pages import a_row_about, main_of, stories_of

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


@pytest.fixture
def two_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.views.story.PAGE", 2)
    monkeypatch.setattr("audit.views.story.RUN_PAGE", 2)


@pytest.fixture
def ref(tenant: Tenant) -> str:
    with tenant_scope(tenant.pk):
        return str(a_customer(tenant).ref)


def a_story(ref: str, *, run: uuid.UUID | None = None, **of_effect: Any) -> None:
    """Prepared, decided, carried out: three rows of one run, in the open scope."""
    shared = {"correlacao_id": run or uuid.uuid4()}
    waits = {"resultado": Result.PENDENTE, "autorizacao": Authorization.PENDENTE}
    a_row_about(ref, **shared, **waits)
    a_row_about(ref, **shared, acao="aprovacao.concedida", aprovado_por="aprovador 9 (usuario:9)")
    a_row_about(ref, **shared, **of_effect)


def link(page: str, words: str) -> str:
    """The address behind these words in the list of pages; "" where there is none."""
    found = re.search(rf'href="([^"]+)" rel="(?:next|prev)">{words}', page)
    return html.unescape(found[1]) if found else ""


def test_a_story_that_straddles_two_pages_is_told_whole_on_the_newer_one_and_said_on_the_older(
    tenant: Tenant, auditor: Browser, two_a_page: None, ref: str
) -> None:
    with tenant_scope(tenant.pk):
        a_story(ref, saida_resumo="efeito antigo")
        a_story(ref, saida_resumo="efeito novo")
    address = f"/trilha/entidades/cliente/{ref}/"
    first = main_of(auditor.read(address))
    for words in ("Proposta preparada", "Aprovação concedida · aprovador 9", "efeito novo"):
        assert words in first
    second = main_of(auditor.read(address + link(first, "Mais antigas")))
    assert "Contada inteira numa página mais nova" in second
    assert "efeito novo" not in second
    assert "efeito antigo" in second


def test_newer_pages_lead_back_the_way_one_came(
    tenant: Tenant, auditor: Browser, two_a_page: None, ref: str
) -> None:
    with tenant_scope(tenant.pk):
        for number in range(5):
            a_row_about(ref, saida_resumo=f"linha {number}")
    address = f"/trilha/entidades/cliente/{ref}/"
    read, page = [], auditor.read(address)
    for _step in range(2):
        page = auditor.read(address + link(page, "Mais antigas"))
    for _step in range(2):
        page = auditor.read(address + link(page, "Mais novas"))
        read += re.findall(r"linha \d", main_of(page))
    assert read == ["linha 2", "linha 1", "linha 4", "linha 3"]
    assert link(page, "Mais novas") == ""


def test_while_rows_come_in_no_older_row_is_read_twice_or_lost(
    tenant: Tenant, auditor: Browser, two_a_page: None, ref: str
) -> None:
    with tenant_scope(tenant.pk):
        for number in range(4):
            a_row_about(ref, saida_resumo=f"linha {number}")
    address = f"/trilha/entidades/cliente/{ref}/"
    page = auditor.read(address)
    read = re.findall(r"linha \d", page)
    with tenant_scope(tenant.pk):
        a_row_about(ref, saida_resumo="entrou agora")
    read += re.findall(r"linha \d", auditor.read(address + link(page, "Mais antigas")))
    assert read == [f"linha {number}" for number in (3, 2, 1, 0)]


def test_a_run_too_long_to_be_told_whole_says_that_it_goes_on(
    tenant: Tenant,
    auditor: Browser,
    two_a_page: None,
    ref: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("audit.story.entity_page.LONGEST", 2)
    with tenant_scope(tenant.pk):
        a_story(ref)
    page = auditor.read(f"/trilha/entidades/cliente/{ref}/")
    assert "Esta rodada tem muitas linhas e continua" in page


def test_a_filter_chooses_the_stories_and_each_is_told_whole(
    tenant: Tenant, auditor: Browser, ref: str
) -> None:
    with tenant_scope(tenant.pk):
        a_story(ref)
        a_row_about(ref, acao="acao.recusada", resultado=Result.RECUSADO)
    page = main_of(auditor.read(f"/trilha/entidades/cliente/{ref}/?acao=aprovacao.concedida"))
    assert stories_of(page) == ["Issue criada"]
    assert "Proposta preparada" in page


def test_look_ups_in_a_row_are_one_line_that_says_how_many(
    tenant: Tenant, auditor: Browser, ref: str
) -> None:
    run = uuid.uuid4()
    with tenant_scope(tenant.pk):
        for _look in range(3):
            a_row_about(
                ref,
                correlacao_id=run,
                acao="execucao.procurada",
                resultado=Result.DESCONHECIDO,
                autorizacao=Authorization.REGRA,
            )
    page = main_of(auditor.read(f"/trilha/entidades/cliente/{ref}/"))
    assert "Resultado procurado no destino, 3 vezes" in page
    assert page.count("<li data-state") == 1


@pytest.mark.parametrize(
    ("of_effect", "words"),
    [
        ({"reversivel": True, "reversao_ref": "https://gitlab.example/a/-/issues/7"}, "fechando"),
        ({"acao": "tarefa.executada"}, "não por si: só outra tarefa"),
        ({"resultado": Result.DESCONHECIDO}, "não se sabe se foi feita"),
        ({"resultado": Result.RECUSADO}, "nada a desfazer"),
        ({"acao": "execucao.revertida", "reversao_ref": str(uuid.uuid4())}, "já desfeita, por"),
    ],
)
def test_a_story_says_how_it_is_undone(
    tenant: Tenant, auditor: Browser, ref: str, of_effect: dict[str, Any], words: str
) -> None:
    with tenant_scope(tenant.pk):
        a_story(ref, **of_effect)
    assert words in main_of(auditor.read(f"/trilha/entidades/cliente/{ref}/"))


def test_a_story_says_who_authorised_it_on_what_by_which_rule_and_at_what_cost(
    tenant: Tenant, auditor: Browser, ref: str
) -> None:
    with tenant_scope(tenant.pk):
        a_story(
            ref,
            aprovado_por="aprovador 9 (usuario:9)",
            politica_versao=4,
            modelo="modelo-x",
            agente_versao="atendimento@2026.11.01",
            instrucao_hash="abcdef012345" + "0" * 52,
            custo_exato=None,
        )
    page = main_of(auditor.read(f"/trilha/entidades/cliente/{ref}/"))
    assert "aprovação humana, aprovador 9, política 4" in page
    assert "nenhuma fonte citada" in page
    assert "modelo-x · atendimento@2026.11.01 · instrução abcdef012345" in page
    assert "<dd>não informado</dd>" in page


def test_readings_are_shown_when_they_are_asked_for_and_do_not_bury_the_rest(
    tenant: Tenant, auditor: Browser, two_a_page: None, ref: str
) -> None:
    with tenant_scope(tenant.pk):
        a_row_about(ref)
    address = f"/trilha/entidades/cliente/{ref}/"
    for _reading in range(3):
        page = auditor.read(address)
    assert stories_of(page) == ["Issue criada"]
    assert stories_of(auditor.read(f"{address}?acao=leituras")) == ["Histórico lido"]


def test_a_run_longer_than_a_page_leads_to_each_of_its_rows_once(
    tenant: Tenant, auditor: Browser, two_a_page: None, ref: str
) -> None:
    run = uuid.uuid4()
    with tenant_scope(tenant.pk):
        for number in range(5):
            a_row_about(ref, correlacao_id=run, saida_resumo=f"linha {number}")
    address, read, path = f"/trilha/correlacao/{run}/", [], f"/trilha/correlacao/{run}/"
    while path:
        page = auditor.read(path)
        read += re.findall(r"linha \d", main_of(page))
        following = link(page, "Linhas seguintes")
        path = address + following if following else ""
    assert read == [f"linha {number}" for number in range(5)]


def test_an_internal_id_leads_to_the_page_of_an_entity_or_of_a_run(
    tenant: Tenant, auditor: Browser, ref: str
) -> None:
    run = uuid.uuid4()
    with tenant_scope(tenant.pk):
        a_row_about(ref, correlacao_id=run)
    for typed, address in (
        (ref, f"/trilha/entidades/cliente/{ref}/"),
        (str(run), f"/trilha/correlacao/{run}/"),
    ):
        answer = auditor.client.get("/trilha/", {"id": typed})
        assert answer.headers["Location"] == address


def test_an_unknown_and_a_foreign_id_get_the_same_sentence(auditor: Browser) -> None:
    other = factories.a_tenant()
    with tenant_scope(other.pk):
        foreign = str(a_customer(other).ref)
    for typed in (foreign, str(uuid.uuid4()), "529.982"):
        page = auditor.read(f"/trilha/?id={typed}")
        assert "Nenhum registro com este identificador" in page


def a_gap(month: dt.date) -> gaps.Gap:
    until = dt.datetime(month.year, month.month % 12 + 1, 1, tzinfo=dt.UTC)
    return gaps.Gap(f"{month:%m/%Y}", 12, "prazo de 6 meses", until, until)


def test_a_month_that_is_gone_stands_between_the_days_around_it() -> None:
    march = a_gap(dt.date(2026, 3, 1))
    april, february = (dt.datetime(2026, month, 2, tzinfo=dt.UTC) for month in (4, 2))
    assert gaps.between([march], newer=april, older=february) == [march]
    assert gaps.between([march], newer=february, older=None) == []
    assert gaps.between([march], newer=None, older=april) == []


def test_a_history_names_the_months_whose_rows_are_gone(
    tenant: Tenant, auditor: Browser, ref: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "of_company", lambda: [a_gap(dt.date(2026, 3, 1))])
    with tenant_scope(tenant.pk):
        a_row_about(ref)
        assert list(TrailExpiry.objects.all()) == []
    page = main_of(auditor.read(f"/trilha/entidades/cliente/{ref}/"))
    assert "Sem linhas: 03/2026." in page
    assert "prazo de 6 meses" in page


def test_a_run_s_page_tells_what_was_tried_at_the_target(auditor: Browser, tenant: Tenant) -> None:
    run = uuid.uuid4()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    asked = factories.a_proposal(tenant, by=requester, run_id=run)
    factories.approve(asked, factories.a_principal(tenant, Role.APROVADOR))
    with tenant_scope(tenant.pk):
        ExecutionAttempt.objects.create(
            tenant=tenant,
            execution=Execution.objects.get(approval=asked),
            number=1,
            kind="envio",
            claim_token=uuid.uuid4(),
        )
    page = main_of(auditor.read(f"/trilha/correlacao/{run}/"))
    assert "Tentativa 1: pedido enviado ao destino." in page
