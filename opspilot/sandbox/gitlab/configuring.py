"""What the control door may change of the instance, its token, its projects and its people."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from opspilot.sandbox.gitlab.messages import bad_parameter
from opspilot.sandbox.gitlab.model import Project, Settings, User
from opspilot.sandbox.gitlab.store import Store

_RIGHTS = ("create_labels", "set_confidential", "set_metadata", "owner")
_LIMITS = ("issues_a_minute", "searches_a_minute", "notes_a_minute")
_TOKEN = {"scopes": "token_scopes", "revoked": "token_revoked", "expires_at": "token_expires_at"}
_TIERS = ("free", "premium")
_PLAIN = ("tier", "search_delay", "latency", "version", "label_limit")
_WANTED = (*_PLAIN, "rights", "limits", "token", "projects", "users", "members")
_MEMBER = {"access_level", "expires_at"}
_REPORTER = 20


def apply(store: Store, wanted: Any) -> Settings:
    """The caller holds the transaction."""
    if not isinstance(wanted, dict) or not set(wanted) <= set(_WANTED):
        raise bad_parameter(f"config takes: {', '.join(_WANTED)}")
    settings = replace(store.settings(), **_settings_changes(wanted))
    store.put_settings(settings)
    for project_id, changes in wanted.get("projects", {}).items():
        _change_project(store, int(project_id), changes)
    for user_id, changes in wanted.get("users", {}).items():
        _change_user(store, int(user_id), changes)
    for project_id, people in wanted.get("members", {}).items():
        for user_id, membership in people.items():
            _change_member(store, int(project_id), int(user_id), membership)
    return settings


def _change_project(store: Store, project_id: int, changes: dict[str, Any]) -> None:
    """A new `path` is a move: the old one answers 301 and 405 from now on."""
    project = store.project(project_id)
    if project is None:
        raise bad_parameter("no such project")
    changed = replace(project, **_known(changes, Project))
    store.put_project(changed)
    if changed.path != project.path:
        store.put_moved_path(project.path, project_id)


def _change_user(store: Store, user_id: int, changes: dict[str, Any]) -> None:
    user = store.user(user_id)
    if user is None:
        raise bad_parameter("no such user")
    store.put_user(replace(user, **_known(changes, User)))


def _change_member(store: Store, project_id: int, user_id: int, wanted: Any) -> None:
    """`wanted` null ends the membership."""
    if store.project(project_id) is None or store.user(user_id) is None:
        raise bad_parameter("no such project or user")
    if wanted is None:
        store.drop_member(project_id, user_id)
        return
    if not isinstance(wanted, dict) or not set(wanted) <= _MEMBER:
        raise bad_parameter(f"a membership takes: {', '.join(sorted(_MEMBER))}")
    level = int(wanted.get("access_level", _REPORTER))
    store.put_member(project_id, user_id, level, wanted.get("expires_at"))


def _settings_changes(wanted: dict[str, Any]) -> dict[str, Any]:
    changes = {name: wanted[name] for name in _PLAIN if name in wanted}
    if changes.get("tier", "free") not in _TIERS:
        raise bad_parameter("tier is free or premium")
    if not isinstance(changes.get("search_delay"), int | float | None):
        raise bad_parameter("search_delay is a number of seconds, or null for ever")
    if not isinstance(changes.get("latency", 0.0), int | float):
        raise bad_parameter("latency is a number of seconds")
    rights = _only(wanted.get("rights", {}), _RIGHTS, "rights")
    limits = _only(wanted.get("limits", {}), _LIMITS, "limits")
    token = {_TOKEN[name]: value for name, value in wanted.get("token", {}).items()}
    return _known(changes | rights | limits | token, Settings)


def _only(values: dict[str, Any], names: tuple[str, ...], what: str) -> dict[str, Any]:
    if not set(values) <= set(names):
        raise bad_parameter(f"{what} takes: {', '.join(names)}")
    return values


def _known(changes: dict[str, Any], record: type[Project | User | Settings]) -> dict[str, Any]:
    names = {field.name for field in fields(record)} - {"id"}
    if not set(changes) <= names:
        raise bad_parameter(f"{record.__name__.lower()} takes: {', '.join(sorted(names))}")
    return changes
