"""The endpoints the product calls, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from opspilot.sandbox.semaphore import creation, shapes
from opspilot.sandbox.semaphore.faults import Fault, Kind
from opspilot.sandbox.semaphore.messages import (
    Answer,
    Request,
    json_answer,
    list_answer,
    refused,
    text_answer,
)
from opspilot.sandbox.semaphore.model import ROLES, Record, Settings, Task
from opspilot.sandbox.semaphore.runs import Runs, may_stop
from opspilot.sandbox.semaphore.store import Store
from opspilot.sandbox.semaphore.tokens import Tokens

PREFIX = "/api"
_LARGEST_ID = 2**31 - 1
_MOST, _MOST_LAST = 1000, 200
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Call:
    """One request on its way through an endpoint; `parts` are the captured path segments."""

    request: Request
    parts: dict[str, str]
    runs: Runs
    tokens: Tokens
    riders: Mapping[Kind, Fault] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        return self.runs.store

    @property
    def settings(self) -> Settings:
        return self.store.settings()

    def number(self, name: str) -> int:
        text = self.parts[name]
        if not (text.isascii() and text.isdigit() and int(text) <= _LARGEST_ID):
            raise refused(400)
        return int(text)


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
    raise refused(405 if matches else 404)


# The instance and the user


def ping(_call: Call) -> Answer:
    return text_answer(200, "pong")


def info(call: Call) -> Answer:
    body = {"version": call.settings.version, "ansible": "sandbox", "web_host": ""}
    return json_answer(200, body | {"use_remote_runner": False})


def current_user(call: Call) -> Answer:
    settings = call.settings
    body = {"id": settings.user_id, "username": settings.username, "name": settings.username}
    return json_answer(200, body | {"admin": settings.admin})


def list_tokens(call: Call) -> Answer:
    return list_answer(call.tokens.every(call.settings.user_id))


def create_token(call: Call) -> Answer:
    return json_answer(201, call.tokens.make(call.settings.user_id, call.store.clock.stamp()))


def expire_token(call: Call) -> Answer:
    if not call.tokens.expire(call.parts["token"]):
        raise refused(404)
    return Answer(204)


# A project and what it holds


def get_project(call: Call) -> Answer:
    return json_answer(200, _project(call))


def get_role(call: Call) -> Answer:
    _project(call)
    role = call.settings.role
    return json_answer(200, {"role": role, "permissions": ROLES[role]})


def list_templates(call: Call) -> Answer:
    project, settings = _project(call), call.settings
    rows = call.store.every("template", project["id"])
    return list_answer([shapes.template(row, settings) for row in rows])


def get_template(call: Call) -> Answer:
    return json_answer(200, shapes.template(_template(call), call.settings))


def list_inventories(call: Call) -> Answer:
    rows = call.store.every("inventory", _project(call)["id"])
    return list_answer([shapes.shown(row) for row in rows])


def get_inventory(call: Call) -> Answer:
    project = _project(call)
    found = call.store.get("inventory", project["id"], call.number("inventory"))
    if found is None:
        raise refused(404)
    return json_answer(200, shapes.shown(found))


# Tasks


def start_task(call: Call) -> Answer:
    project, body = _project(call), creation.body_object(call.request)
    task = creation.create_task(call.store, project["id"], body, _ride(call))
    answer = shapes.task(task, call.settings)
    call.runs.add(task)
    if Kind.MEMBER_NO_MORE in call.riders:
        with call.store.transaction():
            call.store.put_settings(replace(call.settings, role=""))
    return json_answer(201, answer, stored_id=task.id)


def list_tasks(call: Call) -> Answer:
    return _list(call, _project(call), None, _MOST)


def last_tasks(call: Call) -> Answer:
    return _list(call, _project(call), None, _asked_size(call))


def last_template_tasks(call: Call) -> Answer:
    template = _template(call)
    return _list(call, _project(call), template["id"], _asked_size(call))


def get_task(call: Call) -> Answer:
    return json_answer(200, shapes.task(_task(call), call.settings))


def get_output(call: Call) -> Answer:
    return list_answer(call.store.output(_task(call).id))


def get_raw_output(call: Call) -> Answer:
    if not call.settings.raw_output:
        raise refused(404)
    lines = [row["output"] for row in call.store.output(_task(call).id)]
    return text_answer(200, "".join(f"{_ANSI.sub('', line)}\n" for line in lines))


def stop_task(call: Call) -> Answer:
    """A JSON body is required, though it may say nothing."""
    task = _task(call)
    if call.settings.role not in {"owner", "manager", "task_runner"}:
        raise refused(403)
    force = creation.body_object(call.request).get("force", False)
    if not isinstance(force, bool) or not may_stop(task):
        raise refused(400)
    call.runs.stop(task, force=force)
    return Answer(204, stored_id=task.id)


def _project(call: Call) -> Record:
    """Who is not a member is told that there is no such project."""
    number = call.number("project")
    found = call.store.get("project", number, number)
    if found is None or not call.settings.role:
        raise refused(404)
    return found


def _template(call: Call) -> Record:
    found = call.store.get("template", _project(call)["id"], call.number("template"))
    if found is None:
        raise refused(404)
    return found


def _task(call: Call) -> Task:
    """An unknown task looks like a fault of the database: 400, and no body."""
    found = call.store.task(_project(call)["id"], call.number("task"))
    if found is None:
        raise refused(400)
    return found


def _list(call: Call, project: Record, template_id: int | None, size: int) -> Answer:
    before = _query_number(call, "before") if call.settings.modern else None
    found = call.store.tasks(project["id"], template_id=template_id, before=before)
    templates = {each["id"]: each for each in call.store.every("template", project["id"])}
    settings = call.settings
    rows = [
        shapes.listed(task, settings, templates.get(task.template_id, {})) for task in found[:size]
    ]
    headers = {"X-Has-Next": str(len(found) > size).lower()} if settings.modern else {}
    return list_answer(rows, headers=headers)


def _asked_size(call: Call) -> int:
    asked = _query_number(call, "limit")
    if asked is None and call.settings.modern:
        asked = _query_number(call, "count")
    return min(asked or _MOST_LAST, _MOST_LAST)


def _query_number(call: Call, name: str) -> int | None:
    text = call.request.first(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text[:20]) <= _LARGEST_ID):
        raise refused(400)
    return int(text)


def _ride(call: Call) -> creation.Ride:
    late, play = call.riders.get(Kind.LIST_LATE), call.riders.get(Kind.PLAY)
    return creation.Ride(
        list_delay=late.seconds if late else 0.0,
        play=play.play if play else "",
        play_seconds=play.seconds if play else 0.0,
        edited=Kind.MARKER_EDITED in call.riders,
        twin=Kind.TWO_WITH_MARKER in call.riders,
    )


def _route(method: str, path: str, operation: str, endpoint: Callable[[Call], Answer]) -> Route:
    pattern = re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", path)
    return Route(method, re.compile(pattern), operation, endpoint)


_P = "/project/<project>"
ROUTES = (
    _route("GET", "/ping", "ping", ping),
    _route("GET", "/info", "info", info),
    _route("GET", "/user", "currentUser", current_user),
    _route("GET", "/user/tokens", "listTokens", list_tokens),
    _route("POST", "/user/tokens", "createToken", create_token),
    _route("DELETE", "/user/tokens/<token>", "expireToken", expire_token),
    _route("GET", _P, "getProject", get_project),
    _route("GET", f"{_P}/role", "getRole", get_role),
    _route("GET", f"{_P}/templates", "listTemplates", list_templates),
    _route("GET", f"{_P}/templates/<template>", "getTemplate", get_template),
    _route(
        "GET", f"{_P}/templates/<template>/tasks/last", "lastTemplateTasks", last_template_tasks
    ),
    _route("GET", f"{_P}/inventory", "listInventories", list_inventories),
    _route("GET", f"{_P}/inventory/<inventory>", "getInventory", get_inventory),
    _route("POST", f"{_P}/tasks", "startTask", start_task),
    _route("GET", f"{_P}/tasks", "listTasks", list_tasks),
    _route("GET", f"{_P}/tasks/last", "lastProjectTasks", last_tasks),
    _route("GET", f"{_P}/tasks/<task>", "getTask", get_task),
    _route("GET", f"{_P}/tasks/<task>/output", "getTaskOutput", get_output),
    _route("GET", f"{_P}/tasks/<task>/raw_output", "getTaskRawOutput", get_raw_output),
    _route("POST", f"{_P}/tasks/<task>/stop", "stopTask", stop_task),
)
