"""Case 13: a list that shows nothing says why: no data, no rights, no filter hit, or a source that is down.

Each list is opened in each of the ways it can be empty. The sentences of one list differ, each names
a next step, and none of them says "erro". The words are the server's, so no browser is needed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest
from django.db import OperationalError, connection

from audit.models import Entity
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.usefixtures("committed")

UNKNOWN = "111.444.777-35"
BUTTON = "<(a|button) "
# Empty states, and notes apart from the two strips that the script fills; none holds another.
_BLOCK = re.compile(
    r'<div class="(?:empty|note)"(?![^>]* hidden).*?'
    r'(?=<div class="(?:empty|note)"|</main|<section|<form|<footer|<table)',
    re.DOTALL,
)
_HEADING = re.compile(r"<(h[1-3]|b)\b[^>]*>(.*?)</\1>", re.DOTALL)


def nothing(tenant: Tenant) -> str:
    return ""


def a_proposal(tenant: Tenant) -> str:
    factories.a_proposal(tenant)
    return ""


def a_document(tenant: Tenant) -> str:
    factories.a_published_document(tenant)
    return ""


def a_customer(tenant: Tenant) -> str:
    """The end of the address of a customer about whom nothing was done."""
    with tenant_scope(tenant.pk):
        found = Entity.objects.create(
            tenant=tenant, type="cliente", title="CPF ***.982.247-**", document_hash="0" * 64
        )
    return f"{found.type}/{found.ref}/"


@dataclass(frozen=True, slots=True)
class Emptiness:
    """One list and one reason why it shows nothing; `step` is where the page says what to do."""

    of: str
    why: str
    role: Role
    path: str
    says: str
    given: Callable[[Tenant], str] = nothing
    typed: str = ""  # posted as `documento` or `q`
    down: str = ""  # the table that does not answer
    step: str = BUTTON

    def __str__(self) -> str:
        return f"{self.of}, {self.why}"


OPERADOR, APROVADOR, AUDITOR, ADMIN = Role.OPERADOR, Role.APROVADOR, Role.AUDITOR, Role.ADMIN
QUEUE, DOCS, MINE, RUNS = "/aprovacoes/", "/conhecimento/", "/perguntar/", "/trilha/entidades/"
FIND, SEARCH = "/trilha/procurar/", "/busca/"
NO_ROLE, NO_ANSWER = "Seu papel não abre esta página", "A página não pôde ser montada"
E = Emptiness
LISTS = [
    E("painel", "no data", APROVADOR, "/", "Nada espera por você", step="Ver a fila"),
    E("painel", "no rights", OPERADOR, "/", "Nada parado e nada pedido", step="Perguntar aos"),
    E("painel", "down", APROVADOR, "/", "A fila de aprovações não respondeu", down="agente_aprov",
      step="Atualize a página"),
    E("fila", "no data", APROVADOR, QUEUE, "Fila vazia"),
    E("fila", "no rights", OPERADOR, f"{QUEUE}?fila=para-mim", "Seus papéis não decidem propostas"),
    E("fila", "no hit", APROVADOR, f"{QUEUE}?risco=alto", "O filtro esconde tudo", a_proposal),
    E("fila", "down", APROVADOR, QUEUE, NO_ANSWER, down="agente_aprov"),
    E("minhas", "no data", OPERADOR, f"{QUEUE}?fila=minhas", "Nada nesta fila"),
    E("todas", "no data", OPERADOR, f"{QUEUE}?fila=todas", "Ainda não há propostas"),
    E("documentos", "no data", ADMIN, DOCS, "Ainda não há documentos", step="Enviar arquivos"),
    E("documentos", "no rights", OPERADOR, f"{DOCS}?estado=recusado", "Só um admin vê estes"),
    E("documentos", "no hit", ADMIN, f"{DOCS}?estado=recusado", "Nenhum documento com", a_document),
    E("documentos", "down", ADMIN, DOCS, NO_ANSWER, down="collection"),
    E("perguntas", "no data", OPERADOR, MINE, "Você ainda não perguntou nada", step="Sua pergunta"),
    E("perguntas", "no rights", AUDITOR, MINE, NO_ROLE),
    E("perguntas", "down", OPERADOR, MINE, NO_ANSWER, down='"run"'),
    E("rodadas", "no data", AUDITOR, RUNS, "A trilha ainda não tem"),
    E("rodadas", "no rights", OPERADOR, RUNS, NO_ROLE),
    E("rodadas", "no hit", AUDITOR, FIND, "Nenhum registro de CPF", typed=UNKNOWN, step="CPF ou"),
    E("rodadas", "down", AUDITOR, RUNS, NO_ANSWER, down="agente_acao"),
    E("cliente", "no data", AUDITOR, RUNS, "Nenhum registro deste cliente", a_customer),
    E("cliente", "no rights", OPERADOR, RUNS, NO_ROLE, a_customer),
    E("cliente", "no hit", AUDITOR, f"{RUNS}?periodo=hoje", "Nenhum registro com", a_customer),
    E("cliente", "down", AUDITOR, RUNS, NO_ANSWER, a_customer, down="agente_acao"),
    E("busca", "no data", OPERADOR, SEARCH, "O que se pode buscar", step="O que você procura"),
    E("busca", "no rights", OPERADOR, SEARCH, "O histórico de um cliente é", typed=UNKNOWN,
      step="Peça a um"),
    E("busca", "no hit", OPERADOR, f"{SEARCH}?q=zzzqq", "Nada encontrado", step="pergunte aos"),
    E("busca", "down", OPERADOR, f"{SEARCH}?q=zzzqq", NO_ANSWER, down="agente_aprov"),
]  # fmt: skip


@contextmanager
def unanswered(table: str) -> Iterator[None]:
    """Whatever is asked of this table fails, as under a lock that outlasts the time allowed."""

    def refuse(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if table and table in sql:
            raise OperationalError("canceling statement due to statement timeout")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        yield


def opened(case: Emptiness) -> str:
    tenant = factories.a_tenant()
    end = case.given(tenant)
    address, _, query = case.path.partition("?")
    browser: Browser = a_browser(tenant, case.role)
    with unanswered(case.down):
        if case.typed:
            name = "q" if case.of == "busca" else "documento"
            return browser.send(address, **{name: case.typed})
        return browser.read(f"{address}{end}?{query}")


def blocks(page: str) -> list[str]:
    return _BLOCK.findall(page[page.index("<main") :])


def words(markup: str) -> str:
    """Without codes and ids, which are told to whoever is asked for help."""
    bare = re.sub(r"<code\b.*?</code>|<[^>]+>", " ", markup, flags=re.DOTALL)
    return " ".join(unescape(bare).split())


def heading(block: str) -> str:
    found = _HEADING.search(block)
    return words(found[2]) if found else ""


@pytest.mark.parametrize("case", LISTS, ids=str)
def test_an_empty_list_says_why_and_what_next(case: Emptiness) -> None:
    page = opened(case)
    said = [block for block in blocks(page) if heading(block).startswith(case.says)]
    assert said, [heading(block) for block in blocks(page)]
    assert re.search(r"\berros?\b", words(page[page.index("<main") :]), re.IGNORECASE) is None
    where = said[0] if case.step == BUTTON else page[page.index("<main") :]
    assert re.search(case.step, where), words(said[0])


def test_the_reasons_of_one_list_read_differently() -> None:
    told: dict[str, list[str]] = defaultdict(list)
    for case in LISTS:
        told[case.of].append(case.says)
    assert {name: says for name, says in told.items() if len(says) != len(set(says))} == {}


def test_a_filter_over_an_empty_queue_is_not_blamed() -> None:
    page = opened(E("fila", "no data", APROVADOR, f"{QUEUE}?risco=alto", ""))
    assert [heading(block) for block in blocks(page)] == ["Fila vazia"]


def test_an_unknown_number_of_waiting_proposals_is_left_out_of_the_frame() -> None:
    page = opened(E("painel", "down", APROVADOR, "/", "", down="agente_aprov"))
    rail = page[page.index('<nav class="rail') : page.index("<main")]
    assert "Aprovações" in rail
    assert "para você decidir" not in rail
