"""Which route a request takes: the table of docs/how-to/answer-with-a-model.md, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import pytest

from opspilot.connectors.ports import Completer
from opspilot.harness.planning import routing
from opspilot.harness.planning.port import Route


@dataclass(frozen=True)
class Named:
    name: str
    route: str


@pytest.mark.parametrize(
    ("text", "is_plain", "route"),
    [
        ("Por que o disco encheu?", True, "cheap"),
        ("Reinicie o serviço em srv-01", False, "standard"),
        ("x " * 101, True, "standard"),
        ("O que é isto?\nERROR disk full\nERROR disk full", True, "standard"),
        ("Quem é operador1@empresa.com.br?", True, "cheap"),
        ("O CPF 529.982.247-25 não entra", True, "human"),
        ("O cartão 4111 1111 1111 1111 foi recusado", True, "human"),
        ("O token é glpat-aB3dE5fG7hJ9kL1mN2pQ, por que falha?", True, "human"),
        ("O colega com diabetes pediu acesso", False, "human"),
    ],
)
def test_a_request_takes_its_route(text: str, is_plain: bool, route: Route) -> None:
    assert routing.route(text, is_plain=is_plain) == route


def test_a_number_hidden_by_look_alikes_is_found_all_the_same() -> None:
    assert routing.route("CPF ５２９.９８２.２４７-２５") == "human"


def test_those_of_the_route_come_first_and_keep_their_order() -> None:
    given = [
        Named("a", "standard"),
        Named("b", "cheap"),
        Named("c", "standard"),
        Named("d", "cheap"),
    ]
    found = routing.in_order(cast("list[Completer]", given), "cheap")
    assert [one.name for one in found] == ["b", "d", "a", "c"]
