"""The sweep looks every five seconds, but not at everything."""

from __future__ import annotations

import pytest

from opspilot.resilience import pressure, shedding
from opspilot.worker import tasks, watch


def looked_for(monkeypatch: pytest.MonkeyPatch, timestamp: int) -> list[str]:
    kinds: list[str] = []
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(tasks, "due", lambda kind, limit: kinds.append(kind))
    monkeypatch.setattr(pressure, "measure", lambda *, known: None)
    monkeypatch.setattr(shedding, "rests", lambda _work: False)
    monkeypatch.setattr(watch, "note_sweep", lambda: None)
    tasks.sweep(timestamp)
    return kinds


def test_every_lane_is_looked_at_within_fifteen_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {kind for at in (5, 10, 15) for kind in looked_for(monkeypatch, at)}
    assert seen == set(tasks.KINDS)


def test_what_reads_every_waiting_proposal_is_looked_for_once_in_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = [kind for at in (5, 10, 15) for kind in looked_for(monkeypatch, at)]
    assert (seen.count("telling"), seen.count("escalation")) == (1, 1)
    assert (seen.count("notice"), seen.count("expiry")) == (3, 3)
