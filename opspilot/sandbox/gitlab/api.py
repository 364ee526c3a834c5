"""The endpoints the product calls, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from opspilot.sandbox.gitlab import calls, listing, mishaps, parameters, shapes, writes
from opspilot.sandbox.gitlab.calls import PREFIX, Call
from opspilot.sandbox.gitlab.faults import Kind
from opspilot.sandbox.gitlab.messages import (
    Answer,
    RefusedError,
    Request,
    json_answer,
    refused,
)
from opspilot.sandbox.gitlab.model import stamp


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
    return json_answer(200, shapes.token(settings, call.store.bot(), stamp(call.store.clock.now())))


def metadata(call: Call) -> Answer:
    version = call.store.settings().version
    body = {"version": version, "revision": "sandbox", "enterprise": False}
    return json_answer(200, body)


def get_project(call: Call) -> Answer:
    return json_answer(200, call.shapes.project(calls.find_project(call)))


def list_labels(call: Call) -> Answer:
    wanted = (call.request.first("search") or "").lower()
    labels = [
        label
        for label in call.store.labels(calls.find_project(call).id)
        if wanted in label.name.lower()
    ]
    page = listing.offset_page(call.request, labels, call.url)
    return json_answer(200, [shapes.label(label) for label in page.items], headers=page.headers)


def list_members(call: Call) -> Answer:
    wanted = parameters.query_integers(call.request, "user_ids[]")
    members = [
        member
        for member in call.store.members(calls.find_project(call).id)
        if not wanted or member.user.id in wanted
    ]
    page = listing.offset_page(call.request, members, call.url)
    return json_answer(200, [shapes.member(item) for item in page.items], headers=page.headers)


def get_member(call: Call) -> Answer:
    wanted = parameters.path_integer(call.parts["user"], "user_id")
    for member in call.store.members(calls.find_project(call).id):
        if member.user.id == wanted:
            return json_answer(200, shapes.member(member))
    raise refused(404, "404 Not found")


def list_issues(call: Call) -> Answer:
    project = calls.project_with_issues(call)
    listed = call.store.issues(project.id, listed_at=stamp(call.store.clock.now()))
    at = call.store.clock.now()
    found = listing.select(call.request, listed, call.store.settings(), at)
    ordered = listing.order(call.request, found)
    page = listing.issue_page(call.request, ordered, call.url)
    body = [call.shapes.issue(issue) for issue in page.items]
    return json_answer(200, body, headers=page.headers)


def create_issue(call: Call) -> Answer:
    request = call.request
    written = writes.create_issue(
        call.store,
        calls.writable_project(call),
        parameters.body_fields(request),
        base_url=call.shapes.base_url,
        list_delay=request.list_delay,
        search_blind=Kind.SEARCH_BLIND in request.mishaps,
    )
    shown = call.shapes.issue(written.issue)
    traces = written.traces + mishaps.apply(call.store, written.issue, request.mishaps)
    return json_answer(201, shown, stored_iid=written.issue.iid, traces=traces)


def get_issue(call: Call) -> Answer:
    return json_answer(
        200, call.shapes.issue(calls.find_issue(call, calls.project_with_issues(call)))
    )


def change_issue(call: Call) -> Answer:
    issue = calls.find_issue(call, calls.writable_project(call))
    fields = parameters.body_fields(call.request)
    written = writes.update_issue(call.store, issue, fields, base_url=call.shapes.base_url)
    shown = call.shapes.issue(written.issue)
    return json_answer(200, shown, stored_iid=written.issue.iid, traces=written.traces)


def list_notes(call: Call) -> Answer:
    issue = calls.find_issue(call, calls.project_with_issues(call))
    notes = call.store.notes(issue.project_id, issue.iid)
    parameters.choice(call.request.first("order_by"), "order_by", ("created_at", "updated_at"))
    sort = parameters.choice(call.request.first("sort"), "sort", ("asc", "desc")) or "desc"
    page = listing.offset_page(call.request, notes[::-1] if sort == "desc" else notes, call.url)
    return json_answer(200, [call.shapes.note(note) for note in page.items], headers=page.headers)


def create_note(call: Call) -> Answer:
    issue = calls.find_issue(call, calls.writable_project(call))
    fields = parameters.body_fields(call.request)
    written = writes.create_note(call.store, issue, fields, base_url=call.shapes.base_url)
    changes = {command.name: command.argument for command in written.commands}
    if written.note is None:
        summary = [str(command) for command in written.commands]
        body = {"commands_changes": changes, "summary": summary}
        return json_answer(202, body, stored_iid=issue.iid, traces=written.traces)
    shown = call.shapes.note(written.note) | {"commands_changes": changes}
    return json_answer(201, shown, stored_iid=issue.iid, traces=written.traces)


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
    _route("GET", "/projects/<project>/members/all/<user>", "getMember", get_member),
    _route("GET", _ISSUES, "listIssues", list_issues),
    _route("POST", _ISSUES, "createIssue", create_issue),
    _route("GET", _ISSUE, "getIssue", get_issue),
    _route("PUT", _ISSUE, "changeIssueState", change_issue),
    _route("GET", f"{_ISSUE}/notes", "listNotes", list_notes),
    _route("POST", f"{_ISSUE}/notes", "createNote", create_note),
)
