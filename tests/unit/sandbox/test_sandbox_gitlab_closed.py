"""Every trap twice: sent raw it fires, by the sandbox's own word; through us it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from approvals import drafts, neutral
from approvals.actions import ISSUE_CREATED
from opspilot.connectors.errors import RefusedByRemoteError
from opspilot.connectors.gitlab import GitLab
from opspilot.connectors.http import BoundedClient
from opspilot.connectors.issues import RemoteIssue
from opspilot.sandbox.gitlab.quick_actions import NAMES
from opspilot.sandbox.process import SandboxProcess

ISSUES = "/projects/412/issues"
MARKER = "opk" + "ab" * 16
ACTS = (
    "quick_actions",
    "notifications",
    "images_fetched_by_readers",
    "cross_references",
    "hidden_texts",
    "labels_created",
    "template",
)
ARGUMENTS = {
    "assign": " @plantao-infra",
    "due": " 2026-08-01",
    "label": " ~incidente",
    "relabel": " ~runbook",
    "title": " Outro título",
    "relate": " #1",
}
COMMANDS = [f"/{name}{ARGUMENTS.get(name, '')}" for name in sorted(NAMES)]
EVERYTHING = "\n".join(
    [
        "Do relatório:",
        *COMMANDS,
        "",
        "```",
        "citado",
        "```",
        "/CLOSE agora",
        "",
        "<!-- /close @all -->",
        "atenção @all, @plantao-infra",
        "![x](http://mal.example/a.png) <img src=http://mal.example/b.png>",
        "veja #1, infra#1, aurora/infra#1 e !7",
        "> citação",
        "",
        "/shrug acabou\r",
        "  ",
    ]
)


@dataclass(frozen=True)
class Trap:
    text: str
    fires: str  # the sandbox's own list of what such a text did


TRAPS = [
    *(Trap(f"linha\n{command}", "quick_actions") for command in COMMANDS),
    Trap("```\ncitado\n```\n/close\n```", "quick_actions"),
    Trap("> citação\n\n/CLOSE já", "quick_actions"),
    Trap("<div>\nx\n</div>\n\n/close", "quick_actions"),
    Trap("linha\r\n/close\r\n", "quick_actions"),
    Trap("com @plantao-infra", "notifications"),
    Trap("atenção @all", "notifications"),
    Trap("![x](http://mal.example/a.png)", "images_fetched_by_readers"),
    Trap("<img src='http://mal.example/a.png'>", "images_fetched_by_readers"),
    Trap("visto <!-- não visto -->", "hidden_texts"),
    Trap("veja #1", "cross_references"),
    Trap("veja infra#1", "cross_references"),
    Trap("veja aurora/infra#1", "cross_references"),
    Trap("veja !7", "cross_references"),
    Trap("veja \\\\#1", "cross_references"),
    Trap("veja GL-1", "cross_references"),
    Trap("veja [issue:1]", "cross_references"),
    Trap("veja {base}/aurora/infra/-/issues/1", "cross_references"),
    Trap("", "template"),
    Trap(" \r\n ", "template"),
]


@pytest.fixture
def tracker(gitlab: SandboxProcess) -> GitLab:
    return GitLab(BoundedClient(base_url=gitlab.base_url, token=gitlab.token, timeout=5.0))


def _approved(description: str, *, title: str = "Fila parada", **fields: Any) -> dict[str, Any]:
    """The body of an action as a proposal stores it."""
    action = {
        "kind": ISSUE_CREATED,
        "title": neutral.line(title),
        "description": neutral.description(description),
        "labels": ["incidente"],
        "assignees": [{"name": "plantao-infra", "id": 319}],
        "confidential": False,
    }
    return drafts.body(action | fields, MARKER)


def _raw(door: httpx.Client, iid: int = 0) -> dict[str, Any]:
    issues = door.get("/issues").json()
    found: dict[str, Any] = next((i for i in issues if i["iid"] == iid), issues[-1])
    return found


def _acts(issue: dict[str, Any]) -> dict[str, list[str]]:
    return {name: issue[name] for name in ACTS if issue[name]}


def _is(issue: RemoteIssue, body: dict[str, Any]) -> bool:
    """The created issue equals the approved one in every field a text could have moved."""
    return (
        issue.title == body["title"]
        and issue.description == body["description"]
        and issue.labels == frozenset(body.get("labels", "").split(",")) - {""}
        and issue.assignee_ids == frozenset(body.get("assignee_ids", []))
        and issue.confidential == body["confidential"]
        and issue.state == "opened"
        and (issue.due_date, issue.has_milestone, issue.locked) == ("", False, False)
    )


def _base(api: httpx.Client) -> str:
    return str(api.base_url).removesuffix("/api/v4/")


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.text)
def test_sent_raw_the_trap_fires(api: httpx.Client, door: httpx.Client, trap: Trap) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    text = trap.text.replace("{base}", _base(api))
    api.post(ISSUES, json={"title": "a", "description": text})
    assert _raw(door)[trap.fires]


@pytest.mark.parametrize(
    "trap",
    TRAPS,
    ids=lambda trap: trap.text,
)
def test_through_us_it_is_closed(
    api: httpx.Client, door: httpx.Client, tracker: GitLab, trap: Trap
) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    body = _approved(trap.text.replace("{base}", _base(api)))
    issue = tracker.create(412, body)
    assert _is(issue, body)
    assert _acts(_raw(door, issue.iid)) == {}


def test_everything_at_once_fires_when_it_is_sent_raw(
    api: httpx.Client, door: httpx.Client
) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    api.post(ISSUES, json={"title": "a", "description": EVERYTHING})
    made = _raw(door)
    ran = {command.split()[0].removeprefix("/") for command in made["quick_actions"]}
    assert ran >= set(NAMES)
    assert len(made["notifications"]) == 3
    assert len(made["images_fetched_by_readers"]) == 2
    assert made["cross_references"] == ["aurora/infra#1", "aurora/infra!7"]
    assert made["hidden_texts"] == ["/close @all"]
    assert (made["state"], made["title"]) == ("closed", "Outro título")


def test_through_us_everything_at_once_is_the_approved_issue(
    api: httpx.Client, door: httpx.Client, tracker: GitLab
) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    body = _approved(EVERYTHING, title="Parada @all")
    issue = tracker.create(412, body)
    assert _is(issue, body)
    assert _acts(_raw(door, issue.iid)) == {}
    assert api.get(f"{ISSUES}/1/notes").json() == []


def test_a_mention_in_a_title_fires_raw_and_not_through_us(
    api: httpx.Client, door: httpx.Client, tracker: GitLab
) -> None:
    api.post(ISSUES, json={"title": "Para @plantao-infra", "description": "texto"})
    raw = _raw(door)["notifications"]
    issue = tracker.create(412, _approved("texto", title="Para @plantao-infra"))
    assert (raw, _acts(_raw(door, issue.iid))) == (["plantao-infra"], {})


@pytest.mark.parametrize("way", ["#1", "infra#1", "GL-1", "[issue:1]", "!7"])
def test_a_reference_in_a_title_writes_nothing_elsewhere(
    api: httpx.Client, door: httpx.Client, tracker: GitLab, way: str
) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    issue = tracker.create(412, _approved("texto", title=f"Igual a {way}"))
    assert _acts(_raw(door, issue.iid)) == {}


def test_a_note_made_inert_runs_nothing(
    api: httpx.Client, door: httpx.Client, tracker: GitLab
) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    text = "feito\n/close\n@all"
    note = tracker.add_note(412, 1, neutral.description(text))
    after = tracker.get(412, 1)
    api.post(f"{ISSUES}/1/notes", json={"body": text})
    assert (after.state, tracker.get(412, 1).state) == ("opened", "closed")
    assert note.body == neutral.description(text)
    assert [item.system for item in tracker.notes(412, 1)] == [False, False]


def test_text_comes_back_as_it_was_hashed(api: httpx.Client, tracker: GitLab) -> None:
    text = "um\r\ndois  \r\n\r\n\t"
    raw = api.post(ISSUES, json={"title": "a", "description": text}).json()["description"]
    body = _approved(text)
    assert raw != text
    assert tracker.create(412, body).description == body["description"]


# What a text cannot do and a token's lack of rights does: our client sees the difference.
@pytest.mark.parametrize(
    ("config", "fields", "seen"),
    [
        ({}, {"assignees": [{"name": "a", "id": 319}, {"name": "b", "id": 318}]}, "assignee_ids"),
        ({}, {"assignees": [{"name": "a", "id": 418}]}, "assignee_ids"),
        ({"users": {"319": {"state": "blocked"}}}, {}, "assignee_ids"),
        ({"rights": {"create_labels": False}}, {"labels": ["inventada"]}, "labels"),
        ({"rights": {"set_metadata": False}}, {}, "labels"),
        ({"rights": {"set_confidential": False}}, {"confidential": True}, "confidential"),
    ],
)
def test_what_the_remote_drops_without_a_word_is_seen_in_its_answer(
    door: httpx.Client,
    tracker: GitLab,
    config: dict[str, Any],
    fields: dict[str, Any],
    seen: str,
) -> None:
    door.post("/config", json=config).raise_for_status()
    body = _approved("texto", **fields)
    issue = tracker.create(412, body)
    assert _raw(door)["dropped"]
    assert not _is(issue, body)
    wanted: dict[str, Any] = {
        "assignee_ids": frozenset(body.get("assignee_ids", [])),
        "labels": frozenset(body["labels"].split(",")),
        "confidential": body["confidential"],
    }
    assert getattr(issue, seen) != wanted[seen]


@pytest.mark.parametrize(("method", "status"), [("GET", 301), ("POST", 405)])
def test_an_old_path_traps_who_follows_it_and_a_number_does_not(
    api: httpx.Client, door: httpx.Client, tracker: GitLab, method: str, status: int
) -> None:
    path = "/projects/aurora%2Finfra-antiga/issues"
    assert api.request(method, path, json={"title": "a"}).status_code == status
    body = _approved("texto")
    assert _is(tracker.create(412, body), body)
    assert tracker.project_path(412) == "aurora/infra"


@pytest.mark.parametrize(
    "config",
    [
        {"token": {"revoked": True}},
        {"token": {"expires_at": "2020-01-01"}},
        {"token": {"scopes": ["read_api"]}},
        {"projects": {"412": {"archived": True}}},
        {"projects": {"412": {"issues_enabled": False}}},
        {"members": {"412": {"900": None}}},
    ],
)
def test_a_right_that_is_gone_is_a_refusal_and_stores_nothing(
    door: httpx.Client, tracker: GitLab, config: dict[str, Any]
) -> None:
    door.post("/config", json=config).raise_for_status()
    with pytest.raises(RefusedByRemoteError):
        tracker.create(412, _approved("texto"))
    assert door.get("/issues").json() == []


@pytest.mark.parametrize(
    "act",
    [
        lambda tracker: tracker.close(412, 1),
        lambda tracker: tracker.add_note(412, 1, "texto"),
    ],
    ids=["close", "note"],
)
def test_an_archived_project_refuses_the_later_acts_as_well(
    api: httpx.Client, door: httpx.Client, tracker: GitLab, act: Callable[[GitLab], object]
) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    door.post("/config", json={"projects": {"412": {"archived": True}}}).raise_for_status()
    with pytest.raises(RefusedByRemoteError):
        act(tracker)
    assert tracker.get(412, 1).state == "opened"


def test_closing_closes_exactly_one(api: httpx.Client, door: httpx.Client, tracker: GitLab) -> None:
    for title in ("A primeira", "A segunda"):
        api.post(ISSUES, json={"title": title, "description": "texto"})
    assert tracker.close(412, 2).state == "closed"
    assert [issue["state"] for issue in door.get("/issues").json()] == ["opened", "closed"]


def test_closing_again_changes_nothing_and_says_closed(api: httpx.Client, tracker: GitLab) -> None:
    api.post(ISSUES, json={"title": "A primeira", "description": "texto"})
    tracker.close(412, 1)
    assert tracker.close(412, 1).state == "closed"


def test_what_is_not_there_is_404(tracker: GitLab) -> None:
    with pytest.raises(RefusedByRemoteError) as caught:
        tracker.get(412, 9)
    assert caught.value.status == 404
