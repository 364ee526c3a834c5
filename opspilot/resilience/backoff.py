"""Waiting times. Pure arithmetic: no clock, no randomness of its own."""

from __future__ import annotations


def exponential(attempt: int, *, first: float, ceiling: float) -> float:
    """Seconds before try `attempt` + 1: first, 2·first, 4·first … never above the ceiling."""
    return float(min(ceiling, first * 2 ** max(0, attempt - 1)))
