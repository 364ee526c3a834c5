"""The sandbox's own SQLite file. Every change is committed before it is answered."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from opspilot.sandbox.semaphore.clock import Clock
from opspilot.sandbox.semaphore.model import Record, Settings, Task

_SCHEMA = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS thing (kind TEXT NOT NULL, id INTEGER NOT NULL,
  project_id INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS task (id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL, template_id INTEGER NOT NULL, listed_from TEXT NOT NULL,
  record TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS task_of_template ON task (template_id, id);
CREATE TABLE IF NOT EXISTS output (id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL, time TEXT NOT NULL, output TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS output_of_task ON output (task_id, id);
"""
_TABLES = ("setting", "thing", "task", "output")


class Store:
    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        # WAL with NORMAL outlives a killed process, which is what the sandbox promises.
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + _SCHEMA)
        self.clock = Clock(self.value("clock"))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One writer at a time; committed on leaving, undone on an exception. Not nested."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def clear(self) -> None:
        for table in _TABLES:
            self._run(f"DELETE FROM {table}")  # noqa: S608 -- names from the constant above
        self._run("DELETE FROM sqlite_sequence")

    def _run(self, sql: str, *values: object) -> sqlite3.Cursor:
        with self._lock:
            return self._db.execute(sql, values)

    def _rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    # Settings

    def value(self, name: str) -> Any:
        rows = self._rows("SELECT value FROM setting WHERE name = ?", name)
        return json.loads(rows[0]["value"]) if rows else None

    def put_value(self, name: str, value: Any) -> None:
        self._run("REPLACE INTO setting VALUES (?, ?)", name, json.dumps(value))

    def settings(self) -> Settings:
        return Settings(**(self.value("settings") or {}))

    def put_settings(self, settings: Settings) -> None:
        self.put_value("settings", asdict(settings))

    # Projects, templates, inventories: as the API shows them

    def put(self, kind: str, record: Record) -> None:
        project_id = record["id"] if kind == "project" else record["project_id"]
        text = json.dumps(record)
        self._run("REPLACE INTO thing VALUES (?, ?, ?, ?)", kind, record["id"], project_id, text)

    def get(self, kind: str, project_id: int, number: int) -> Record | None:
        rows = self._rows(
            "SELECT record FROM thing WHERE kind = ? AND project_id = ? AND id = ?",
            *(kind, project_id, number),
        )
        return _record(rows[0]) if rows else None

    def every(self, kind: str, project_id: int) -> list[Record]:
        rows = self._rows(
            "SELECT record FROM thing WHERE kind = ? AND project_id = ? ORDER BY id",
            *(kind, project_id),
        )
        return [_record(row) for row in rows]

    def projects(self) -> list[Record]:
        rows = self._rows("SELECT record FROM thing WHERE kind = 'project' ORDER BY id")
        return [_record(row) for row in rows]

    # Tasks

    def add_task(self, task: Task) -> None:
        """Gives the task its `id`."""
        cursor = self._run(
            "INSERT INTO task (project_id, template_id, listed_from, record) VALUES (?, ?, ?, '')",
            *(task.project_id, task.template_id, task.listed_from),
        )
        task.id = int(cursor.lastrowid or 0)
        self.save_task(task)

    def change_task(self, number: int, **changes: Any) -> None:
        """Only these fields, whoever else is changing others. Unknown ids change nothing."""
        with self.transaction():
            rows = self._rows("SELECT record FROM task WHERE id = ?", number)
            for row in rows:
                self.save_task(Task(**_record(row) | changes))

    def save_task(self, task: Task) -> None:
        self._run("UPDATE task SET record = ? WHERE id = ?", json.dumps(asdict(task)), task.id)

    def task(self, project_id: int, number: int) -> Task | None:
        rows = self._rows(
            "SELECT record FROM task WHERE project_id = ? AND id = ?", project_id, number
        )
        return Task(**_record(rows[0])) if rows else None

    def tasks(self, project_id: int, *, template_id: int | None, before: int | None) -> list[Task]:
        """What a list shows now, newest first."""
        rows = self._rows(
            "SELECT record FROM task WHERE project_id = ? AND listed_from <= ?"
            " AND template_id = coalesce(?, template_id) AND id < coalesce(?, id + 1)"
            " ORDER BY id DESC LIMIT 1001",
            *(project_id, self.clock.stamp(), template_id, before),
        )
        return [Task(**_record(row)) for row in rows]

    def every_task(self) -> list[Task]:
        rows = self._rows("SELECT record FROM task ORDER BY id")
        return [Task(**_record(row)) for row in rows]

    def keep_newest(self, template_id: int, count: int) -> None:
        """The remote's retention: older tasks go, and their output."""
        rows = self._rows(
            "SELECT id FROM task WHERE template_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?",
            *(template_id, count),
        )
        for row in rows:
            self._run("DELETE FROM output WHERE task_id = ?", row["id"])
            self._run("DELETE FROM task WHERE id = ?", row["id"])

    # Output

    def add_output(self, task_id: int, rows: list[tuple[str, str]]) -> None:
        with self.transaction():
            for time, line in rows:
                self._run(
                    "INSERT INTO output (task_id, time, output) VALUES (?, ?, ?)",
                    *(task_id, time, line),
                )

    def output(self, task_id: int) -> list[Record]:
        rows = self._rows("SELECT * FROM output WHERE task_id = ? ORDER BY id", task_id)
        return [dict(row) for row in rows]


def _record(row: sqlite3.Row) -> Record:
    record: Record = json.loads(row["record"])
    return record
