"""The check of GitLab: each thing that is wrong has its own finding."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from opspilot.connectors import gitlab_doctor
from opspilot.connectors.errors import (
    ConnectorError,
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
)
from opspilot.connectors.findings import Finding
from opspilot.connectors.gitlab_doctor import (
    AllowedProject,
    Member,
    Project,
    Token,
    Version,
)

TODAY = dt.date(2026, 11, 30)
ALLOWED = AllowedProject(412, "aurora/infra", ("incidente", "prioridade::1"), (319,))
CHECKS = [
    "alcance",
    "versao",
    "relogio",
    "token_ativo",
    "token_validade",
    "token_escopos",
    "usuario_do_token",
    "projeto",
    "projeto_arquivado",
    "projeto_issues",
    "etiquetas",
    "responsaveis",
]


VERSION = Version("19.1.0-ee", 0.4)
TOKEN = Token(True, False, frozenset({"api"}), 900, dt.date(2027, 6, 1))
PLACE = Project(412, "aurora/infra", False, "enabled")
MEMBER = Member(319, "active", 20, None)


@dataclass
class FakeReader:
    """A healthy remote, unless a test says otherwise."""

    fails: dict[str, ConnectorError] = field(default_factory=dict)
    versioned: Version = VERSION
    own: Token = TOKEN
    user: int = 900
    place: Project = PLACE
    present: frozenset[str] = frozenset({"incidente", "prioridade::1", "outra"})
    people: tuple[Member, ...] = (MEMBER,)
    asked: list[str] = field(default_factory=list)

    def version(self) -> Version:
        self._ask("version")
        return self.versioned

    def token(self) -> Token:
        self._ask("token")
        return self.own

    def user_id(self) -> int:
        self._ask("user_id")
        return self.user

    def project(self, project_id: int) -> Project:
        self._ask("project")
        return self.place

    def labels(self, project_id: int) -> frozenset[str]:
        self._ask("labels")
        return self.present

    def members(self, project_id: int, user_ids: Sequence[int]) -> tuple[Member, ...]:
        self._ask("members")
        return self.people

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if what in self.fails:
            raise self.fails[what]


def _examine(
    reader: FakeReader, *, allowed: AllowedProject = ALLOWED, bot_id: int | None = 900
) -> dict[str, Finding]:
    found = gitlab_doctor.examine(reader=reader, projects=[allowed], bot_id=bot_id, today=TODAY)
    return {finding.check: finding for finding in found}


def test_a_healthy_remote_passes_every_check_in_order() -> None:
    found = _examine(FakeReader())
    assert list(found) == CHECKS
    assert {finding.state for finding in found.values()} == {"ok"}


@pytest.mark.parametrize(
    ("reader", "check", "state"),
    [
        (FakeReader(versioned=Version("16.6.9", 0.0)), "versao", "falha"),
        (FakeReader(versioned=Version("16.7.0", 0.0)), "versao", "ok"),
        (FakeReader(versioned=Version("9.10", 0.0)), "versao", "falha"),
        (FakeReader(versioned=Version("nova", 0.0)), "versao", "falha"),
        (FakeReader(versioned=Version("19.1.0", 61.0)), "relogio", "falha"),
        (FakeReader(versioned=Version("19.1.0", -61.0)), "relogio", "falha"),
        (FakeReader(versioned=Version("19.1.0", 60.0)), "relogio", "ok"),
        (FakeReader(versioned=Version("19.1.0", None)), "relogio", "atencao"),
        (FakeReader(own=replace(TOKEN, active=False)), "token_ativo", "falha"),
        (FakeReader(own=replace(TOKEN, revoked=True)), "token_ativo", "falha"),
        (FakeReader(own=replace(TOKEN, expires_on=None)), "token_validade", "ok"),
        (FakeReader(own=replace(TOKEN, expires_on=TODAY)), "token_validade", "falha"),
        (
            FakeReader(own=replace(TOKEN, expires_on=TODAY + dt.timedelta(13))),
            "token_validade",
            "atencao",
        ),
        (
            FakeReader(own=replace(TOKEN, expires_on=TODAY + dt.timedelta(14))),
            "token_validade",
            "ok",
        ),
        (FakeReader(own=replace(TOKEN, scopes=frozenset())), "token_escopos", "falha"),
        (FakeReader(own=replace(TOKEN, scopes=frozenset({"read_api"}))), "token_escopos", "falha"),
        (
            FakeReader(own=replace(TOKEN, scopes=frozenset({"api", "sudo"}))),
            "token_escopos",
            "atencao",
        ),
        (FakeReader(user=901), "usuario_do_token", "falha"),
        (FakeReader(place=replace(PLACE, path="aurora/outra")), "projeto", "falha"),
        (FakeReader(place=replace(PLACE, id=413)), "projeto", "falha"),
        (FakeReader(place=replace(PLACE, archived=True)), "projeto_arquivado", "falha"),
        (FakeReader(place=replace(PLACE, issues="disabled")), "projeto_issues", "falha"),
        (FakeReader(place=replace(PLACE, issues="private")), "projeto_issues", "ok"),
        (FakeReader(place=replace(PLACE, issues="")), "projeto_issues", "atencao"),
        (FakeReader(present=frozenset({"Incidente", "prioridade::1"})), "etiquetas", "falha"),
        (FakeReader(people=()), "responsaveis", "falha"),
        (FakeReader(people=(replace(MEMBER, id=318),)), "responsaveis", "falha"),
        (FakeReader(people=(replace(MEMBER, state="blocked"),)), "responsaveis", "falha"),
        (FakeReader(people=(replace(MEMBER, access_level=5),)), "responsaveis", "falha"),
        (FakeReader(people=(replace(MEMBER, expires_on=TODAY),)), "responsaveis", "falha"),
    ],
)
def test_one_thing_that_is_wrong_has_its_finding(
    reader: FakeReader, check: str, state: str
) -> None:
    found = _examine(reader)
    others = {finding.state for finding in found.values() if finding.check != check}
    assert (found[check].state, others) == (state, {"ok"})


def test_what_is_missing_is_named() -> None:
    found = _examine(FakeReader(present=frozenset({"incidente"}), people=()))
    assert found["etiquetas"].facts["faltam"] == ["prioridade::1"]
    assert found["responsaveis"].facts["faltam"] == [319]
    assert found["etiquetas"].facts["caminho"] == "aurora/infra"


def test_no_bot_is_configured_and_none_is_compared() -> None:
    assert _examine(FakeReader(user=901), bot_id=None)["usuario_do_token"].state == "ok"


def test_a_policy_without_labels_and_assignees_asks_for_none() -> None:
    reader = FakeReader()
    found = _examine(reader, allowed=AllowedProject(412, "aurora/infra"))
    assert not {"etiquetas", "responsaveis"} & set(found)
    assert not {"labels", "members"} & set(reader.asked)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NotSentError("x"), {"motivo": "sem_resposta"}),
        (OutcomeUnknownError("x"), {"motivo": "sem_resposta"}),
        (RefusedByRemoteError("x", 401), {"motivo": "recusado", "codigo": 401}),
    ],
)
def test_a_remote_out_of_reach_is_one_finding(
    error: ConnectorError, reason: dict[str, object]
) -> None:
    reader = FakeReader(fails={"version": error})
    assert _examine(reader) == {"alcance": Finding("alcance", "falha", reason)}
    assert reader.asked == ["version"]


@pytest.mark.parametrize(
    ("question", "check"),
    [
        ("token", "token_ativo"),
        ("user_id", "usuario_do_token"),
        ("labels", "etiquetas"),
        ("members", "responsaveis"),
    ],
)
def test_a_question_without_an_answer_is_a_finding_and_stops_no_other(
    question: str, check: str
) -> None:
    found = _examine(FakeReader(fails={question: RefusedByRemoteError("x", 403)}))
    assert (found[check].state, found[check].facts["codigo"]) == ("falha", 403)
    assert found["projeto"].state == "ok"


def test_a_project_that_is_gone_is_asked_for_nothing_more() -> None:
    reader = FakeReader(fails={"project": RefusedByRemoteError("x", 404)})
    found = _examine(reader)
    assert (found["projeto"].state, found["projeto"].facts["codigo"]) == ("falha", 404)
    assert not {"labels", "members"} & set(reader.asked)


def test_each_project_is_examined() -> None:
    two = [ALLOWED, replace(ALLOWED, id=413, path="aurora/pagamentos")]
    found = gitlab_doctor.examine(reader=FakeReader(), projects=two, today=TODAY)
    assert [f.facts["projeto"] for f in found if f.check == "etiquetas"] == [412, 413]


def test_findings_go_to_json_as_they_are() -> None:
    for finding in _examine(FakeReader(people=())).values():
        assert json.loads(json.dumps(dict(finding.facts))) == dict(finding.facts)
