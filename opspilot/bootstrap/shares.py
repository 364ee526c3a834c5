"""pytest in shares that run side by side: the browser waits much, the others reckon much."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from opspilot.bootstrap.datadir import PROJECT
from opspilot.bootstrap.signals import StopSignal
from opspilot.bootstrap.tools import interpreter

WEB = PROJECT / "tests" / "web"
REPORTS = "TEST_REPORTS"
"""Environment variable: a folder for one JUnit report of each share."""


@dataclass(frozen=True)
class Share:
    name: str
    arguments: tuple[str, ...]

    def command(self, environ: Mapping[str, str]) -> list[str]:
        folder = environ.get(REPORTS)
        report = [f"--junitxml={Path(folder) / self.name}.xml"] if folder else []
        return [interpreter(), "-m", "pytest", *report, *self.arguments]


def of(arguments: list[str]) -> list[Share]:
    """Everything, in three shares of about the same length; whoever says what to run gets one."""
    if arguments:
        return [Share("chosen", tuple(arguments))]
    files = [str(path.relative_to(PROJECT)) for path in sorted(WEB.glob("test_*.py"))]
    pages = [name for name in files if "/test_web_" in name]
    cases = [name for name in files if name not in pages]
    return [
        Share("most", ("-m", "not browser and not crash and not machine and not soak")),
        Share("pages", ("-m", "browser and not crash", *pages)),
        Share("cases", ("-m", "browser and not crash", *cases)),
    ]


def run(shares: list[Share], environ: Mapping[str, str], stop: StopSignal, folder: Path) -> int:
    """Several speak one after the other, a single one has the terminal. Returns the worst exit
    code."""
    logs = folder if len(shares) > 1 else None
    with ExitStack() as ends:
        running = [ends.enter_context(_started(share, environ, logs)) for share in shares]
        for share in running:
            while not share.ended():
                share.speak()
                if stop:
                    _pass_on(stop, running)
            share.speak()
        return max(share.code for share in running)


@dataclass
class Running:
    process: subprocess.Popen[bytes]
    log: Path | None
    shown: int = 0
    told: bool = False

    def ended(self) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        return self.process.returncode is not None

    @property
    def code(self) -> int:
        code = self.process.returncode
        return code if code >= 0 else 128 - code

    def speak(self) -> None:
        """Print what its log has beyond what was printed."""
        if self.log is None:
            return
        with self.log.open("rb") as file:
            file.seek(self.shown)
            fresh = file.read()
        sys.stdout.buffer.write(fresh)
        sys.stdout.flush()
        self.shown += len(fresh)


@contextmanager
def _started(share: Share, environ: Mapping[str, str], logs: Path | None) -> Iterator[Running]:
    """In our own process group, so that Ctrl-C reaches it from the terminal as it would alone."""
    log = logs / f"test-{share.name}.log" if logs else None
    with ExitStack() as files:
        out = files.enter_context(log.open("wb")) if log else None
        process = subprocess.Popen(
            share.command(environ), cwd=PROJECT, env=dict(environ), stdout=out, stderr=out
        )
        try:
            yield Running(process, log)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def _pass_on(stop: StopSignal, running: list[Running]) -> None:
    """Once, unless the terminal has already told the whole group."""
    for share in running:
        if not (share.told or stop.from_terminal) and share.process.poll() is None:
            share.process.send_signal(signal.SIGINT)
        share.told = True
