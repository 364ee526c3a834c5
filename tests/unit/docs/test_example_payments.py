"""The worked agent's payments: one file for each proposal, whole or not there, and never late."""

from __future__ import annotations

import datetime as dt
import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.docs.documents import ROOT

REF = "0b0f2f3e-1111-4222-8333-444455556666"
Pay = Callable[[dict[str, str], dict[str, Any]], bool]


@pytest.fixture
def pay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pay:
    monkeypatch.setenv("REFUNDS", str(tmp_path))
    found: Pay = runpy.run_path(str(ROOT / "docs/examples/customer_service.py"))["pay"]
    return found


def due(**left: float) -> dict[str, str]:
    """The proposal, with this much time left to carry it out."""
    return {
        "ref": REF,
        "executar_ate": (dt.datetime.now(dt.UTC) + dt.timedelta(**left)).isoformat(),
    }


def written(folder: Path) -> list[object]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


def test_whoever_comes_second_pays_nothing(
    pay: Pay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pay(due(hours=1), {"n": 1})
    monkeypatch.setattr(Path, "exists", lambda _path: False)  # it looked before the first had paid
    assert pay(due(hours=1), {"n": 2})
    assert written(tmp_path) == [{"ref": REF, "action": {"n": 1}}]


def test_what_a_killed_copy_left_half_written_stops_nobody(pay: Pay, tmp_path: Path) -> None:
    (tmp_path / ".draft-x").write_text('{"ref": "0b0')
    assert pay(due(hours=1), {"n": 1})
    assert written(tmp_path) == [{"ref": REF, "action": {"n": 1}}]


def test_nothing_is_paid_late(pay: Pay, tmp_path: Path) -> None:
    assert not pay(due(seconds=-1), {"n": 1})
    assert list(tmp_path.iterdir()) == []


def test_what_was_paid_in_time_is_paid_also_afterwards(pay: Pay) -> None:
    pay(due(hours=1), {"n": 1})
    assert pay(due(seconds=-1), {"n": 1})
