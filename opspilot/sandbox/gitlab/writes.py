"""Writes, with everything the remote changes on the way without saying so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from opspilot.sandbox.gitlab import parameters, quick_actions, side_effects
from opspilot.sandbox.gitlab.messages import RefusedError, bad_parameter, json_answer
from opspilot.sandbox.gitlab.model import Issue, Note, Project, Settings, Trace, now, stamp
from opspilot.sandbox.gitlab.parameters import TEXT_LIMIT, TITLE_LIMIT, Fields
from opspilot.sandbox.gitlab.store import Store

_CHANGEABLE = (
    "add_labels",
    "assignee_id",
    "assignee_ids",
    "confidential",
    "description",
    "discussion_locked",
    "due_date",
    "labels",
    "remove_labels",
    "state_event",
    "title",
)


@dataclass(frozen=True)
class NoteResult:
    """`note` is None when the body held only commands."""

    note: Note | None
    commands: tuple[quick_actions.Command, ...]


def create_issue(store: Store, project: Project, fields: Fields, *, list_delay: float) -> Issue:
    """`list_delay` keeps the new issue out of listings for so many seconds."""
    if fields.get("title") is None:
        raise bad_parameter("title is missing")
    at = now()
    with store.transaction():
        issue = Issue(
            project_id=project.id,
            author_id=store.bot().id,
            created_at=stamp(at),
            updated_at=stamp(at),
            listed_from=stamp(at + timedelta(seconds=list_delay)),
        )
        change = _Change(store, issue, fields)
        description = change.text("description") or ""
        change.apply()
        store.add_issue(issue)
        # The remote fills an empty description from the template before it looks for commands.
        _set_description(store, issue, description if description.strip() else project.template)
    return issue


def update_issue(store: Store, issue: Issue, fields: Fields) -> Issue:
    if not any(name in fields for name in _CHANGEABLE):
        names = ", ".join(_CHANGEABLE)
        raise bad_parameter(f"{names} are missing, at least one parameter must be provided")
    with store.transaction():
        issue = _fresh(store, issue)
        issue.updated_at = stamp(now())
        change = _Change(store, issue, fields)
        description = change.text("description")
        change.apply()
        store.save_issue(issue)
        if description is not None:
            _set_description(store, issue, description)
    return issue


def create_note(store: Store, issue: Issue, fields: Fields) -> NoteResult:
    body = parameters.text(fields, "body", limit=TEXT_LIMIT)
    if body is None:
        raise bad_parameter("body is missing")
    if not body.strip():
        raise RefusedError(json_answer(400, {"message": {"note": ["can't be blank"]}}))
    internal = parameters.flag(fields, "internal") or False
    extraction = quick_actions.extract(body)
    with store.transaction():
        issue = _fresh(store, issue)
        issue.updated_at = stamp(now())
        _run_commands(store, issue, extraction)
        if not extraction.text:
            return NoteResult(None, extraction.commands)
        _record_effects(store, issue, extraction.text)
        note = Note(
            project_id=issue.project_id,
            issue_iid=issue.iid,
            author_id=store.bot().id,
            body=extraction.text,
            created_at=issue.updated_at,
            internal=internal,
        )
        return NoteResult(store.add_note(note), extraction.commands)


def _fresh(store: Store, issue: Issue) -> Issue:
    """The issue as it is now that we hold the write lock."""
    return store.issue(issue.project_id, issue.iid) or issue


def _set_description(store: Store, issue: Issue, text: str) -> None:
    extraction = quick_actions.extract(text)
    issue.description = extraction.text
    _run_commands(store, issue, extraction)
    _record_effects(store, issue, extraction.text)


def _run_commands(store: Store, issue: Issue, extraction: quick_actions.Extraction) -> None:
    quick_actions.run(extraction.commands, _scene(store, issue))
    for command in extraction.commands:
        store.add_trace(issue, Trace("quick_action", str(command)))
    store.save_issue(issue)


def _record_effects(store: Store, issue: Issue, text: str) -> None:
    for trace in side_effects.of_text(text, store.members(issue.project_id)):
        store.add_trace(issue, trace)


def _scene(store: Store, issue: Issue) -> quick_actions.Scene:
    return quick_actions.Scene(
        issue=issue,
        members=store.members(issue.project_id),
        label_names=[label.name for label in store.labels(issue.project_id)],
        settings=store.settings(),
        at=issue.updated_at,
    )


class _Change:
    """The fields of one request laid onto an issue, as far as the token's rights reach."""

    def __init__(self, store: Store, issue: Issue, fields: Fields) -> None:
        self.store, self.issue, self.fields = store, issue, fields
        self.settings: Settings = store.settings()

    def text(self, name: str, limit: int = TEXT_LIMIT) -> str | None:
        return parameters.text(self.fields, name, limit=limit)

    def apply(self) -> None:
        self._title()
        self._confidential()
        self._labels()
        self._assignees()
        self._dates_and_lock()
        self._state()

    def _title(self) -> None:
        title = self.text("title", TITLE_LIMIT)
        if title is None:
            return
        if not title.strip():
            raise RefusedError(json_answer(400, {"message": {"title": ["can't be blank"]}}))
        self.issue.title = title.strip()

    def _confidential(self) -> None:
        wanted = parameters.flag(self.fields, "confidential")
        # Without the right the wish is dropped, and a new issue is public.
        if wanted is not None and self.settings.set_confidential:
            self.issue.confidential = wanted

    def _labels(self) -> None:
        whole = parameters.titles(self.fields, "labels")
        added = parameters.titles(self.fields, "add_labels") or []
        removed = parameters.titles(self.fields, "remove_labels") or []
        if not self.settings.set_metadata:
            return
        names = [*(self.issue.labels if whole is None else whole), *added]
        kept = [name for name in dict.fromkeys(names) if name not in removed]
        self.issue.labels = [name for name in kept if self._label_stands(name)]

    def _label_stands(self, name: str) -> bool:
        if any(label.name == name for label in self.store.labels(self.issue.project_id)):
            return True
        if self.settings.create_labels:
            self.store.add_label(self.issue.project_id, name)
        return self.settings.create_labels

    def _assignees(self) -> None:
        single = parameters.integer(self.fields, "assignee_id")
        wanted = parameters.ids(self.fields, "assignee_ids")
        if wanted is None and single is not None:
            wanted = [single] if single else []
        if wanted is None or not self.settings.set_metadata:
            return
        members = self.store.members(self.issue.project_id)
        active = {member.user.id for member in members if member.user.state == "active"}
        readers = [user_id for user_id in wanted if user_id in active]
        self.issue.assignee_ids = readers[:1] if self.settings.tier == "free" else readers

    def _dates_and_lock(self) -> None:
        locked = parameters.flag(self.fields, "discussion_locked")
        due = self.text("due_date")
        if not self.settings.set_metadata:
            return
        if due is not None:
            self.issue.due_date = parameters.day(due)
        if locked is not None:
            self.issue.discussion_locked = locked

    def _state(self) -> None:
        event = parameters.choice(
            self.fields.get("state_event"), "state_event", ("close", "reopen")
        )
        if event is not None:
            scene = _scene(self.store, self.issue)
            quick_actions.close(scene) if event == "close" else quick_actions.reopen(scene)
