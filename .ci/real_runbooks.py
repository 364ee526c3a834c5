"""Loads the shared real runbooks into an instance of its own: every file ends published or named."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = ROOT.parent / "shared" / "data" / "runbooks-prometheus-operator" / "files"


def main() -> int:
    if not FILES.is_dir():
        print(f"missing: {FILES.relative_to(ROOT.parent)}")
        return 1
    sys.path.insert(0, str(ROOT))
    from opspilot.bootstrap.instance import instance

    with tempfile.TemporaryDirectory(prefix="opspilot-runbooks-") as folder:
        Path(folder).chmod(0o711)
        with instance(Path(folder)) as console:
            command = console.command(
                "load_runbooks",
                str(FILES),
                "--tenant",
                "aurora",
                "--collection",
                "prometheus",
                "--json",
            )
            output = command if isinstance(command, str) else command.stdout
    print(output)
    summary = json.loads(output.strip().splitlines()[-1])
    done = sum(summary["states"].values())
    return 0 if done == summary["files"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
