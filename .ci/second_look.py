"""Browser and crash tests that failed are run once more, alone; both outcomes stay in the log.

    python .ci/second_look.py REPORT.xml [ARGUMENT_OF_PYTEST ...]

A page that was slow on a busy machine passes then, a broken one does not. Anything else that failed,
or more than a few, fails at once.
"""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FEW = 6
REAL_PROCESSES = ("tests/web/", "tests/crash/")


def failed(report: Path) -> list[str]:
    """The node ids of what failed or could not be set up."""
    cases = ET.parse(report).getroot().iter("testcase")  # noqa: S314 - as above
    return [
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]


def main() -> int:
    names = failed(Path(sys.argv[1]))
    print("failed:", *(names or ["nothing that the report names"]), sep="\n  ")
    if not 0 < len(names) <= FEW or not all(name.startswith(REAL_PROCESSES) for name in names):
        return 1
    print("a second look, alone:")
    return subprocess.run(
        [sys.executable, "manage.py", "test", *names, "-p", "no:randomly", *sys.argv[2:]],
        cwd=ROOT,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
