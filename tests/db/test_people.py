"""Accounts as the operator's shell makes them."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from opspilot.tenancy.models import User
from opspilot.tenancy.services import create_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("password", ["", "curta1!", "12345678901", "password", "operador1.teste"])
def test_a_password_that_is_easy_to_guess_makes_no_account(password: str) -> None:
    with pytest.raises(ValidationError):
        create_user(username="operador1.teste", display_name="operador 1", password=password)
    assert not User.objects.filter(username="operador1.teste").exists()
