"""The difference of two lists of who decides what, as an auditor reads it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from approvals.deciders.access_changes import changes

BEFORE: dict[str, Any] = {
    "politica": 1,
    "regras": [
        {
            "acao": "issue.criada", "risco": "alto", "papel": "aprovador", "depois": "",
            "votos": 2, "pessoas": 2,
        }
    ],
    "pessoas": [
        {
            "quem": "usuario:1", "nome": "aprovador 1", "papeis": ["aprovador"], "decide": [],
            "por_delegacao": [], "agentes": [], "conflitos": [],
        }
    ],
}  # fmt: skip


def changed(**values: Any) -> dict[str, Any]:
    after = copy.deepcopy(BEFORE)
    after["pessoas"][0] |= values
    return after


def test_equal_lists_say_nothing() -> None:
    assert changes(BEFORE, copy.deepcopy(BEFORE)) == []


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"papeis": ["admin"]}, "aprovador 1: papéis de aprovador para admin."),
        ({"papeis": []}, "aprovador 1: papéis de aprovador para nenhum."),
        ({"nome": "outro"}, "aprovador 1 agora se chama outro."),
        ({"agentes": ["a"]}, "aprovador 1: os agentes mudaram de nenhum para a."),
        (
            {"por_delegacao": [{"nome": "aprovador 2"}]},
            "aprovador 1: as delegações recebidas mudaram de nenhuma para aprovador 2.",
        ),
        ({"papeis": ["desconhecido"]}, "aprovador 1: papéis de aprovador para desconhecido."),
    ],
)
def test_each_change_of_a_person_is_one_sentence(values: dict[str, Any], sentence: str) -> None:
    assert changes(BEFORE, changed(**values)) == [sentence]


def test_people_are_compared_by_id_and_not_by_name() -> None:
    assert changes(BEFORE, changed(quem="usuario:2")) == [
        "Saiu aprovador 1, que tinha aprovador.",
        "Entrou aprovador 1, com aprovador.",
    ]


def test_a_rule_that_asks_for_somebody_else_is_told() -> None:
    after = copy.deepcopy(BEFORE)
    after["politica"] = 2
    after["regras"][0]["papel"] = "admin"
    assert changes(BEFORE, after) == [
        "A política passou da versão 1 para a 2.",
        "Issue criada, risco alto: decidia aprovador, votos: 2, decide admin, votos: 2.",
    ]


def test_how_many_hold_a_role_is_no_change_of_its_rule() -> None:
    after = copy.deepcopy(BEFORE)
    after["regras"][0]["pessoas"] = 1
    assert changes(BEFORE, after) == []
