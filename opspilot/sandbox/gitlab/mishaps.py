"""What befalls an issue right after it was stored, by other hands than the client's."""

from __future__ import annotations

import re
from dataclasses import replace

from opspilot.sandbox.gitlab.faults import Kind
from opspilot.sandbox.gitlab.model import Issue, Trace, stamp
from opspilot.sandbox.gitlab.store import Store

_MARKER = re.compile(r"opk[0-9a-f]{32}")


def apply(store: Store, issue: Issue, ordered: frozenset[str]) -> tuple[Trace, ...]:
    known = {
        Kind.MARKER_EDITED: _edit_marker_away,
        Kind.TWO_WITH_MARKER: _double,
        Kind.PROJECT_MOVED: _move_project,
    }
    met = [kind for kind in known if kind in ordered]
    if not met:
        return ()
    with store.transaction():
        for kind in met:
            known[kind](store, issue)
    return tuple(Trace("mishap", str(kind)) for kind in met)


def _edit_marker_away(store: Store, issue: Issue) -> None:
    issue.description = _MARKER.sub("", issue.description).rstrip()
    issue.updated_at = stamp(store.clock.now())
    store.save_issue(issue)


def _double(store: Store, issue: Issue) -> None:
    store.add_issue(replace(issue, id=0, iid=0, labels=list(issue.labels)))


def _move_project(store: Store, issue: Issue) -> None:
    project = store.project(issue.project_id)
    if project is not None:
        store.put_project(replace(project, path=f"{project.path}-mudado"))
        store.put_moved_path(project.path, project.id)
