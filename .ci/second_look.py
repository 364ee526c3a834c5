"""A few tests that failed are run once more, alone; both outcomes stay in the log.

    python .ci/second_look.py FOLDER_OF_REPORTS [ARGUMENT_OF_PYTEST ...]

A page or a process that was slow on a busy machine passes then, a broken one does not. More than a
few, or a share of the tests that left no report, fail at once.
"""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FEW = 8
WHOLE = ({"chosen"}, {"most", "pages", "cases"})
"""The names of the reports a run leaves."""


def failed(report: Path) -> list[str]:
    """The node ids of what failed or could not be set up."""
    cases = ET.parse(report).getroot().iter("testcase")  # noqa: S314 - our own pytest wrote it
    return [
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]


def main() -> int:
    reports = sorted(Path(sys.argv[1]).glob("*.xml"))
    names = [name for report in reports for name in failed(report)]
    print("failed:", *(names or ["nothing that a report names"]), sep="\n  ")
    if not 0 < len(names) <= FEW or {report.stem for report in reports} not in WHOLE:
        return 1
    print("a second look, alone:")
    return subprocess.run(
        [sys.executable, "manage.py", "test", *names, "-p", "no:randomly", *sys.argv[2:]],
        cwd=ROOT,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
