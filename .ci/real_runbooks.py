"""Loads the shared real runbooks into an instance of its own, kills the loading in the middle, repeats.

Every file ends published, the same as before or refused with its reason, and neither the kill nor a
second loading changes a version that was there: exit 0 says both, and the last line is JSON.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
SETS = ("prometheus-operator", "openshift", "gitlab")
FILES = 784
KILLED = "openshift"  # this one's first loading is killed
KILL_AT = 25  # per cent
# After a kill nobody takes a file that was in hand before its lease has ended.
SETTINGS = {"OPSPILOT_LEASE_SECONDS": "30"}
WHAT_STANDS = """
WITH hanging AS (
  SELECT version_id, 'chunk' AS what, count(*) AS rows FROM chunk GROUP BY 1
  UNION ALL
  SELECT c.version_id, 'posting', count(*) FROM posting p JOIN chunk c ON c.id = p.chunk_id GROUP BY 1
  UNION ALL
  SELECT c.version_id, 'vector', count(*) FROM chunk_vector e JOIN chunk c ON c.id = e.chunk_id GROUP BY 1
)
SELECT d.name, v.id, v.number, v.sha256, v.active, v.replaced_at, v.published_at, h.what, h.rows
  FROM document_version v JOIN document d ON d.id = v.document_id
  JOIN hanging h ON h.version_id = v.id
"""

if TYPE_CHECKING:
    from opspilot.bootstrap.instance import Instance
    from opspilot.smoke.database import Database


def main() -> int:
    missing = [name for name in SETS if not _files(name).is_dir()]
    if missing:
        print(f"missing: {', '.join(missing)}")
        return 1
    sys.path.insert(0, str(ROOT))
    from opspilot.bootstrap.instance import instance

    with tempfile.TemporaryDirectory(prefix="opspilot-runbooks-") as folder:
        Path(folder).chmod(0o711)
        with instance(Path(folder), environ=SETTINGS) as console:
            return _report(_exercise(console, _database(console)))


def _database(console: Instance) -> Database:
    os.environ.update(console.env)
    django.setup()
    from opspilot.smoke.database import Database

    return Database(console.urls["app"])


def _exercise(console: Instance, database: Database) -> dict[str, Any]:
    started = time.monotonic()
    at_the_kill = _kill_in_the_middle(console, database)
    first = [_load(console, name) for name in SETS]
    seconds = time.monotonic() - started
    between = _standing(database)
    second = [_load(console, name) for name in SETS]
    return {
        "files": sum(one["files"] for one in first),
        "states": _summed(first),
        "refused": {name: code for one in first for name, code in one["refused"].items()},
        "standing_at_the_kill": len({row[1] for row in at_the_kill}),
        "changed_by_the_kill": len(at_the_kill - between),
        "changed_by_the_second": len(between ^ _standing(database)),
        "states_of_the_second": _summed(second),
        "seconds": round(seconds, 1),
        "docs_per_s": round(FILES / seconds, 2),
        "seconds_of_the_second": round(sum(one["seconds"] for one in second), 1),
    }


def _kill_in_the_middle(console: Instance, database: Database) -> set[tuple[Any, ...]]:
    """What stood when the loading got SIGKILL; the instance's worker goes on meanwhile."""
    with subprocess.Popen(
        _line(KILLED), cwd=ROOT, env=console.env, stdout=subprocess.PIPE, text=True
    ) as loading:
        assert loading.stdout is not None
        for line in loading.stdout:
            print(f"{KILLED}: {line.rstrip()}", flush=True)
            if _per_cent(line) >= KILL_AT:
                break
        standing = _standing(database)
        loading.send_signal(signal.SIGKILL)
    print(f"{KILLED}: killed", flush=True)
    return standing


def _load(console: Instance, name: str) -> dict[str, Any]:
    started = time.monotonic()
    output = console.command(*_line(name)[2:], "--json")
    lines = output.strip().splitlines()
    for line in lines[:-1]:
        print(f"{name}: {line}")
    print(f"{name}: {time.monotonic() - started:.1f} s with the start of the command", flush=True)
    return dict(json.loads(lines[-1]))


def _report(found: dict[str, Any]) -> int:
    ended = sum(found["states"].values()) == found["files"] == FILES
    repeated = found["states_of_the_second"].get("same", 0) + len(found["refused"]) == FILES
    unchanged = not (found["changed_by_the_kill"] or found["changed_by_the_second"])
    found["ok"] = ended and repeated and unchanged and found["standing_at_the_kill"] > 0
    print(f"{found['files']} files, {found['docs_per_s']} documents a second")
    print(json.dumps(found, ensure_ascii=False))
    return 0 if found["ok"] else 1


def _line(name: str) -> list[str]:
    python = str(ROOT / ".venv" / "bin" / "python")
    where = ["--tenant", "aurora", "--collection", name]
    return [python, "manage.py", "load_runbooks", str(_files(name)), *where]


def _files(name: str) -> Path:
    return DATA / f"runbooks-{name}" / "files"


def _per_cent(line: str) -> int:
    share = line.partition("(")[2].partition(" %")[0]
    return int(share) if share.isdigit() else -1


def _standing(database: Database) -> set[tuple[Any, ...]]:
    return set(database.rows(WHAT_STANDS, tenant="aurora"))


def _summed(results: list[dict[str, Any]]) -> dict[str, int]:
    states = sorted({state for one in results for state in one["states"]})
    return {state: sum(one["states"].get(state, 0) for one in results) for state in states}


if __name__ == "__main__":
    sys.exit(main())
