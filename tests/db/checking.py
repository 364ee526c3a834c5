"""Remotes for the connectors' checks: healthy, unless a test says otherwise."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from opspilot.connectors.gitlab_doctor import Member, Project, Token, Version


@dataclass
class FakeGitLab:
    """As the tests' policy takes it to be: every project is there under the path it was given."""

    paths: dict[int, str] = field(default_factory=dict)
    labels_there: frozenset[str] = frozenset()
    failing: Exception | None = None
    meanwhile: Callable[[], Any] = lambda: None
    asked: list[str] = field(default_factory=list)

    def version(self) -> Version:
        self._note("version")
        return Version("19.1.0", 0.2)

    def token(self) -> Token:
        self._note("token")
        expires = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=200)
        return Token(True, False, frozenset({"api"}), 900, expires)

    def user_id(self) -> int:
        self._note("user_id")
        return 900

    def project(self, project_id: int) -> Project:
        self._note("project")
        return Project(project_id, self.paths.get(project_id, "elsewhere"), False, "enabled")

    def labels(self, project_id: int) -> frozenset[str]:
        self._note("labels")
        return self.labels_there

    def members(self, project_id: int, user_ids: Sequence[int]) -> tuple[Member, ...]:
        self._note("members")
        return tuple(Member(user_id, "active", 20, None) for user_id in user_ids)

    def _note(self, name: str) -> None:
        self.asked.append(name)
        self.meanwhile()
        if self.failing is not None:
            raise self.failing
