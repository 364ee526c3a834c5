"""Groups of the company's provider to roles here."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from opspilot.accounts import role_map
from opspilot.tenancy.principal import Role

MAP = role_map.parsed({"ops-approvers": "aprovador", "ops": ["operador", "auditor"]})


def test_a_group_gives_its_roles_and_several_add_up() -> None:
    assert role_map.roles_for(["ops", "ops-approvers"], MAP) == {
        Role.OPERADOR,
        Role.AUDITOR,
        Role.APROVADOR,
    }


@pytest.mark.parametrize("name", ["OPS", "ops ", "ops-approver", "cn=ops", ""])
def test_a_group_that_is_almost_the_right_one_gives_nothing(name: str) -> None:
    assert role_map.roles_for([name], MAP) == frozenset()


@pytest.mark.parametrize(
    "setting", [{"ops": "chefe"}, {"ops": ["operador", "chefe"]}, {"ops": None}, {"ops": [1]}, []]
)
def test_a_role_we_do_not_have_stops_the_process(setting: Any) -> None:
    with pytest.raises(ImproperlyConfigured):
        role_map.parsed(setting)


@pytest.mark.parametrize(
    ("claims", "groups"),
    [
        ({"groups": ["a", "b"]}, ["a", "b"]),
        ({"groups": "a"}, ["a"]),
        ({"groups": "a,b"}, ["a,b"]),
        ({"groups": []}, []),
        ({"groups": ""}, []),
        ({}, None),
        ({"groups": None}, None),
        ({"groups": {"a": True}}, None),
        ({"groups": ["a", 1]}, None),
    ],
)
def test_an_absent_or_unreadable_claim_is_not_an_empty_one(
    claims: dict[str, Any], groups: list[str] | None
) -> None:
    assert role_map.groups_in(claims, "groups") == groups


def test_with_an_issuer_the_other_names_are_needed_too(settings: Settings) -> None:
    settings.OPSPILOT_OIDC_ISSUER = "https://login.example"
    settings.OPSPILOT_OIDC_CLIENT_ID = "opspilot"
    with pytest.raises(ImproperlyConfigured, match="OPSPILOT_OIDC_CLIENT_SECRET"):
        role_map.check_settings()


def test_without_an_issuer_nothing_is_needed(settings: Settings) -> None:
    settings.OPSPILOT_OIDC_ISSUER = ""
    role_map.check_settings()
