"""Runs the machine on a broken copy of the code and of the database."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from tests.machine.mutants import Mutant, patched

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("approvals", "audit", "grounding", "opspilot", "tests/machine")
FILES = ("manage.py", "pyproject.toml", "tests/conftest.py", "tests/factories.py")
RUN = ("-m", "pytest", "tests/machine/test_machine.py", "-m", "machine", "-q", "-s")
COMMAND = (sys.executable, *RUN, "-p", "no:randomly")
PATIENCE = 1800.0
_BROKEN = re.compile(r"^E\s+AssertionError: (I\d: .*)$", re.MULTILINE)
_COUNT = re.compile(r"^(\d+) sequences, mean", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`broken`: the promise the machine saw broken; empty when it saw nothing."""

    name: str
    broken: str
    sequences: int
    seconds: float

    @property
    def line(self) -> str:
        seen = f"caught after {self.sequences} sequences" if self.broken else "nothing seen"
        return f"  {self.name:<34} {seen} ({self.seconds:.0f} s) {self.broken}"


def run(mutant: Mutant | None, *, folder: Path, sequences: int, seeded: int) -> Outcome:
    """None = the code as it is. Raises RuntimeError when the copy did not get to run."""
    started = time.monotonic()
    tree = copy(mutant, folder / "tree")
    with database(mutant) as environ:
        done = subprocess.run(
            COMMAND,
            cwd=tree,
            env=environ | {"MACHINE_SEQUENCES": str(sequences), "MACHINE_SEED": str(seeded)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    broken, counted = _BROKEN.search(done.stdout), _COUNT.search(done.stdout)
    if counted is None or (done.returncode != 0) != (broken is not None):
        raise RuntimeError(done.stdout[-4000:] + done.stderr[-2000:])
    return Outcome(
        mutant.name if mutant else "the code as it is",
        broken[1] if broken else "",
        int(counted[1]),
        time.monotonic() - started,
    )


def copy(mutant: Mutant | None, tree: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, tree / name)
    for patch in mutant.patches if mutant else ():
        file = tree / patch.place
        text = file.read_text(encoding="utf-8")
        file.write_text(patched(text, patch.old, patch.new), encoding="utf-8")
    return tree


@contextmanager
def database(mutant: Mutant | None) -> Iterator[dict[str, str]]:
    """The environment of a copy of this run's database. Nothing may be connected to the original."""
    address = os.environ["DATABASE_URL_ADMIN"]
    original = address.rpartition("/")[2]
    name = f"{original}_mutant"
    with psycopg.connect(_named(address, "postgres"), autocommit=True) as server:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        server.execute(drop)
        server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(original)
            )
        )
        try:
            if mutant is not None:
                _break_law(_named(address, name), mutant)
            yield {
                key: _named(value, name) if key.startswith("DATABASE_URL") else value
                for key, value in os.environ.items()
            }
        finally:
            server.execute(drop)


def _break_law(address: str, mutant: Mutant) -> None:
    with psycopg.connect(address, autocommit=True) as owner:
        for patch in mutant.triggers:
            body = patched(definition(owner, patch.place), patch.old, patch.new)
            owner.execute(body.encode())
        for statement in mutant.sql:
            owner.execute(statement.encode())


def definition(owner: psycopg.Connection[tuple[object, ...]], function: str) -> str:
    """The function as it is in force, whichever migration wrote it last."""
    query = "SELECT pg_get_functiondef(%s::regprocedure)"
    row = owner.execute(query, [function]).fetchone()
    assert row is not None
    return str(row[0])


def _named(address: str, name: str) -> str:
    return f"{address.rpartition('/')[0]}/{name}"
