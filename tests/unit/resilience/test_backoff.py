from __future__ import annotations

from opspilot.resilience.backoff import exponential


def test_waits_double_up_to_the_ceiling() -> None:
    waits = [exponential(n, first=5.0, ceiling=60.0) for n in range(1, 7)]
    assert waits == [5.0, 10.0, 20.0, 40.0, 60.0, 60.0]
