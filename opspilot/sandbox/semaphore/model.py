"""What the sandbox keeps, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ENDED = frozenset({"success", "error", "stopped"})
# The rights of a role, as the remote's bit mask.
ROLES = {"owner": 15, "manager": 5, "task_runner": 1, "guest": 0}
PLAYERS = ("ansible", "played")
Record = dict[str, Any]


@dataclass
class Settings:
    """Whose rules hold, what the user may do, and how slow the instance is (seconds).

    `role` "" = not a member. `max_tasks_per_template` 0 = tasks are kept for ever.
    """

    version: str = "2.18.0"
    player: str = "ansible"
    user_id: int = 7
    username: str = "opspilot"
    admin: bool = False
    role: str = "task_runner"
    token_expired: bool = False
    max_tasks_per_template: int = 0
    max_parallel_tasks: int = 2
    latency: float = 0.0
    start_delay: float = 0.1
    flush_delay: float = 0.2

    @property
    def release(self) -> tuple[int, int]:
        major, minor, *_ = (int(part) for part in self.version.split("."))
        return major, minor

    @property
    def modern(self) -> bool:
        """Since 2.13 a limit counts only where the template allows it."""
        return self.release >= (2, 13)

    @property
    def raw_output(self) -> bool:
        return self.release >= (2, 14)


@dataclass
class Task:
    """`play` is the misbehaviour ordered for its run; `command` is what was really started."""

    project_id: int
    template_id: int
    user_id: int
    created: str
    id: int = 0
    status: str = "waiting"
    message: str = ""
    playbook: str = ""
    environment: str = ""
    secret: str = ""
    limit: str = ""
    arguments: str | None = None
    git_branch: str | None = None
    commit_hash: str | None = None
    inventory_id: int | None = None
    params: Record | None = None
    dry_run: bool = False
    diff: bool = False
    start: str | None = None
    end: str | None = None
    play: str = ""
    play_seconds: float = 0.0
    listed_from: str = ""
    command: list[str] | None = None
