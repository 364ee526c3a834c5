"""The endpoints the product calls, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from opspilot.sandbox.gitlab import listing, parameters, shapes, writes
from opspilot.sandbox.gitlab.messages import (
    Answer,
    RefusedError,
    Request,
    bad_parameter,
    json_answer,
    refused,
    text_answer,
)
from opspilot.sandbox.gitlab.model import Issue, Project, now, stamp
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


@dataclass(frozen=True)
class Route:
    method: str
    pattern: re.Pattern[str]
    operation: str
    endpoint: Callable[[Call], Answer]


def find_route(request: Request) -> tuple[Route, dict[str, str]]:
    path = request.path.removeprefix(PREFIX)
    method = "GET" if request.method == "HEAD" else request.method
    matches = [(route, match) for route in ROUTES if (match := route.pattern.fullmatch(path))]
    for route, match in matches:
        if route.method == method:
            return route, {name: unquote(value) for name, value in match.groupdict().items()}
    if not matches:
        raise RefusedError(json_answer(404, {"error": "404 Not Found"}))
    allowed = ", ".join(sorted({route.method for route, _ in matches} | {"HEAD"}))
    raise RefusedError(json_answer(405, {"error": "405 Not Allowed"}, headers={"Allow": allowed}))


def current_user(call: Call) -> Answer:
    return json_answer(200, call.shapes.user(call.store.bot()))


def token_self(call: Call) -> Answer:
    settings = call.store.settings()
    return json_answer(200, shapes.token(settings, call.store.bot(), stamp(now())))


def metadata(_call: Call) -> Answer:
    body = {"version": shapes.VERSION, "revision": "sandbox", "enterprise": False}
    return json_answer(200, body)


def get_project(call: Call) -> Answer:
    return json_answer(200, call.shapes.project(_project(call)))


def list_labels(call: Call) -> Answer:
    wanted = (call.request.first("search") or "").lower()
    labels = [
        label for label in call.store.labels(_project(call).id) if wanted in label.name.lower()
    ]
    page = listing.offset_page(call.request, labels, call.url)
    return json_answer(200, [shapes.label(label) for label in page.items], headers=page.headers)


def list_members(call: Call) -> Answer:
    wanted = parameters.query_integers(call.request, "user_ids[]")
    members = [
        member
        for member in call.store.members(_project(call).id)
        if not wanted or member.user.id in wanted
    ]
    page = listing.offset_page(call.request, members, call.url)
    return json_answer(200, [shapes.member(item) for item in page.items], headers=page.headers)


def list_issues(call: Call) -> Answer:
    project = _project_with_issues(call)
    listed = call.store.issues(project.id, listed_at=stamp(now()))
    found = listing.select(call.request, listed, call.store.settings())
    ordered = listing.order(call.request, found)
    page = listing.issue_page(call.request, ordered, call.url)
    body = [call.shapes.issue(issue) for issue in page.items]
    return json_answer(200, body, headers=page.headers)


def create_issue(call: Call) -> Answer:
    project = _writable_project(call)
    fields = parameters.body_fields(call.request)
    issue = writes.create_issue(call.store, project, fields, list_delay=call.request.list_delay)
    return json_answer(201, call.shapes.issue(issue), stored_iid=issue.iid)


def get_issue(call: Call) -> Answer:
    return json_answer(200, call.shapes.issue(_issue(call, _project_with_issues(call))))


def change_issue(call: Call) -> Answer:
    issue = _issue(call, _writable_project(call))
    changed = writes.update_issue(call.store, issue, parameters.body_fields(call.request))
    return json_answer(200, call.shapes.issue(changed), stored_iid=changed.iid)


def list_notes(call: Call) -> Answer:
    issue = _issue(call, _project_with_issues(call))
    notes = call.store.notes(issue.project_id, issue.iid)
    parameters.choice(call.request.first("order_by"), "order_by", ("created_at", "updated_at"))
    sort = parameters.choice(call.request.first("sort"), "sort", ("asc", "desc")) or "desc"
    page = listing.offset_page(call.request, notes[::-1] if sort == "desc" else notes, call.url)
    return json_answer(200, [call.shapes.note(note) for note in page.items], headers=page.headers)


def create_note(call: Call) -> Answer:
    issue = _issue(call, _writable_project(call))
    result = writes.create_note(call.store, issue, parameters.body_fields(call.request))
    changes = {command.name: command.argument for command in result.commands}
    if result.note is None:
        summary = [str(command) for command in result.commands]
        body = {"commands_changes": changes, "summary": summary}
        return json_answer(202, body, stored_iid=issue.iid)
    shown = call.shapes.note(result.note) | {"commands_changes": changes}
    return json_answer(201, shown, stored_iid=issue.iid)


def _project(call: Call) -> Project:
    wanted = call.parts["project"]
    if wanted.isascii() and wanted.isdigit():
        number = int(wanted[:20])
        project = call.store.project(number) if number <= _LARGEST_ID else None
    else:
        _refuse_moved(call, wanted)
        project = call.store.project_at(wanted)
    if project is None:
        raise refused(404, "404 Project Not Found")
    return project


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


def _project_with_issues(call: Call) -> Project:
    project = _project(call)
    if not project.issues_enabled:
        raise refused(403, "403 Forbidden")
    return project


def _writable_project(call: Call) -> Project:
    project = _project_with_issues(call)
    if project.archived:
        raise refused(403, "403 Forbidden - project is archived")
    return project


def _issue(call: Call, project: Project) -> Issue:
    wanted = call.parts["iid"]
    if not (wanted.isascii() and wanted.isdigit()):
        raise bad_parameter("issue_iid is invalid")
    number = int(wanted[:20])
    issue = call.store.issue(project.id, number) if number <= _LARGEST_ID else None
    if issue is None:
        raise refused(404, "404 Not found")
    return issue


def _route(method: str, path: str, operation: str, endpoint: Callable[[Call], Answer]) -> Route:
    pattern = re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", path)
    return Route(method, re.compile(pattern), operation, endpoint)


_ISSUES = "/projects/<project>/issues"
_ISSUE = f"{_ISSUES}/<iid>"
ROUTES = (
    _route("GET", "/user", "currentUser", current_user),
    _route("GET", "/personal_access_tokens/self", "tokenSelf", token_self),
    _route("GET", "/metadata", "metadata", metadata),
    _route("GET", "/projects/<project>", "getProject", get_project),
    _route("GET", "/projects/<project>/labels", "listLabels", list_labels),
    _route("GET", "/projects/<project>/members/all", "listMembers", list_members),
    _route("GET", _ISSUES, "listIssues", list_issues),
    _route("POST", _ISSUES, "createIssue", create_issue),
    _route("GET", _ISSUE, "getIssue", get_issue),
    _route("PUT", _ISSUE, "changeIssueState", change_issue),
    _route("GET", f"{_ISSUE}/notes", "listNotes", list_notes),
    _route("POST", f"{_ISSUE}/notes", "createNote", create_note),
)
