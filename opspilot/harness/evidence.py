"""What a run's answer rests on: ids, versions and spans, never the quoted text."""

from __future__ import annotations

from typing import Any

from opspilot.harness.models import Run


def of(run: Run) -> list[dict[str, Any]]:
    """One entry a cited sentence, in the order of the answer; empty for an explicit command."""
    return [
        {
            "trecho": sentence["chunk_id"],
            "versao": sentence["version_id"],
            "sha256": sentence["sha256"],
            "inicio": sentence["start"],
            "fim": sentence["end"],
        }
        for sentence in run.answer.get("sentences", [])
    ]
