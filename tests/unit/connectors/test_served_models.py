"""Which served name is the model that was asked for."""

from __future__ import annotations

import pytest

from opspilot.connectors.completions import _is_the_same


@pytest.mark.parametrize("served", ["m-4o", "M-4o", "m-4o-2026-08-06", "m-4o:1", "m-4o@v2"])
def test_a_dated_form_of_the_name_is_the_model(served: str) -> None:
    assert _is_the_same(served, "m-4o")


@pytest.mark.parametrize("served", ["m-4o-mini", "m-4omni", "m-5", "", "m-4", "m-4o-2026 mini"])
def test_another_name_is_another_model(served: str) -> None:
    assert not _is_the_same(served, "m-4o")
