"""The review says that a text was made inert when it was, and only then."""

from __future__ import annotations

from typing import Any

import pytest

from opspilot.tenancy.principal import Role
from tests import factories
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.usefixtures("committed")

WORDS = "Parte do texto foi neutralizada."
FORM: dict[str, Any] = {
    "alias": "infra",
    "titulo": "Fila parada",
    "descricao": "A fila parou.",
    "justificativa": "Clientes esperam pela fila.",
}


@pytest.fixture
def operador() -> Browser:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return a_browser(tenant, Role.OPERADOR)


@pytest.mark.parametrize(
    "changes",
    [
        {"descricao": "/close"},
        {"descricao": "Avise @plantao."},
        {"titulo": "Avise @plantao"},
    ],
)
def test_a_text_made_inert_is_said_to_be(operador: Browser, changes: dict[str, Any]) -> None:
    assert WORDS in operador.send("/rodadas/comando/", **FORM | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"descricao": "Reunião @ 10h, ver \\/tmp."},
        {"descricao": "Primeira linha.\r\nSegunda linha.  \r\n"},
        {"titulo": "Fila   parada  hoje"},
    ],
)
def test_a_text_that_was_only_tidied_is_not(operador: Browser, changes: dict[str, Any]) -> None:
    page = operador.send("/rodadas/comando/", **FORM | changes)
    assert "Confirmar proposta" in page
    assert WORDS not in page
