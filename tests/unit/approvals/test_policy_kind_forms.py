"""The editor of one kind that agents carry out: what is written is what the policy says."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from approvals.policy import policy_external_lines, policy_kind_forms
from approvals.policy.policy_document import ExternalField, PolicyDocument
from approvals.policy.policy_kind_forms import KindForm
from opspilot.presentation.reais import ReaisField, written
from tests import factories
from tests.db.agents_asking import CHANGED, EXTERNAL, REFUND, SORTED

DOCUMENT: dict[str, Any] = factories.POLICY | {"acoes_externas": EXTERNAL}
PARSED = PolicyDocument.model_validate(DOCUMENT)


def typed(kind: str = REFUND, **changes: Any) -> dict[str, Any]:
    values = policy_kind_forms.initial(PARSED, kind)
    return {name: value for name, value in values.items() if value != ""} | {"base": 1} | changes


def made(kind: str = REFUND, **changes: Any) -> dict[str, Any]:
    form = KindForm(typed(kind, **changes), kind=kind)
    assert form.is_valid(), form.errors
    return form.document(DOCUMENT)


@pytest.mark.parametrize("kind", [REFUND, CHANGED, SORTED])
def test_a_kind_that_is_not_changed_leaves_the_document_as_it_was(kind: str) -> None:
    assert policy_kind_forms.fits(PARSED, kind)
    assert made(kind) == DOCUMENT


def test_what_is_written_is_what_the_document_says() -> None:
    fields = "valor* = centavos; Valor\nmotivo = escolha; Por quê; em dobro | outro, não sei"
    rule = made(agentes="agente-b\nagente-c", campos=fields, teto="12,50")["acoes_externas"][REFUND]
    assert rule["agents"] == ["agente-b", "agente-c"]
    assert rule["ceiling_centavos"] == 1_250
    assert rule["fields"] == {
        "valor": {"type": "centavos", "label": "Valor", "required": True},
        "motivo": {
            "type": "escolha",
            "label": "Por quê",
            "required": False,
            "choices": ["em dobro", "outro, não sei"],
        },
    }


def test_a_kind_that_is_switched_off_goes_and_the_others_stay() -> None:
    assert made(permitida="nao")["acoes_externas"].keys() == {CHANGED, SORTED}


def test_the_last_kind_takes_the_section_with_it() -> None:
    before = factories.POLICY | {"acoes_externas": {REFUND: EXTERNAL[REFUND]}}
    form = KindForm(typed(permitida="nao"), kind=REFUND)
    assert form.is_valid()
    assert form.document(before) == factories.POLICY


def test_a_rule_alone_is_offered_only_for_what_has_no_effect_outside() -> None:
    assert not KindForm(typed(autorizacao="regra"), kind=REFUND).is_valid()
    assert KindForm(typed(SORTED, autorizacao="regra"), kind=SORTED).is_valid()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"agentes": ""}, "agentes"),
        ({"agentes": "Agente A"}, "agentes"),
        ({"campos": ""}, "campos"),
        ({"campos": "valor"}, "campos"),
        ({"campos": "valor = numero; Valor"}, "campos"),
        ({"campos": "Valor = centavos; Valor"}, "campos"),
        ({"campos": "nota = texto; Nota"}, "campos"),
        ({"campos": "nota = texto 99999; Nota"}, "campos"),
        ({"campos": "limit = inteiro; Limite"}, "campos"),
        ({"campos": "a = inteiro; A\na = data; A"}, "campos"),
        ({"campos": "a = centavos; A\nb = centavos; B"}, "teto"),
        ({"campos": "a = inteiro; A"}, "teto"),
        ({"teto": "1.000,00"}, "teto"),
        ({"minutos_decidir": ""}, "minutos_decidir"),
        ({"quorum_alto": 0}, "quorum_alto"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(changes: dict[str, Any], field: str) -> None:
    form = KindForm(typed(**changes), kind=REFUND)
    assert not form.is_valid()
    assert field in form.errors


def test_a_label_with_one_of_our_signs_is_not_edited_here_instead_of_changed() -> None:
    odd = copy.deepcopy(DOCUMENT)
    odd["acoes_externas"][REFUND]["fields"]["motivo"]["choices"] = ["um | dois"]
    assert not policy_kind_forms.fits(PolicyDocument.model_validate(odd), REFUND)
    field = ExternalField(type="data", label="Dia; hora")
    assert not policy_external_lines.comes_back({"dia": field})


@pytest.mark.parametrize(
    ("text", "centavos"), [("5", 500), ("5,07", 507), ("5.07", 507), ("", None)]
)
def test_reais_are_read_as_centavos_and_written_back(text: str, centavos: int | None) -> None:
    field = ReaisField(required=False)
    assert field.clean(text) == centavos
    assert field.clean(written(centavos)) == centavos
