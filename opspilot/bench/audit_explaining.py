"""Asks the database what each statement about the trail touches, right before it is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "


@dataclass
class Touched:
    buffers: int = 0


def explaining(found: Touched) -> Callable[..., Any]:
    """For `connection.execute_wrapper`: with the settings and the values of the moment."""

    def wrapper(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if is_reading(sql):
            execute(_EXPLAIN + sql, params, many, context)
            found.buffers += buffers(context["cursor"].fetchone()[0])
        return execute(sql, params, many, context)

    return wrapper


def is_reading(sql: str) -> bool:
    """Of the trail; what writes would be done twice."""
    lines = (line for line in sql.splitlines() if not line.lstrip().startswith("--"))
    text = " ".join(lines).lstrip()
    reads = text.startswith(("SELECT", "WITH")) and "INSERT" not in text
    return reads and "agente_acao" in text


def buffers(plan: str | list[dict[str, Any]]) -> int:
    """Shared buffers, found in memory or read, of a plan as JSON."""
    top = (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]
    return int(top["Shared Hit Blocks"] + top["Shared Read Blocks"])
