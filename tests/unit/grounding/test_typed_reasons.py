"""A reason typed in the rooms of knowledge is looked at as those of the trail are."""

from __future__ import annotations

from typing import Any

import pytest

from grounding.pages.forms import ReviewForm
from grounding.pages.lab_forms import FusionForm
from opspilot.budgets.forms import LimitForm
from opspilot.colecoes.forms import GrantForm, RevokeForm
from opspilot.presentation.forms import StrictForm
from opspilot.rodadas.feedback import DidNotHelpForm

OFFERED = [("papel:operador", "operador")]


@pytest.fixture(
    params=[
        lambda data: ReviewForm(data),
        lambda data: FusionForm(data),
        lambda data: LimitForm(data),
        lambda data: GrantForm(data, offered=OFFERED),
        lambda data: RevokeForm(data, offered=OFFERED),
        lambda data: DidNotHelpForm(data),
    ],
    ids=["review", "fusion", "limit", "grant", "revoke", "did not help"],
)
def form_with(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_a_secret_in_a_reason_is_told_of_at_its_field(form_with: Any) -> None:
    form: StrictForm = form_with({"motivo": "a senha: hunter2abc estava aqui"})
    assert "Há um segredo ou documento" in str(form.errors["motivo"])


def test_an_ordinary_reason_is_taken(form_with: Any) -> None:
    form: StrictForm = form_with({"motivo": "conferido com a equipe de plantão"})
    assert "motivo" not in form.errors
