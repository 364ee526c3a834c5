"""What an answer rests on: its own proof, its end, its words, and what may be asked of it."""

from __future__ import annotations

import re

import pytest

from audit.vocabulary import Result
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from tests import factories
from tests.db.browsing import Browser, a_browser
from tests.db.querying import COST, HISTORY, IRREVERSIBLE, LIBRARY, READINGS, a_row, main_of

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


def proof_of(page: str) -> str:
    found = re.search(r'href="(/trilha/consultas/[\w-]+/prova/[^"]+)"', page)
    assert found
    return found[1].replace("&amp;", "&")


def test_the_answers_own_proof_is_the_same_whoever_reads_meanwhile(tenant: Tenant) -> None:
    compliance = a_browser(tenant, Role.CONFORMIDADE)
    compliance.read(COST)
    proof = proof_of(compliance.read(f"{READINGS}?periodo=hoje"))
    found = re.search(r"sha256 ([0-9a-f]{64})", compliance.read(proof))
    assert found
    assert "Igual." in compliance.read(f"{proof}&sha256={found[1]}")
    assert "Igual." in compliance.read(f"{proof}&sha256=sha256+{found[1].upper()}")


def test_what_is_no_hash_is_not_compared(tenant: Tenant, auditor: Browser) -> None:
    page = auditor.read(f"{IRREVERSIBLE}prova/?periodo=hoje&sha256=abc")
    assert "Isto não é um hash." in page
    assert "Mudou desde então." not in page


def test_asking_anew_and_saving_leave_the_fixed_end_behind(
    tenant: Tenant, auditor: Browser
) -> None:
    a_row(tenant, acao="tarefa.executada")
    end = "2999-11-30T10%3A00%3A00%2B00%3A00"
    page = main_of(auditor.read(f"{IRREVERSIBLE}?de=2020-01-01&fim={end}"))
    form = page.partition("<form")[2].partition("</form>")[0]
    assert 'name="fim"' not in form
    assert f"fim={end}" in proof_of(page)
    save = re.search(r'href="([^"]+/salvar/[^"]*)"', page)
    assert save
    assert "fim" not in save[1]


def test_an_answer_from_the_first_month_on_names_the_month(
    tenant: Tenant, auditor: Browser
) -> None:
    page = main_of(auditor.read(f"{IRREVERSIBLE}?de=2020-01-01"))
    assert re.search(r"Desde \d\d/\d{4} \(antes disso a trilha não começou\) até agora", page)


def test_who_was_refused_and_why_stand_in_words(tenant: Tenant, auditor: Browser) -> None:
    a_row(
        tenant, acao="acao.recusada", resultado=Result.RECUSADO, entrada_resumo="operador 1",
        saida_resumo="entrada_invalida",
    )  # fmt: skip
    a_row(tenant, resultado=Result.RECUSADO, erro="politica_mudou")
    page = main_of(auditor.read(f"{LIBRARY}recusas-e-nao-acoes/?periodo=hoje"))
    assert 'data-label="Quem">operador 1<' in page
    assert "Este conteúdo não pode ser aceito" in page
    assert "a política em vigor dá outro resultado" in page
    assert "entrada_invalida" not in page


@pytest.mark.parametrize("address", [IRREVERSIBLE, f"{LIBRARY}recusas-e-nao-acoes/", HISTORY])
def test_the_actions_to_choose_from_are_in_order_and_can_be_answered(
    address: str, auditor: Browser
) -> None:
    page = main_of(auditor.read(address))
    select = page.partition('name="acao"')[2].partition("</select>")[0]
    words = re.findall(r"<option[^>]*>([^<]+)<", select)[1:]
    assert words == sorted(words, key=lambda text: text.replace("ç", "c").replace("ã", "a").lower())
    assert "Execução revertida" not in words or address == HISTORY
    assert "Token emitido" not in words
    assert "Tarefa executada" in words
