"""The check of GitLab against the sandbox: it reads, finds what was made wrong, and changes nothing."""

from __future__ import annotations

import datetime as dt
from typing import Any

import httpx
import pytest

from opspilot.connectors import gitlab_doctor
from opspilot.connectors.findings import Finding
from opspilot.connectors.gitlab_doctor import AllowedProject
from opspilot.connectors.gitlab_reads import GitLabReads
from opspilot.connectors.http import BoundedClient
from opspilot.sandbox.process import SandboxProcess

ALLOWED = (
    AllowedProject(412, "aurora/infra", ("incidente", "prioridade::1"), (319,)),
    AllowedProject(413, "aurora/pagamentos", ("incidente",), (318, 319)),
)


@pytest.fixture
def reads(gitlab: SandboxProcess) -> GitLabReads:
    return GitLabReads(BoundedClient(base_url=gitlab.base_url, token=gitlab.token, timeout=5.0))


def _bad(reads: GitLabReads, projects: tuple[AllowedProject, ...] = ALLOWED) -> list[Finding]:
    today = dt.datetime.now(dt.UTC).date()
    found = gitlab_doctor.examine(reader=reads, projects=projects, bot_id=900, today=today)
    return [finding for finding in found if finding.state != "ok"]


def test_the_sandbox_as_it_comes_is_healthy(reads: GitLabReads) -> None:
    assert _bad(reads) == []


@pytest.mark.parametrize(
    ("config", "checks"),
    [
        ({"version": "16.6.2"}, ["versao"]),
        ({"token": {"scopes": ["api", "read_repository"]}}, ["token_escopos"]),
        ({"token": {"scopes": ["read_api"]}}, ["token_escopos"]),
        ({"token": {"revoked": True}}, ["alcance"]),
        ({"projects": {"412": {"path": "aurora/infra-nova"}}}, ["projeto"]),
        ({"projects": {"412": {"archived": True}}}, ["projeto_arquivado"]),
        ({"projects": {"412": {"issues_enabled": False}}}, ["projeto_issues"]),
        ({"users": {"319": {"state": "blocked"}}}, ["responsaveis", "responsaveis"]),
        ({"members": {"412": {"319": None}}}, ["responsaveis"]),
        ({"members": {"412": {"319": {"access_level": 5}}}}, ["responsaveis"]),
        ({"members": {"412": {"319": {"expires_at": "2020-01-01"}}}}, ["responsaveis"]),
        ({"members": {"412": {"900": None}}}, ["projeto"]),
    ],
)
def test_what_is_made_wrong_is_found(
    reads: GitLabReads, door: httpx.Client, config: dict[str, Any], checks: list[str]
) -> None:
    door.post("/config", json=config).raise_for_status()
    assert [finding.check for finding in _bad(reads)] == checks


def test_a_token_near_its_end_asks_for_attention(reads: GitLabReads, door: httpx.Client) -> None:
    soon = (dt.datetime.now(dt.UTC) + dt.timedelta(days=10)).date().isoformat()
    door.post("/config", json={"token": {"expires_at": soon}}).raise_for_status()
    assert [(f.check, f.state) for f in _bad(reads)] == [("token_validade", "atencao")]


def test_a_clock_that_is_wrong_is_found(reads: GitLabReads, door: httpx.Client) -> None:
    door.post("/clock", json={"advance": 120}).raise_for_status()
    (finding,) = _bad(reads)
    skew = finding.facts["diferenca_segundos"]
    assert (finding.check, isinstance(skew, int) and 118 <= skew <= 122) == ("relogio", True)


def test_a_label_in_another_case_is_missing(reads: GitLabReads) -> None:
    wrong = (AllowedProject(412, "aurora/infra", ("Incidente",)),)
    assert [finding.facts["faltam"] for finding in _bad(reads, wrong)] == [["Incidente"]]


def test_labels_are_read_to_the_last_page(
    reads: GitLabReads, api: httpx.Client, door: httpx.Client
) -> None:
    door.post("/config", json={"label_limit": 1000}).raise_for_status()
    names = ",".join(f"etiqueta-{number}" for number in range(150))
    api.post("/projects/412/issues", json={"title": "a", "description": "b", "labels": names})
    assert "etiqueta-149" in reads.labels(412)


def test_it_asks_and_changes_nothing(reads: GitLabReads, door: httpx.Client) -> None:
    _bad(reads)
    entries = door.get("/log").json()
    assert {entry["method"] for entry in entries} == {"GET"}
    assert len(entries) == 9


def test_a_sandbox_that_does_not_answer_is_one_finding() -> None:
    client = BoundedClient(base_url="http://127.0.0.1:9", token="x", timeout=1.0)
    assert [finding.check for finding in _bad(GitLabReads(client))] == ["alcance"]
