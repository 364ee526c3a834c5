"""The tests run in shares: everything in two, what somebody chose in one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from opspilot.bootstrap import shares
from opspilot.bootstrap.shares import Share
from opspilot.bootstrap.signals import StopSignal


class Printed(Share):
    """A share whose pytest is a line of Python."""

    def command(self, environ: object) -> list[str]:
        return [sys.executable, "-c", *self.arguments]


def ran(tmp_path: Path, *lines: str) -> int:
    made: list[Share] = [Printed(str(number), (line,)) for number, line in enumerate(lines)]
    with StopSignal() as stop:
        return shares.run(made, {}, stop, tmp_path)


def test_what_was_chosen_runs_alone() -> None:
    assert [share.arguments for share in shares.of(["tests/db", "-q"])] == [("tests/db", "-q")]


def test_everything_runs_in_shares_that_leave_nothing_out() -> None:
    most, pages, cases = (share.arguments for share in shares.of([]))
    assert most == ("-m", "not browser and not crash and not machine and not soak")
    assert pages[:2] == cases[:2] == ("-m", "browser and not crash")
    present = {f"tests/web/{path.name}" for path in shares.WEB.glob("test_*.py")}
    assert set(pages[2:]) | set(cases[2:]) == present
    assert not set(pages[2:]) & set(cases[2:])
    assert pages[2:]
    assert cases[2:]


def test_each_share_has_a_report_of_its_own(tmp_path: Path) -> None:
    commands = [share.command({shares.REPORTS: str(tmp_path)}) for share in shares.of([])]
    assert f"--junitxml={tmp_path}/most.xml" in commands[0]
    assert f"--junitxml={tmp_path}/pages.xml" in commands[1]
    assert not any("--junitxml" in part for part in shares.of([])[0].command({}))


def test_the_worst_exit_code_counts(tmp_path: Path) -> None:
    assert ran(tmp_path, "raise SystemExit(0)", "raise SystemExit(3)", "raise SystemExit(1)") == 3


def test_a_killed_share_is_no_success(tmp_path: Path) -> None:
    died = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert ran(tmp_path, "pass", died) == 128 + 9


def test_their_words_do_not_mix(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    slow = "import time; print('a', flush=True); time.sleep(0.6); print('b')"
    assert ran(tmp_path, slow, "print('c')") == 0
    assert capfd.readouterr().out.split() == ["a", "b", "c"]
