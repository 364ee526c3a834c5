"""The fields of one request laid onto an issue, as far as the token's rights reach."""

from __future__ import annotations

from opspilot.sandbox.gitlab import parameters, quick_actions
from opspilot.sandbox.gitlab.messages import RefusedError, json_answer
from opspilot.sandbox.gitlab.model import Issue, Member, Settings, Trace
from opspilot.sandbox.gitlab.parameters import TEXT_LIMIT, TITLE_LIMIT, Fields
from opspilot.sandbox.gitlab.store import Store


def scene(store: Store, issue: Issue) -> quick_actions.Scene:
    return quick_actions.Scene(
        issue=issue,
        members=store.members(issue.project_id),
        label_names=[label.name for label in store.labels(issue.project_id)],
        settings=store.settings(),
        at=issue.updated_at,
    )


class Change:
    """`traces` tells what was dropped or made without a word to the client."""

    def __init__(self, store: Store, issue: Issue, fields: Fields) -> None:
        self.store, self.issue, self.fields = store, issue, fields
        self.settings: Settings = store.settings()
        self.traces: list[Trace] = []

    def text(self, name: str, limit: int = TEXT_LIMIT) -> str | None:
        return parameters.text(self.fields, name, limit=limit)

    def apply(self) -> None:
        self._title()
        self._confidential()
        self._labels()
        self._assignees()
        self._dates_and_lock()
        self._state()

    def _dropped(self, what: str) -> None:
        self.traces.append(Trace("dropped", what))

    def _title(self) -> None:
        title = self.text("title", TITLE_LIMIT)
        if title is None:
            return
        if not title.strip():
            raise _invalid("title", "can't be blank")
        self.issue.title = title.strip()

    def _confidential(self) -> None:
        wanted = parameters.flag(self.fields, "confidential")
        # Without the right the wish is dropped, and a new issue is public.
        if wanted is not None and self.settings.set_confidential:
            self.issue.confidential = wanted
        elif wanted:
            self._dropped("confidential")

    def _labels(self) -> None:
        whole = parameters.titles(self.fields, "labels")
        added = parameters.titles(self.fields, "add_labels") or []
        removed = parameters.titles(self.fields, "remove_labels") or []
        if not self.settings.set_metadata:
            if whole or added:
                self._dropped("labels")
            return
        names = [*(self.issue.labels if whole is None else whole), *added]
        kept = [name for name in dict.fromkeys(names) if name not in removed]
        if len(kept) > self.settings.label_limit:
            raise _invalid("labels", f"cannot be more than {self.settings.label_limit}")
        self.issue.labels = [name for name in kept if self._label_stands(name)]

    def _label_stands(self, name: str) -> bool:
        if any(label.name == name for label in self.store.labels(self.issue.project_id)):
            return True
        if self.settings.create_labels:
            self.store.add_label(self.issue.project_id, name)
            self.traces.append(Trace("label_created", name))
        else:
            self._dropped(f"label {name}")
        return self.settings.create_labels

    def _assignees(self) -> None:
        single = parameters.integer(self.fields, "assignee_id")
        wanted = parameters.ids(self.fields, "assignee_ids")
        if wanted is None and single is not None:
            wanted = [single] if single else []
        if wanted is None:
            return
        kept = self._assignable(wanted) if self.settings.set_metadata else self.issue.assignee_ids
        for user_id in wanted:
            if user_id not in kept:
                self._dropped(f"assignee {user_id}")
        self.issue.assignee_ids = kept

    def _assignable(self, wanted: list[int]) -> list[int]:
        today = self.store.clock.now().date().isoformat()
        members = self.store.members(self.issue.project_id)
        readers = {member.user.id for member in members if _reads(member, today)}
        kept = [user_id for user_id in wanted if user_id in readers]
        return kept[:1] if self.settings.tier == "free" else kept

    def _dates_and_lock(self) -> None:
        locked = parameters.flag(self.fields, "discussion_locked")
        due = self.text("due_date")
        if not self.settings.set_metadata:
            if due or locked:
                self._dropped("due_date, discussion_locked")
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
            stage = scene(self.store, self.issue)
            quick_actions.close(stage) if event == "close" else quick_actions.reopen(stage)


def _reads(member: Member, today: str) -> bool:
    lasting = member.expires_at is None or member.expires_at > today
    return member.user.state == "active" and lasting


def _invalid(field: str, sentence: str) -> RefusedError:
    return RefusedError(json_answer(400, {"message": {field: [sentence]}}))
