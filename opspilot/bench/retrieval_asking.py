"""Every labelled question asked of what was published; figures, or a run file, or both."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grounding.measuring import answering, asking, labelled, metrics, report
from grounding.measuring.asking import Asked, Corpus
from grounding.measuring.labelled import Folder
from grounding.retrieval import consult, embedding
from opspilot.bench.retrieval_publishing import corpus, keeping


def ask(job: dict[str, Any]) -> dict[str, Any]:
    folder = labelled.read(Path(job["data"]))
    where = corpus(job["published"], folder)
    with embedding.standing_in(keeping(job)):
        # Loads model and translator before anything is timed.
        consult.prepare("Como reinicio a fila?", tenant_id=where.tenant_id)
        if job["run_out"]:
            _write_run(job, folder, where)
        return _figures(job, folder, where) if folder.has_labels and job["judge"] else {}


def _figures(job: dict[str, Any], folder: Folder, where: Corpus) -> dict[str, Any]:
    asked = [asking.compare(question, where) for question in folder.questions]
    quoted = any(question.quotes for question in folder.questions)
    answered = [answering.answer(one.question, where) for one in asked] if quoted else []
    if job["signals"]:
        rows = [asdict(row) for row in report.rows(asked, where)]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        Path(job["signals"]).write_text(lines, encoding="utf-8")
    return {
        **report.figures(asked),
        "accent_free": _accent_free(folder, where),
        "coverage": report.coverage(asked)
        | {"cross_validated": report.cross_validated(asked, where)},
        **report.answers(asked, answered),
    }


def _accent_free(folder: Folder, where: Corpus) -> dict[str, Any]:
    """The Portuguese questions without their accents, beside the same ones as they were typed."""
    mine = [one for one in folder.questions if one.answerable and one.language == "pt"]
    if not mine:
        return {}
    plain = [asking.ask(one, where) for one in mine]
    bare = [asking.ask(asking.without_accents(one), where) for one in mine]
    return {"questions": len(mine), "typed": _means(plain), "without": _means(bare)}


def _means(asked: Sequence[Asked]) -> dict[str, float]:
    return metrics.means(
        [metrics.scores(one.ranked["chosen"], one.question.grades) for one in asked]
    )


def _write_run(job: dict[str, Any], folder: Folder, where: Corpus) -> None:
    """Question, document, rank, ms without and of embedding; tab-separated, a line a hit."""
    with Path(job["run_out"]).open("w", encoding="utf-8") as out:
        for question in folder.questions:
            asked = asking.ask(question, where, depth=job["depth"])
            out.writelines(_hits(asked))


def _hits(asked: Asked) -> Iterator[str]:
    apart = f"{asked.ms['chosen']:.2f}\t{asked.embedding_ms['chosen']:.2f}"
    for rank, name in enumerate(asked.ranked["chosen"], start=1):
        yield f"{asked.question.ref}\t{name}\t{rank}\t{apart}\n"
