"""Every text that a person types in the rooms of the trail, and that is kept, is looked at."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest
from django import forms

import audit
from audit.guard.typed import WordsField
from audit.months.forms import HoldForm, LiftForm, RuleForm
from audit.registry.forms import EraseForm, MergeForm, SplitForm
from audit.reports import catalogue
from audit.reports.saved_form import SaveForm
from audit.trace.forms import AskForm
from opspilot.presentation.forms import StrictForm

# What is looked up and not kept, and a model's name as its column in the trail has it.
NOT_KEPT = {"documento", "outro", "modelo"}
FOUND = [
    "CPF 529.982.247-25 do cliente", "CPF 529%2E982%2E247-25", "senha: hunter2abc",
    "cartão 4111 1111 1111 1111", "CNPJ 11.222.333/0001-81", "glpat-abcdefghij0123456789",
]  # fmt: skip


def typed() -> list[tuple[str, StrictForm]]:
    """Each field of a person's own words, with a form it stands in."""
    made: list[StrictForm] = [
        RuleForm(), HoldForm(), LiftForm(choices=[]), MergeForm(), SplitForm(), EraseForm(),
        AskForm(), SaveForm(catalogue.get("repasse-humano")),
    ]  # fmt: skip
    return [
        (name, form)
        for form in made
        for name, field in form.fields.items()
        if type(field) in (forms.CharField, WordsField) and name not in NOT_KEPT
    ]


def test_the_walk_meets_every_field_it_should() -> None:
    found = sorted(name for name, _form in typed())
    assert found == ["base", *["motivo"] * 5, "motivo_fim", "motivo_guarda", "nome"]


@pytest.mark.parametrize("text", FOUND)
def test_a_secret_or_a_document_in_a_typed_text_is_told_of_at_its_field(text: str) -> None:
    for name, form in typed():
        data: dict[str, Any] = {name: text}
        form.data, form.is_bound = data, True
        form.full_clean()
        assert "Há um segredo ou documento" in str(form.errors[name]), (type(form), name)
        assert form[name].value() == text


def test_an_ordinary_reason_is_taken() -> None:
    assert AskForm({"motivo": "pedido do titular, protocolo 2026/114"}).is_valid()


def test_no_form_of_the_trail_has_a_free_text_that_this_walk_does_not_know() -> None:
    for found in pkgutil.walk_packages(audit.__path__, "audit."):
        if found.name.endswith("form") or found.name.endswith("forms"):
            for one in vars(importlib.import_module(found.name)).values():
                free = [
                    name
                    for name, field in getattr(one, "base_fields", {}).items()
                    if type(field) is forms.CharField and name not in NOT_KEPT
                ]
                assert free == [], (found.name, one)
