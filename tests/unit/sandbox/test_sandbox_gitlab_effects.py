"""What a write does beyond what it says, and what only some tokens may do."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

ISSUES = "/projects/412/issues"
ISSUE = {"title": "Fila parada", "description": "texto"}


def _create(api: httpx.Client, project: int = 412, **fields: Any) -> httpx.Response:
    return api.post(f"/projects/{project}/issues", json=ISSUE | fields)


def _last(door: httpx.Client) -> dict[str, Any]:
    last: dict[str, Any] = door.get("/issues").json()[-1]
    return last


def _notes(api: httpx.Client, project: int, iid: int) -> list[tuple[str, bool]]:
    notes = api.get(f"/projects/{project}/issues/{iid}/notes").json()
    return [(note["body"], note["system"]) for note in notes]


@pytest.mark.parametrize(
    "text",
    [
        "veja #1",
        "infra#1",
        "aurora/infra#1",
        "GL-1",
        "[issue:1]",
        "[work_item:aurora/infra/1]",
        "{base}/aurora/infra/-/issues/1",
        "({base}/aurora/infra/-/work_items/1)",
        "{base}/aurora/infra/issues/1",
        "\\\\#1",
    ],
)
def test_a_reference_writes_a_note_into_the_other_issue(
    api: httpx.Client, door: httpx.Client, text: str
) -> None:
    _create(api)
    base = str(api.base_url).removesuffix("/api/v4/")
    _create(api, description=text.format(base=base))
    assert _last(door)["cross_references"] == ["aurora/infra#1"]
    assert _notes(api, 412, 1) == [("mentioned in issue #2", True)]


def test_a_reference_reaches_into_another_project(api: httpx.Client, door: httpx.Client) -> None:
    _create(api, project=512)
    _create(api, description="como em boreal/redes#1")
    assert _notes(api, 512, 1) == [("mentioned in issue aurora/infra#1", True)]


def test_a_title_refers_too(api: httpx.Client, door: httpx.Client) -> None:
    _create(api)
    _create(api, title="Igual a #1, @plantao-infra")
    made = _last(door)
    assert (made["cross_references"], made["notifications"]) == (
        ["aurora/infra#1"],
        ["plantao-infra"],
    )


def test_a_note_refers_too(api: httpx.Client) -> None:
    _create(api)
    _create(api)
    api.post(f"{ISSUES}/2/notes", json={"body": "igual a #1"})
    assert _notes(api, 412, 1) == [("mentioned in issue #2", True)]


@pytest.mark.parametrize("text", ["!7", "aurora/pagamentos!7"])
def test_merge_requests_are_referred_to(api: httpx.Client, door: httpx.Client, text: str) -> None:
    _create(api, description=f"veja {text}")
    assert _last(door)["cross_references"][0].endswith("!7")


@pytest.mark.parametrize(
    "text",
    [
        "#9",
        "`#1`",
        "```\n#1\n```",
        "\\#1",
        "aurora/infra\\#1",
        "&#1;",
        "outra/coisa#1",
        "https://outra.example/aurora/infra/-/issues/1",
        "# 1",
    ],
)
def test_what_refers_to_nothing_writes_nothing(
    api: httpx.Client, door: httpx.Client, text: str
) -> None:
    _create(api)
    _create(api, description=text)
    assert _last(door)["cross_references"] == []
    assert _notes(api, 412, 1) == []


def test_a_comment_is_kept_where_no_reader_sees_it(api: httpx.Client, door: httpx.Client) -> None:
    text = "visto <!-- não visto -->"
    assert _create(api, description=text).json()["description"] == text
    assert _last(door)["hidden_texts"] == ["não visto"]


@pytest.mark.parametrize(
    ("config", "fields", "dropped"),
    [
        ({}, {"assignee_ids": [319, 318]}, ["assignee 318"]),
        ({}, {"assignee_ids": [418]}, ["assignee 418"]),
        ({"rights": {"set_confidential": False}}, {"confidential": True}, ["confidential"]),
        ({"rights": {"create_labels": False}}, {"labels": "inventada"}, ["label inventada"]),
        ({"rights": {"set_metadata": False}}, {"labels": "incidente"}, ["labels"]),
        ({"rights": {"set_metadata": False}}, {"assignee_ids": [318]}, ["assignee 318"]),
    ],
)
def test_what_was_dropped_is_in_the_log_and_not_in_the_answer(
    api: httpx.Client,
    door: httpx.Client,
    config: dict[str, Any],
    fields: dict[str, Any],
    dropped: list[str],
) -> None:
    door.post("/config", json=config).raise_for_status()
    answer = _create(api, **fields)
    effects = door.get("/log").json()[-1]["side_effects"]
    assert answer.status_code == 201
    assert [item["value"] for item in effects if item["kind"] == "dropped"] == dropped
    assert "dropped" not in answer.text


def test_the_log_tells_who_did_what_and_what_else_happened(
    api: httpx.Client, door: httpx.Client
) -> None:
    _create(api, labels="inventada", description="@all\n/close")
    entry = door.get("/log").json()[-1]
    kinds = [item["kind"] for item in entry["side_effects"]]
    assert (entry["user_id"], entry["operation"]) == (900, "createIssue")
    assert len(entry["body_sha256"]) == 64
    assert kinds == [
        "label_created",
        "quick_action",
        "notification",
        "notification",
        "notification",
    ]


def test_the_log_has_a_stranger_too(api: httpx.Client, door: httpx.Client) -> None:
    httpx.get(f"{api.base_url}user", headers={"PRIVATE-TOKEN": "outro"})
    entry = door.get("/log").json()[-1]
    assert (entry["user_id"], entry["status"]) == (None, 401)


def test_the_template_is_on_record(api: httpx.Client, door: httpx.Client) -> None:
    _create(api, description="")
    made = _last(door)
    assert (made["template"], made["quick_actions"]) == (["inserted"], ["/label ~incidente"])


def test_more_labels_than_the_limit_are_an_error(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"label_limit": 2}).raise_for_status()
    assert _create(api, labels="incidente,runbook").status_code == 201
    refused = _create(api, labels="incidente,runbook,pagamentos")
    assert (refused.status_code, "labels" in refused.json()["message"]) == (400, True)
    assert len(door.get("/issues").json()) == 1


def test_an_owner_chooses_the_number_and_a_clash_is_409(
    api: httpx.Client, door: httpx.Client
) -> None:
    door.post("/config", json={"rights": {"owner": True}}).raise_for_status()
    first = _create(api, iid=77, created_at="2020-05-01T00:00:00Z").json()
    clash = _create(api, iid=77)
    assert (first["iid"], first["created_at"][:10]) == (77, "2020-05-01")
    assert (clash.status_code, clash.json()) == (409, {"message": "Duplicated issue"})
    assert _create(api).json()["iid"] == 78


@pytest.mark.parametrize(
    ("limit", "send"),
    [
        ("issues_a_minute", lambda api: _create(api)),
        ("searches_a_minute", lambda api: api.get(ISSUES, params={"search": "fila"})),
        ("notes_a_minute", lambda api: api.post(f"{ISSUES}/1/notes", json={"body": "a"})),
    ],
)
def test_a_limit_a_minute_is_kept_and_passes(
    api: httpx.Client, door: httpx.Client, limit: str, send: Any
) -> None:
    _create(api)
    door.post("/clock", json={"advance": 61})
    door.post("/config", json={"limits": {limit: 2}}).raise_for_status()
    answers = [send(api) for _ in range(3)]
    wait = answers[2].headers["retry-after"]
    assert [answer.status_code < 300 for answer in answers] == [True, True, False]
    assert (answers[2].status_code, 50 < int(wait) <= 61) == (429, True)
    door.post("/clock", json={"advance": int(wait)})
    assert send(api).status_code < 300


def test_the_plain_list_is_under_no_search_limit(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"limits": {"searches_a_minute": 1}}).raise_for_status()
    assert [api.get(ISSUES).status_code for _ in range(3)] == [200, 200, 200]


def test_a_private_project_is_not_there_for_who_is_no_member(
    api: httpx.Client, door: httpx.Client
) -> None:
    door.post("/config", json={"members": {"412": {"900": None}}}).raise_for_status()
    answers = [api.get("/projects/412"), api.get(ISSUES), _create(api)]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert answers[0].json() == {"message": "404 Project Not Found"}


def test_a_member_is_found_by_number_or_is_404(api: httpx.Client, door: httpx.Client) -> None:
    people = {"318": {"access_level": 30, "expires_at": "2027-01-31"}, "319": None}
    door.post("/config", json={"members": {"412": people}}).raise_for_status()
    found = api.get("/projects/412/members/all/318").json()
    assert (found["access_level"], found["expires_at"]) == (30, "2027-01-31")
    assert api.get("/projects/412/members/all/319").status_code == 404


def test_an_expired_membership_takes_no_issue(api: httpx.Client, door: httpx.Client) -> None:
    people = {"318": {"expires_at": "2020-01-01"}}
    door.post("/config", json={"members": {"412": people}}).raise_for_status()
    assert _create(api, assignee_ids=[318]).json()["assignees"] == []


def test_the_version_can_be_an_older_one(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"version": "16.6.2-ee"}).raise_for_status()
    assert api.get("/metadata").json()["version"] == "16.6.2-ee"
