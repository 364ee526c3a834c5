"""`manage.py eval_retrieval --data DIR`: what retrieval is worth on labelled questions.

On an instance of its own. Exit 0 = everything was measured; it says nothing about the figures.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser

from grounding.measuring import labelled, metrics, report
from grounding.measuring.labelled import Folder, UnreadableFolderError
from opspilot.bench import retrieval, retrieval_ledger
from opspilot.bench.retrieval import Job
from opspilot.bench.retrieval_ledger import Look
from opspilot.bootstrap.datadir import chosen
from opspilot.bootstrap.errors import BootstrapError


class Command(BaseCommand):
    help = "Publish a folder's documents on a throw-away instance and ask its labelled questions."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", type=Path, required=True, help="queries.jsonl, qrels.tsv")
        parser.add_argument("--documents", type=Path, help="a folder of runbooks-*/files")
        parser.add_argument("--cache", type=Path, help="keeps vectors between evaluations here")
        parser.add_argument("--run-out", type=Path, help="a line a hit; needs no labels")
        parser.add_argument("--depth", type=int, default=20, help="hits a question of --run-out")
        parser.add_argument("--signals", type=Path, help="what coverage was judged on, a line each")
        parser.add_argument("--again", action="store_true", help="look at held-out data once more")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = _read(options["data"])
        look = retrieval_ledger.look(
            data=folder.name,
            sha256=folder.sha256,
            ledger=retrieval_ledger.ledger(chosen(None)),
        )
        judge = self._may_judge(folder, look, options)
        found = self._figures(_job(options, judge=judge), look)
        if judge:
            place = retrieval_ledger.keep(look, found, chosen(None))
            self.stdout.write(f"  report: {place.name}")
            self._tell(found)
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))

    def _may_judge(self, folder: Folder, look: Look, options: dict[str, Any]) -> bool:
        """A run file of held-out data may be written again: nothing in it tells how good it is."""
        if not folder.has_labels:
            if not options["run_out"]:
                raise CommandError(f"{labelled.LABELS} is missing: only --run-out needs no labels")
            return False
        if not (look.held_out and look.again) or options["again"]:
            return True
        if options["run_out"]:
            self.stdout.write("  measured before with this code: the run file alone is written")
            return False
        raise CommandError(
            f"{folder.name} is held out and was measured with exactly this code and these settings;"
            " a second look needs --again, and the report will say so"
        )

    def _figures(self, job: Job, look: Look) -> dict[str, Any]:
        try:
            found = retrieval.evaluate(job, self._say)
        except (BootstrapError, psycopg.Error, OSError) as exc:
            lines = "".join(f"\n    {line}" for line in getattr(exc, "details", []))
            raise CommandError(f"{' '.join(str(exc).split())}{lines}") from exc
        return {
            "data": look.data,
            "data_sha256": look.sha256,
            "commit": look.commit,
            "fingerprint": look.fingerprint,
            "held_out": look.held_out,
            "again": look.again,
        } | found

    def _tell(self, found: dict[str, Any]) -> None:
        self.stdout.write(f"  {'':<10} " + " ".join(f"{name:>9}" for name in metrics.NAMES))
        rows = {name: found[name] for name in report.SETTINGS if name in found}
        for name, figures in (rows | found.get("slices", {})).items():
            numbers = " ".join(f"{figures[each]:>9.3f}" for each in metrics.NAMES)
            self.stdout.write(f"  {name:<12} {numbers}")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _read(directory: Path) -> Folder:
    try:
        return labelled.read(directory)
    except (UnreadableFolderError, OSError, UnicodeDecodeError, KeyError, ValueError) as exc:
        raise CommandError(f"not a folder of labelled questions: {exc}") from exc


def _job(options: dict[str, Any], *, judge: bool) -> Job:
    return Job(
        data=_absolute(options["data"]),
        documents=_absolute(options["documents"]),
        cache=_absolute(options["cache"]),
        run_out=_absolute(options["run_out"]),
        signals=_absolute(options["signals"]),
        depth=max(1, options["depth"]),
        judge=judge,
    )


def _absolute(path: Path | None) -> str:
    return str(path.resolve()) if path else ""
