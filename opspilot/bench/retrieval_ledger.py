"""Which folder of questions was measured with which code: what is held out is looked at once.

A second look would choose what suits it, and the figures would stop saying anything about others.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspilot.bootstrap.datadir import PROJECT, DataDir
from opspilot.bootstrap.files import locked, write_atomically

# By the hash of questions, labels and corpus: these two were chosen from, and may be asked for ever.
DEVELOPMENT = {
    "8c1dd27a876520bae59ab4982325be709f0d706341a43528f326a5d6699f25ae": "ops-questions-a",
    "9c08ac6f668434303e632e204caffa7595b99b77c0d8e231a52b4437f835d943": "faquad-a",
}
_CODE = (
    "grounding/answers",
    "grounding/intake",
    "grounding/measuring",
    "grounding/reading",
    "grounding/retrieval",
    "opspilot/connectors/embeddings.py",
    "opspilot/connectors/translation.py",
)
_SETTINGS = ("OPSPILOT_EMBEDDER", "OPSPILOT_EMBEDDINGS_URL", "OPSPILOT_EMBEDDINGS_MODEL")
_SUFFIXES = {".py", ".sql", ".json"}


@dataclass(frozen=True, slots=True)
class Look:
    """One evaluation of one folder. `again` says that it was not the first with this code."""

    data: str
    sha256: str
    fingerprint: str
    commit: str
    held_out: bool
    again: bool

    @property
    def report(self) -> str:
        return f"{self.data}-{self.sha256[:8]}-{self.commit[:12]}.json"


def look(*, data: str, sha256: str, ledger: Path) -> Look:
    fingerprint = code_and_settings()
    return Look(
        data=data,
        sha256=sha256,
        fingerprint=fingerprint,
        commit=commit(),
        held_out=sha256 not in DEVELOPMENT,
        again=any(
            row["sha256"] == sha256 and row["fingerprint"] == fingerprint for row in _rows(ledger)
        ),
    )


def keep(one: Look, found: dict[str, Any], data: DataDir) -> Path:
    """The report beside the ledger, and a line that says it was made."""
    folder = data.root / "evaluations"
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / one.report, json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    line = {
        "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "data": one.data,
        "sha256": one.sha256,
        "fingerprint": one.fingerprint,
        "commit": one.commit,
        "report": one.report,
    }
    with locked(data.lock("evaluations")), ledger(data).open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")
    return folder / one.report


def ledger(data: DataDir) -> Path:
    return data.root / "evaluations" / "ledger.jsonl"


def code_and_settings() -> str:
    """Of every file that has a say in what is found, and of the settings that name the model."""
    digest = hashlib.sha256()
    for path in _files():
        digest.update(path.relative_to(PROJECT).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    for name in _SETTINGS:
        digest.update(f"{name}={os.environ.get(name, '')}\0".encode())
    return digest.hexdigest()


def commit() -> str:
    """The commit that is checked out; with `+` where the code differs from it."""
    head, changed = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "--", *_CODE)
    return f"{head}+" if head and changed else head or "unknown"


def _files() -> Iterator[Path]:
    for name in _CODE:
        place = PROJECT / name
        found = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (path for path in found if path.suffix in _SUFFIXES)


def _rows(place: Path) -> Iterator[dict[str, Any]]:
    if place.is_file():
        for line in place.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def _git(*arguments: str) -> str:
    """Empty where there is no git, or no repository: a copy of the code can be measured too."""
    try:
        found = subprocess.run(  # noqa: S603  # our own words
            ["git", *arguments],  # noqa: S607  # whichever the caller has
            cwd=PROJECT,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""
