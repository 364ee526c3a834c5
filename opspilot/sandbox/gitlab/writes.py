"""Writes, with everything the remote changes on the way without saying so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from opspilot.sandbox.gitlab import parameters, quick_actions, references, side_effects
from opspilot.sandbox.gitlab.change import Change, scene
from opspilot.sandbox.gitlab.messages import RefusedError, bad_parameter, json_answer, refused
from opspilot.sandbox.gitlab.model import Issue, Note, Project, Trace, stamp
from opspilot.sandbox.gitlab.parameters import TEXT_LIMIT, Fields
from opspilot.sandbox.gitlab.quick_actions import Command, Extraction
from opspilot.sandbox.gitlab.references import Reference
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
class Written:
    """`note` is None when a note's body held only commands."""

    issue: Issue
    traces: tuple[Trace, ...]
    commands: tuple[Command, ...] = ()
    note: Note | None = None


def create_issue(
    store: Store,
    project: Project,
    fields: Fields,
    *,
    base_url: str,
    list_delay: float,
    search_blind: bool,
) -> Written:
    """`list_delay` keeps the new issue out of listings for so many seconds."""
    if fields.get("title") is None:
        raise bad_parameter("title is missing")
    with store.transaction():
        issue = _new_issue(store, project, fields)
        issue.listed_from = stamp(store.clock.now(later=list_delay))
        issue.search_blind = search_blind
        change = Change(store, issue, fields)
        description = change.text("description") or ""
        change.apply()
        store.add_issue(issue)
        text = _TextWrite(store, issue, base_url, change.traces)
        # The remote fills an empty description from the template before it looks for commands.
        if not description.strip() and project.template:
            description = project.template
            text.traces.append(Trace("template", "inserted"))
        issue.description = text.write(description).text
        text.name()
        store.save_issue(issue)
        return Written(issue, text.kept())


def update_issue(store: Store, issue: Issue, fields: Fields, *, base_url: str) -> Written:
    if not any(name in fields for name in _CHANGEABLE):
        names = ", ".join(_CHANGEABLE)
        raise bad_parameter(f"{names} are missing, at least one parameter must be provided")
    with store.transaction():
        issue = _fresh(store, issue)
        issue.updated_at = stamp(store.clock.now())
        issue.search_blind = False
        change = Change(store, issue, fields)
        description = change.text("description")
        change.apply()
        text = _TextWrite(store, issue, base_url, change.traces)
        if description is not None:
            issue.description = text.write(description).text
        if "title" in fields:
            text.name()
        store.save_issue(issue)
        return Written(issue, text.kept())


def create_note(store: Store, issue: Issue, fields: Fields, *, base_url: str) -> Written:
    body = parameters.text(fields, "body", limit=TEXT_LIMIT)
    if body is None:
        raise bad_parameter("body is missing")
    if not body.strip():
        raise RefusedError(json_answer(400, {"message": {"note": ["can't be blank"]}}))
    internal = parameters.flag(fields, "internal") or False
    with store.transaction():
        issue = _fresh(store, issue)
        issue.updated_at = stamp(store.clock.now())
        text = _TextWrite(store, issue, base_url, [])
        extraction = text.write(body)
        store.save_issue(issue)
        note = _note(store, issue, extraction.text, internal=internal) if extraction.text else None
        return Written(issue, text.kept(), extraction.commands, note)


def _new_issue(store: Store, project: Project, fields: Fields) -> Issue:
    """Only an owner chooses the number and the date; anybody else's wish is dropped."""
    at = stamp(store.clock.now())
    issue = Issue(project_id=project.id, author_id=store.bot().id, created_at=at, updated_at=at)
    if store.settings().owner:
        issue.iid = parameters.integer(fields, "iid") or 0
        if store.issue(project.id, issue.iid):
            raise refused(409, "Duplicated issue")
        issue.created_at = _moment(fields) or at
    return issue


def _moment(fields: Fields) -> str | None:
    text = parameters.text(fields, "created_at", limit=TEXT_LIMIT)
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise bad_parameter("created_at is invalid") from None
    return stamp(read if read.tzinfo else read.replace(tzinfo=UTC))


def _fresh(store: Store, issue: Issue) -> Issue:
    """The issue as it is now that we hold the write lock."""
    return store.issue(issue.project_id, issue.iid) or issue


def _note(
    store: Store, issue: Issue, body: str, *, internal: bool = False, system: bool = False
) -> Note:
    note = Note(
        project_id=issue.project_id,
        issue_iid=issue.iid,
        author_id=store.bot().id,
        body=body,
        created_at=stamp(store.clock.now()),
        internal=internal,
        system=system,
    )
    return store.add_note(note)


@dataclass
class _TextWrite:
    """A text on its way into a stored issue, and all that it sets off."""

    store: Store
    issue: Issue
    base_url: str
    traces: list[Trace]

    def write(self, text: str) -> Extraction:
        extraction = quick_actions.extract(text)
        quick_actions.run(extraction.commands, scene(self.store, self.issue))
        self.traces += [Trace("quick_action", str(command)) for command in extraction.commands]
        members = self.store.members(self.issue.project_id)
        self.traces += side_effects.of_text(extraction.text, members)
        self._refer(extraction.text)
        return extraction

    def name(self) -> None:
        """What the title does: it is text that acts as well."""
        members = self.store.members(self.issue.project_id)
        self.traces += side_effects.of_title(self.issue.title, members)
        self._refer(self.issue.title)

    def kept(self) -> tuple[Trace, ...]:
        for trace in self.traces:
            self.store.add_trace(self.issue, trace)
        return tuple(self.traces)

    def _refer(self, text: str) -> None:
        own = self.store.project(self.issue.project_id)
        for reference in references.found(text, base_url=self.base_url):
            path = reference.seen_from(own.path if own else "")
            project = self.store.project_at(path)
            trace = Trace("cross_reference", f"{path}{reference.sign}{reference.number}")
            # Twice in one text is one note.
            if project and trace not in self.traces and self._lands(reference, project):
                self.traces.append(trace)

    def _lands(self, reference: Reference, project: Project) -> bool:
        """Writes the note; of merge requests, which it does not keep, it takes all to exist."""
        if not self.store.is_member(project.id, self.store.bot().id):
            return False
        if reference.sign == "!":
            return True
        target = self.store.issue(project.id, reference.number)
        if target is None or target.id == self.issue.id:
            return False
        source = self.store.project(self.issue.project_id)
        path = source.path if source and source.id != project.id else ""
        _note(self.store, target, f"mentioned in issue {path}#{self.issue.iid}", system=True)
        return True
