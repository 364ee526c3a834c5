"""Records as the remote shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from opspilot.sandbox.gitlab.model import Issue, Label, Member, Note, Project, Settings, User
from opspilot.sandbox.gitlab.store import Store

_TOKEN_ID = 1
_ISSUES_ACCESS = {True: "enabled", False: "disabled"}


@dataclass(frozen=True)
class Shapes:
    """`base_url` is where this process answers; it goes into every `web_url`."""

    store: Store
    base_url: str

    def issue(self, issue: Issue) -> dict[str, Any]:
        assignees = [self._reference(user_id) for user_id in issue.assignee_ids]
        return {
            "id": issue.id,
            "iid": issue.iid,
            "project_id": issue.project_id,
            "title": issue.title,
            "description": issue.description,
            "state": issue.state,
            "created_at": issue.created_at,
            "updated_at": issue.updated_at,
            "closed_at": issue.closed_at,
            "labels": sorted(issue.labels),
            "milestone": None,
            "author": self._reference(issue.author_id),
            "assignees": assignees,
            "assignee": next(iter(assignees), None),
            "type": "ISSUE",
            "issue_type": "issue",
            "confidential": issue.confidential,
            "discussion_locked": issue.discussion_locked or None,
            "due_date": issue.due_date,
            "moved_to_id": None,
            "web_url": self.issue_url(issue),
        }

    def issue_url(self, issue: Issue) -> str:
        project = self.store.project(issue.project_id)
        path = project.path if project else ""
        return f"{self.base_url}/{path}/-/issues/{issue.iid}"

    def note(self, note: Note) -> dict[str, Any]:
        return {
            "id": note.id,
            "body": note.body,
            "author": self._reference(note.author_id),
            "created_at": note.created_at,
            "updated_at": note.created_at,
            "system": note.system,
            "internal": note.internal,
            "confidential": note.internal,
            "noteable_type": "Issue",
            "noteable_iid": note.issue_iid,
        }

    def project(self, project: Project) -> dict[str, Any]:
        return {
            "id": project.id,
            "name": project.path.rpartition("/")[2],
            "path_with_namespace": project.path,
            "archived": project.archived,
            "visibility": project.visibility,
            "issues_enabled": project.issues_enabled,
            "issues_access_level": _ISSUES_ACCESS[project.issues_enabled],
            "permissions": {"project_access": {"access_level": 20}, "group_access": None},
            "web_url": f"{self.base_url}/{project.path}",
        }

    def user(self, user: User) -> dict[str, Any]:
        return {**self._reference(user.id), "bot": user.bot, "is_admin": False}

    def _reference(self, user_id: int) -> dict[str, Any]:
        user = self.store.user(user_id) or User(user_id, "ghost", "Ghost User", "blocked")
        return {
            "id": user.id,
            "username": user.username,
            "name": user.name,
            "state": user.state,
            "web_url": f"{self.base_url}/{user.username}",
        }


def label(record: Label) -> dict[str, Any]:
    return {"id": record.id, "name": record.name, "is_project_label": True, "archived": False}


def member(record: Member) -> dict[str, Any]:
    return {
        "id": record.user.id,
        "username": record.user.username,
        "name": record.user.name,
        "state": record.user.state,
        "access_level": record.access_level,
        "expires_at": record.expires_at,
    }


def token(settings: Settings, user: User, created_at: str) -> dict[str, Any]:
    return {
        "id": _TOKEN_ID,
        "name": "sandbox",
        "revoked": settings.token_revoked,
        "active": not settings.token_revoked,
        "created_at": created_at,
        "last_used_at": None,
        "expires_at": settings.token_expires_at,
        "scopes": settings.token_scopes,
        "user_id": user.id,
    }
