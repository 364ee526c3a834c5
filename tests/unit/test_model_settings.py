"""OPSPILOT_PROVIDERS and OPSPILOT_PLANNER: what is not understood stops the process."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from opspilot.settings.providers import planner, providers

ONE: dict[str, Any] = {"name": "principal", "url": "https://models.example/v1", "model": "m"}


def test_a_provider_has_the_route_that_is_said() -> None:
    (one,) = providers(json.dumps([ONE | {"route": "cheap"}]))
    assert one["route"] == "cheap"


@pytest.mark.parametrize("wrong", [{"route": "human"}, {"route": ""}, {"way": "cheap"}])
def test_another_route_or_name_stops_the_process(wrong: dict[str, str]) -> None:
    with pytest.raises(ImproperlyConfigured):
        providers(json.dumps([ONE | wrong]))


@pytest.mark.parametrize("text", ["rules", "model"])
def test_the_planner_is_the_one_that_is_said(text: str) -> None:
    assert planner(text, providers(json.dumps([ONE]))) == text


@pytest.mark.parametrize(("text", "known"), [("model", ()), ("modelo", (ONE,)), ("", (ONE,))])
def test_a_planner_that_is_not_there_stops_the_process(
    text: str, known: tuple[dict[str, Any], ...]
) -> None:
    with pytest.raises(ImproperlyConfigured):
        planner(text, known)
