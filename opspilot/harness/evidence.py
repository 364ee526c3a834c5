"""What a run's answer rests on: ids, versions and spans, never the quoted text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grounding.retrieval.search import Source
from opspilot.harness.models import Run


def of(run: Run) -> list[dict[str, Any]]:
    """The evidence of a run's answer, or of what was found before a command was prepared; empty for
    an explicit command."""
    return cited(run.answer.get("sentences", [])) or list(run.answer.get("basis", []))


def found(sources: Sequence[Source]) -> list[dict[str, Any]]:
    """Whole passages, best first."""
    return cited(
        [
            {
                "chunk_id": source.chunk_id,
                "version_id": source.version_id,
                "sha256": source.sha256,
                "start": source.start,
                "end": source.end,
            }
            for source in sources
        ]
    )


def cited(sentences: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry a cited sentence, in order: the one shape of a passage in `fontes` and `evidencia`."""
    return [
        {
            "trecho": sentence["chunk_id"],
            "versao": sentence["version_id"],
            "sha256": sentence["sha256"],
            "inicio": sentence["start"],
            "fim": sentence["end"],
        }
        for sentence in sentences
    ]
