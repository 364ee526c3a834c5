"""What a policy may say about the kinds that agents carry out; anything else is refused."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pydantic import ValidationError

from approvals.agents import external
from approvals.policy.external_rules import fits
from approvals.policy.policy_document import ExternalField, PolicyDocument
from tests import factories
from tests.db.agents_asking import CHANGED, EXTERNAL, REFUND, SORTED


def document(kind: str = REFUND, **changes: Any) -> PolicyDocument:
    kinds = copy.deepcopy(EXTERNAL)
    kinds[kind] |= changes
    return PolicyDocument.model_validate(factories.POLICY | {"acoes_externas": kinds})


def test_a_policy_without_the_section_allows_no_such_kind() -> None:
    assert PolicyDocument.model_validate(factories.POLICY).acoes_externas == {}


def test_the_kinds_are_those_the_trail_s_vocabulary_registers() -> None:
    assert {REFUND, SORTED, CHANGED} == external.KINDS


@pytest.mark.parametrize("kind", ["issue.criada", "tarefa.executada", "pedido.pago"])
def test_a_kind_that_is_not_registered_is_refused(kind: str) -> None:
    kinds = EXTERNAL | {kind: EXTERNAL[REFUND]}
    with pytest.raises(ValidationError, match="not a registered kind"):
        PolicyDocument.model_validate(factories.POLICY | {"acoes_externas": kinds})


def test_a_rule_alone_approves_nothing_that_has_an_effect_outside() -> None:
    with pytest.raises(ValidationError, match="approved by a person"):
        document(autorizacao="regra")


MONEY = {"type": "centavos", "label": "Valor"}


@pytest.mark.parametrize(
    "changes",
    [
        {"agents": []},
        {"agents": ["Agente A"]},
        {"fields": {}},
        {"fields": {"Valor": MONEY}},
        {"fields": {"a": MONEY, "b": MONEY}},
        {"fields": {"a": {"type": "inteiro", "label": "A"}}},  # a ceiling without money
        {"fields": {"a": {"type": "texto", "label": "A"}}, "ceiling_centavos": None},
        {"fields": {"a": {"type": "escolha", "label": "A"}}, "ceiling_centavos": None},
        {"fields": {"a": {"type": "data", "label": "A", "max_length": 3}}},
        {"fields": {"a": {"type": "numero", "label": "A"}}},
        {"ceiling_centavos": 0},
        {"risk": "nenhum"},
        {"quorum": {"baixo": 0, "medio": 1, "alto": 1}},
        {"segredo": 1},
    ],
)
def test_a_section_that_means_nothing_or_two_things_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        document(**changes)


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        ("inteiro", [0, -3, 10**14], ["3", "três"]),
        ("centavos", [1, 10**13], [0, -1, 10**13 + 1, "100"]),
        ("data", ["2026-02-28"], ["2026-02-29", "2026-2-28", "2026-W09-6", "20260228", 20260228]),
    ],
)
def test_a_value_fits_its_type_or_not(type_: Any, good: list[Any], bad: list[Any]) -> None:
    field = ExternalField(type=type_, label="x")
    assert [value for value in good if not fits(field, value)] == []
    assert [value for value in bad if fits(field, value)] == []


def test_a_field_of_an_agent_s_own_kind_may_have_a_name_that_a_task_s_variable_may_not() -> None:
    field = {"type": "inteiro", "label": "A"}
    found = document(fields={"inventory_id": field}, ceiling_centavos=None)
    assert list(found.acoes_externas[REFUND].fields) == ["inventory_id"]
