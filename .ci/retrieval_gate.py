"""Retrieval on a small fixed sample of the development questions: it must not get worse.

The whole of them takes minutes (`python3 manage.py eval_retrieval`, docs/reference/evidence.md); here
every third question with its documents and forty others. No network. Needs `../shared/data`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
QUESTIONS = DATA / "ops-questions-a"
EVERY, OTHERS = 3, 40
LEAST = {"ndcg@10": 0.94, "recall@5": 0.97}
CACHE = ROOT / ".cache" / "retrieval"


def main() -> int:
    if not QUESTIONS.is_dir():
        sys.stdout.write("retrieval gate: ../shared/data is not here\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        _sample(Path(folder))
        found = _evaluate(Path(folder))
    told = {name: found["chosen"][name] for name in LEAST}
    sys.stdout.write(f"retrieval gate: {told}, {found['answerable']} questions\n")
    return 0 if all(told[name] >= least for name, least in LEAST.items()) else 1


def _sample(folder: Path) -> None:
    lines = (QUESTIONS / "queries.jsonl").read_text(encoding="utf-8").splitlines()[::EVERY]
    refs = {json.loads(line)["id"] for line in lines}
    labels = [
        line.split("\t")
        for line in (QUESTIONS / "qrels.tsv").read_text(encoding="utf-8").splitlines()
    ]
    mine = [label for label in labels if label[0] in refs]
    (folder / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "qrels.tsv").write_text(
        "".join("\t".join(label) + "\n" for label in mine), encoding="utf-8"
    )
    every = sorted(
        path.relative_to(DATA).as_posix() for path in DATA.glob("runbooks-*/files/**/*.md")
    )
    wanted = {label[1] for label in mine} | set(every[:: len(every) // OTHERS])
    for name in sorted(wanted):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(DATA / name, place)


def _evaluate(folder: Path) -> dict[str, dict[str, float]]:
    line = [sys.executable, "manage.py", "eval_retrieval", "--data", str(folder)]
    line += ["--documents", str(folder), "--cache", str(CACHE), "--again", "--json"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stdout.write(done.stdout + done.stderr)
        raise SystemExit(done.returncode)
    found: dict[str, dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main())
