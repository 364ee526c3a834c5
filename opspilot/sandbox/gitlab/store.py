"""The sandbox's own SQLite file. Every change is committed before it is answered."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from opspilot.sandbox.gitlab.clock import Clock
from opspilot.sandbox.gitlab.model import (
    Issue,
    Label,
    Member,
    Note,
    Project,
    Settings,
    Trace,
    User,
)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS user (id INTEGER PRIMARY KEY, username TEXT UNIQUE NOT NULL,
  name TEXT NOT NULL, state TEXT NOT NULL, bot INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS project (id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL,
  template TEXT NOT NULL, visibility TEXT NOT NULL, archived INTEGER NOT NULL,
  issues_enabled INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS moved_path (path TEXT PRIMARY KEY, project_id INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS member (project_id INTEGER, user_id INTEGER,
  access_level INTEGER NOT NULL, expires_at TEXT, PRIMARY KEY (project_id, user_id));
CREATE TABLE IF NOT EXISTS label (id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (project_id, name));
CREATE TABLE IF NOT EXISTS issue (id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL, iid INTEGER NOT NULL, listed_from TEXT NOT NULL,
  record TEXT NOT NULL, UNIQUE (project_id, iid));
CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL, issue_iid INTEGER NOT NULL, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS trace (id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL, issue_iid INTEGER NOT NULL, kind TEXT NOT NULL,
  value TEXT NOT NULL);
"""
_TABLES = ("setting", "user", "project", "moved_path", "member", "label", "issue", "note", "trace")


class Store:
    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        # WAL with NORMAL outlives a killed process, which is what the sandbox promises;
        # a power cut may lose the last commits.
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

    def _row(self, sql: str, *values: object) -> sqlite3.Row | None:
        return next(iter(self._rows(sql, *values)), None)

    # Settings

    def value(self, name: str) -> Any:
        row = self._row("SELECT value FROM setting WHERE name = ?", name)
        return json.loads(row["value"]) if row else None

    def put_value(self, name: str, value: Any) -> None:
        self._run("REPLACE INTO setting VALUES (?, ?)", name, json.dumps(value))

    def settings(self) -> Settings:
        return Settings(**(self.value("settings") or {}))

    def put_settings(self, settings: Settings) -> None:
        self.put_value("settings", asdict(settings))

    # People

    def put_user(self, user: User) -> None:
        self._run(
            "REPLACE INTO user VALUES (?, ?, ?, ?, ?)",
            *(user.id, user.username, user.name, user.state, user.bot),
        )

    def user(self, user_id: int) -> User | None:
        row = self._row("SELECT * FROM user WHERE id = ?", user_id)
        return _user(row) if row else None

    def bot(self) -> User:
        return _user(self._rows("SELECT * FROM user WHERE bot ORDER BY id")[0])

    def put_member(
        self, project_id: int, user_id: int, access_level: int, expires_at: str | None = None
    ) -> None:
        self._run(
            "REPLACE INTO member VALUES (?, ?, ?, ?)",
            *(project_id, user_id, access_level, expires_at),
        )

    def drop_member(self, project_id: int, user_id: int) -> None:
        self._run("DELETE FROM member WHERE project_id = ? AND user_id = ?", project_id, user_id)

    def is_member(self, project_id: int, user_id: int) -> bool:
        return any(member.user.id == user_id for member in self.members(project_id))

    def members(self, project_id: int) -> list[Member]:
        rows = self._rows(
            "SELECT user.*, access_level, expires_at FROM member JOIN user ON user.id = user_id"
            " WHERE project_id = ? ORDER BY user.id",
            project_id,
        )
        return [Member(_user(row), row["access_level"], row["expires_at"]) for row in rows]

    # Projects

    def put_project(self, project: Project) -> None:
        self._run(
            "REPLACE INTO project VALUES (?, ?, ?, ?, ?, ?)",
            *(project.id, project.path, project.template, project.visibility),
            *(project.archived, project.issues_enabled),
        )

    def projects(self) -> list[Project]:
        return [_project(row) for row in self._rows("SELECT * FROM project ORDER BY id")]

    def project(self, project_id: int) -> Project | None:
        row = self._row("SELECT * FROM project WHERE id = ?", project_id)
        return _project(row) if row else None

    def project_at(self, path: str) -> Project | None:
        row = self._row("SELECT * FROM project WHERE path = ?", path)
        return _project(row) if row else None

    def put_moved_path(self, path: str, project_id: int) -> None:
        self._run("REPLACE INTO moved_path VALUES (?, ?)", path, project_id)

    def moved_to(self, path: str) -> int | None:
        row = self._row("SELECT project_id FROM moved_path WHERE path = ?", path)
        return int(row["project_id"]) if row else None

    def labels(self, project_id: int) -> list[Label]:
        rows = self._rows("SELECT id, name FROM label WHERE project_id = ? ORDER BY id", project_id)
        return [Label(row["id"], row["name"]) for row in rows]

    def add_label(self, project_id: int, name: str) -> None:
        self._run("INSERT INTO label (project_id, name) VALUES (?, ?)", project_id, name)

    # Issues

    def add_issue(self, issue: Issue) -> None:
        """Gives the issue its `id` and, unless it has one, the project's next `iid`."""
        row = self._rows(
            "SELECT coalesce(max(iid), 0) + 1 AS iid FROM issue WHERE project_id = ?",
            issue.project_id,
        )[0]
        issue.iid = issue.iid or int(row["iid"])
        cursor = self._run(
            "INSERT INTO issue (project_id, iid, listed_from, record) VALUES (?, ?, ?, '')",
            *(issue.project_id, issue.iid, issue.listed_from),
        )
        issue.id = int(cursor.lastrowid or 0)
        self.save_issue(issue)

    def save_issue(self, issue: Issue) -> None:
        self._run("UPDATE issue SET record = ? WHERE id = ?", json.dumps(asdict(issue)), issue.id)

    def issue(self, project_id: int, iid: int) -> Issue | None:
        row = self._row(
            "SELECT record FROM issue WHERE project_id = ? AND iid = ?", project_id, iid
        )
        return Issue(**json.loads(row["record"])) if row else None

    def issues(self, project_id: int, *, listed_at: str) -> list[Issue]:
        rows = self._rows(
            "SELECT record FROM issue WHERE project_id = ? AND listed_from <= ? ORDER BY iid",
            *(project_id, listed_at),
        )
        return [Issue(**json.loads(row["record"])) for row in rows]

    def every_issue(self) -> list[Issue]:
        rows = self._rows("SELECT record FROM issue ORDER BY id")
        return [Issue(**json.loads(row["record"])) for row in rows]

    # Notes and side effects

    def add_note(self, note: Note) -> Note:
        record = asdict(note)
        del record["id"]
        cursor = self._run(
            "INSERT INTO note (project_id, issue_iid, record) VALUES (?, ?, ?)",
            *(note.project_id, note.issue_iid, json.dumps(record)),
        )
        return Note(**record, id=int(cursor.lastrowid or 0))

    def notes(self, project_id: int, iid: int) -> list[Note]:
        rows = self._rows(
            "SELECT id, record FROM note WHERE project_id = ? AND issue_iid = ? ORDER BY id",
            *(project_id, iid),
        )
        return [Note(**json.loads(row["record"]), id=row["id"]) for row in rows]

    def add_trace(self, issue: Issue, trace: Trace) -> None:
        self._run(
            "INSERT INTO trace (project_id, issue_iid, kind, value) VALUES (?, ?, ?, ?)",
            *(issue.project_id, issue.iid, trace.kind, trace.value),
        )

    def traces(self, issue: Issue) -> list[Trace]:
        rows = self._rows(
            "SELECT kind, value FROM trace WHERE project_id = ? AND issue_iid = ? ORDER BY id",
            *(issue.project_id, issue.iid),
        )
        return [Trace(row["kind"], row["value"]) for row in rows]


def _user(row: sqlite3.Row) -> User:
    return User(row["id"], row["username"], row["name"], row["state"], bool(row["bot"]))


def _project(row: sqlite3.Row) -> Project:
    values = {item.name: row[item.name] for item in fields(Project)}
    return Project(
        **values
        | {"archived": bool(row["archived"]), "issues_enabled": bool(row["issues_enabled"])}
    )
