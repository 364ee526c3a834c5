"""How often each rule fired, how often it was let through, and how long the sequences were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError

from opspilot.errors import OpsPilotError

# What the product says no with: its own refusals, the database's, and a row that is not to be seen.
REFUSALS = (OpsPilotError, DatabaseError, ObjectDoesNotExist)


@dataclass
class Tally:
    fired: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    issues: int = 0
    steps: int = 0

    def act(self, name: str, act: Callable[[], Any]) -> bool:
        """Do it; True when it was let through. Anything but a refusal is a fault and is raised."""
        self.fired[name] += 1
        self.steps += 1
        try:
            act()
        except REFUSALS:
            return False
        self.passed[name] += 1
        return True

    def end_of_sequence(self) -> None:
        self.lengths.append(self.steps)
        self.steps = 0

    @property
    def mean_length(self) -> float:
        return sum(self.lengths) / max(1, len(self.lengths))

    def report(self) -> dict[str, Any]:
        return {
            "sequences": len(self.lengths),
            "mean_length": round(self.mean_length, 1),
            "issues": self.issues,
            "fired": dict(sorted(self.fired.items())),
            "passed": dict(sorted(self.passed.items())),
        }

    def lines(self) -> list[str]:
        rules = [
            f"  {name:<28} fired {count:>6}, let through {self.passed[name]:>6}"
            for name, count in sorted(self.fired.items())
        ]
        head = f"{len(self.lengths)} sequences, mean length {self.mean_length:.1f}"
        return [f"{head}, {self.issues} issues at the remote", *rules]
