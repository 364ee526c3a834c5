"""What the sandbox keeps, as plain records."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime


@dataclass(frozen=True)
class Project:
    id: int
    path: str
    template: str = ""
    visibility: str = "private"
    archived: bool = False
    issues_enabled: bool = True


@dataclass(frozen=True)
class User:
    id: int
    username: str
    name: str
    state: str = "active"
    bot: bool = False


@dataclass(frozen=True)
class Member:
    user: User
    access_level: int
    expires_at: str | None = None


@dataclass(frozen=True)
class Label:
    id: int
    name: str


@dataclass
class Issue:
    """`id` is unique over the instance, `iid` within its project; 0 means not stored yet.

    `search_blind`: the search index never got it, and does not until somebody edits it.
    """

    project_id: int
    author_id: int
    created_at: str
    updated_at: str
    id: int = 0
    iid: int = 0
    title: str = ""
    description: str = ""
    state: str = "opened"
    closed_at: str | None = None
    labels: list[str] = field(default_factory=list)
    assignee_ids: list[int] = field(default_factory=list)
    confidential: bool = False
    due_date: str | None = None
    discussion_locked: bool = False
    listed_from: str = ""
    search_blind: bool = False


@dataclass(frozen=True)
class Note:
    project_id: int
    issue_iid: int
    author_id: int
    body: str
    created_at: str
    internal: bool = False
    system: bool = False
    id: int = 0


@dataclass(frozen=True)
class Trace:
    """What a write did beyond what it said: a command run, a person told, a field dropped …"""

    kind: str
    value: str


@dataclass
class Settings:
    """What the token may do and how the instance behaves; `search_delay` None means for ever.

    `owner` may choose `iid` and `created_at`. A limit of 0 requests a minute is no limit.
    """

    tier: str = "free"
    version: str = "19.1.0"
    label_limit: int = 100
    issues_a_minute: int = 0
    searches_a_minute: int = 0
    notes_a_minute: int = 0
    owner: bool = False
    create_labels: bool = True
    set_confidential: bool = True
    set_metadata: bool = True
    search_delay: float | None = 30.0
    latency: float = 0.0  # seconds before each answer of the API
    token_scopes: list[str] = field(default_factory=lambda: ["api"])
    token_revoked: bool = False
    token_expires_at: str | None = None


def stamp(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds: one width, so text order is time order."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
