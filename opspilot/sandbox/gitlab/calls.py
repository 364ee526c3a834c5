"""One request on its way, and the project and issue it speaks of."""

from __future__ import annotations

from dataclasses import dataclass

from opspilot.sandbox.gitlab.messages import (
    RefusedError,
    Request,
    bad_parameter,
    refused,
    text_answer,
)
from opspilot.sandbox.gitlab.model import Issue, Project
from opspilot.sandbox.gitlab.shapes import Shapes
from opspilot.sandbox.gitlab.store import Store

PREFIX = "/api/v4"
_LARGEST_ID = 2**63 - 1


@dataclass(frozen=True)
class Call:
    """One request on its way through an endpoint; `parts` are the captured path segments."""

    request: Request
    parts: dict[str, str]
    store: Store
    shapes: Shapes

    @property
    def url(self) -> str:
        return f"{self.shapes.base_url}{self.request.path}"


def find_project(call: Call) -> Project:
    wanted = call.parts["project"]
    if wanted.isascii() and wanted.isdigit():
        number = int(wanted[:20])
        project = call.store.project(number) if number <= _LARGEST_ID else None
    else:
        _refuse_moved(call, wanted)
        project = call.store.project_at(wanted)
    if project is None or not _may_see(call, project):
        raise refused(404, "404 Project Not Found")
    return project


def _may_see(call: Call, project: Project) -> bool:
    """A private project is not there for who is no member."""
    return project.visibility != "private" or call.store.is_member(project.id, call.store.bot().id)


def _refuse_moved(call: Call, path: str) -> None:
    """A moved path answers by numeric id to GET, and turns every other method away."""
    moved_to = call.store.moved_to(path)
    if moved_to is None:
        return
    if call.request.method not in {"GET", "HEAD"}:
        raise refused(405, "Non GET methods are not allowed for moved projects")
    head, _, rest = call.request.target.removeprefix(f"{PREFIX}/projects/").partition("/")
    tail = f"/{rest}" if rest else head[len(head.partition("?")[0]) :]
    location = f"{call.shapes.base_url}{PREFIX}/projects/{moved_to}{tail}"
    message = "This resource has been moved permanently to " + location
    raise RefusedError(text_answer(301, message, headers={"Location": location}))


def project_with_issues(call: Call) -> Project:
    project = find_project(call)
    if not project.issues_enabled:
        raise refused(403, "403 Forbidden")
    return project


def writable_project(call: Call) -> Project:
    project = project_with_issues(call)
    if project.archived:
        raise refused(403, "403 Forbidden - project is archived")
    return project


def find_issue(call: Call, project: Project) -> Issue:
    wanted = call.parts["iid"]
    if not (wanted.isascii() and wanted.isdigit()):
        raise bad_parameter("issue_iid is invalid")
    number = int(wanted[:20])
    issue = call.store.issue(project.id, number) if number <= _LARGEST_ID else None
    if issue is None:
        raise refused(404, "404 Not found")
    return issue
