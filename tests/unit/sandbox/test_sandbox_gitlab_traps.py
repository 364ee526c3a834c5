"""Raw text and parameters, past any client of ours: each trap must fire."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

ISSUES = "/projects/412/issues"


def _create(api: httpx.Client, **fields: Any) -> dict[str, Any]:
    body = {"title": "Fila parada", "description": "texto"} | fields
    response = api.post(ISSUES, json=body)
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


def _raw(door: httpx.Client) -> dict[str, Any]:
    last: dict[str, Any] = door.get("/issues").json()[-1]
    return last


def _assignees(issue: dict[str, Any]) -> list[int]:
    return [user["id"] for user in issue["assignees"]]


@pytest.mark.parametrize(
    ("command", "field", "value"),
    [
        ("/close", "state", "closed"),
        ("/confidential", "confidential", True),
        ("/title Outro título", "title", "Outro título"),
        ("/due 2026-08-01", "due_date", "2026-08-01"),
        ('/label ~incidente ~"prioridade::1"', "labels", ["incidente", "prioridade::1"]),
        ("/lock", "discussion_locked", True),
    ],
)
def test_a_command_in_the_description_changes_the_new_issue(
    api: httpx.Client, command: str, field: str, value: object
) -> None:
    issue = _create(api, description=f"texto\n\n{command}\n\nfim")
    assert issue[field] == value
    assert command not in issue["description"]


def test_a_command_assigns_people(api: httpx.Client) -> None:
    issue = _create(api, description="/assign @plantao-infra")
    assert _assignees(issue) == [319]


def test_a_command_removes_a_label_that_was_sent(api: httpx.Client) -> None:
    issue = _create(api, labels="incidente,runbook", description="a\n/unlabel ~incidente")
    assert issue["labels"] == ["runbook"]


def test_a_command_in_an_updated_description_runs(api: httpx.Client) -> None:
    iid = _create(api)["iid"]
    changed = api.put(f"{ISSUES}/{iid}", json={"description": "novo\n/close"}).json()
    assert (changed["state"], changed["description"]) == ("closed", "novo")


def test_a_command_in_a_note_runs(api: httpx.Client) -> None:
    iid = _create(api)["iid"]
    note = api.post(f"{ISSUES}/{iid}/notes", json={"body": "feito\n/close"})
    assert (note.status_code, note.json()["body"]) == (201, "feito")
    assert api.get(f"{ISSUES}/{iid}").json()["state"] == "closed"


def test_a_note_of_commands_alone_is_not_kept(api: httpx.Client) -> None:
    iid = _create(api)["iid"]
    assert api.post(f"{ISSUES}/{iid}/notes", json={"body": "/close"}).status_code == 202
    assert api.get(f"{ISSUES}/{iid}/notes").json() == []


def test_commands_run_are_on_record(api: httpx.Client, door: httpx.Client) -> None:
    _create(api, description="a\n/close\n/due 2026-08-01")
    assert _raw(door)["quick_actions"] == ["/close", "/due 2026-08-01"]


def test_returns_and_trailing_blanks_are_taken_out(api: httpx.Client) -> None:
    assert _create(api, description="um\r\ndois \r\n\r\n  ")["description"] == "um\ndois"


def test_a_missing_label_is_created(api: httpx.Client) -> None:
    assert _create(api, labels="incidente,inventada")["labels"] == ["incidente", "inventada"]
    names = [label["name"] for label in api.get("/projects/412/labels").json()]
    assert "inventada" in names


def test_a_missing_label_vanishes_without_the_right(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"rights": {"create_labels": False}})
    assert _create(api, labels="incidente,inventada")["labels"] == ["incidente"]


def test_label_titles_are_case_sensitive(api: httpx.Client) -> None:
    _create(api, labels="Incidente")
    names = [label["name"] for label in api.get("/projects/412/labels").json()]
    assert {"incidente", "Incidente"} <= set(names)


def test_several_assignees_are_cut_to_the_first_on_the_free_tier(api: httpx.Client) -> None:
    assert _assignees(_create(api, assignee_ids=[319, 318])) == [319]


def test_several_assignees_stay_on_the_premium_tier(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"tier": "premium"})
    assert _assignees(_create(api, assignee_ids=[319, 318])) == [319, 318]


@pytest.mark.parametrize("stranger", [418, 77])
def test_an_assignee_who_cannot_read_the_project_vanishes(api: httpx.Client, stranger: int) -> None:
    assert _assignees(_create(api, assignee_ids=[stranger])) == []


def test_a_blocked_assignee_vanishes(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"users": {"318": {"state": "blocked"}}})
    assert _assignees(_create(api, assignee_ids=[318])) == []


def test_without_the_right_a_confidential_issue_comes_out_public(
    api: httpx.Client, door: httpx.Client
) -> None:
    door.post("/config", json={"rights": {"set_confidential": False}})
    issue = _create(api, confidential=True, description="a\n/confidential")
    assert issue["confidential"] is False


def test_without_the_metadata_right_labels_and_assignees_are_dropped(
    api: httpx.Client, door: httpx.Client
) -> None:
    door.post("/config", json={"rights": {"set_metadata": False}})
    issue = _create(api, labels="incidente", assignee_ids=[318], due_date="2026-08-01")
    assert (issue["labels"], issue["assignees"], issue["due_date"]) == ([], [], None)


@pytest.mark.parametrize("empty", ["", " \n", None])
def test_an_empty_description_brings_the_template_and_runs_it(
    api: httpx.Client, empty: str | None
) -> None:
    issue = _create(api, description=empty)
    assert issue["description"].startswith("## O que aconteceu")
    assert issue["labels"] == ["incidente"]


def test_unknown_created_at_and_iid_are_ignored(api: httpx.Client) -> None:
    issue = _create(api, iid=77, created_at="2001-01-01T00:00:00Z", outro=1)
    assert issue["iid"] == 1
    assert not issue["created_at"].startswith("2001")


def test_a_mention_of_all_reaches_every_member(api: httpx.Client, door: httpx.Client) -> None:
    _create(api, description="atenção @all")
    expected = {"plantao-pagamentos", "plantao-infra", "opspilot-bot"}
    assert set(_raw(door)["notifications"]) == expected


def test_a_mention_reaches_the_person(api: httpx.Client, door: httpx.Client) -> None:
    _create(api, description="com @plantao-infra, `@plantao-pagamentos` e a@plantao-redes")
    assert _raw(door)["notifications"] == ["plantao-infra"]


def test_images_would_be_fetched_by_readers(api: httpx.Client, door: httpx.Client) -> None:
    _create(api, description='![x](http://mal.example/a.png) <img src="http://mal.example/b">')
    assert _raw(door)["images_fetched_by_readers"] == [
        "http://mal.example/a.png",
        "http://mal.example/b",
    ]


def test_a_moved_path_answers_get_by_numeric_id(api: httpx.Client) -> None:
    answer = api.get("/projects/aurora%2Finfra-antiga/issues?state=all")
    assert answer.status_code == 301
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["location"].endswith("/api/v4/projects/412/issues?state=all")


def test_a_moved_path_turns_a_write_away(api: httpx.Client, door: httpx.Client) -> None:
    answer = api.post("/projects/aurora%2Finfra-antiga/issues", json={"title": "a"})
    assert answer.status_code == 405
    assert "Non GET methods are not allowed" in answer.json()["message"]
    assert door.get("/issues").json() == []


def test_a_project_moved_later_shows_its_new_path(api: httpx.Client, door: httpx.Client) -> None:
    door.post("/config", json={"projects": {"412": {"path": "aurora/infra-nova"}}})
    assert api.get("/projects/412").json()["path_with_namespace"] == "aurora/infra-nova"
    assert api.get("/projects/aurora%2Finfra").status_code == 301
