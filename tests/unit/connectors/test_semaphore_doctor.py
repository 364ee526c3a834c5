"""What the check of Semaphore finds, one fact at a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from opspilot.connectors.errors import NotSentError, RefusedByRemoteError
from opspilot.connectors.findings import Finding
from opspilot.connectors.semaphore_doctor import AllowedTemplate, User, examine
from opspilot.connectors.tasks import RemoteTemplate

TEMPLATE = RemoteTemplate(21, 4, "Ação", "ansible", "a.yml", 1, (), "f" * 64, ())
ALLOWED = AllowedTemplate(4, 21, ("host-1", "host-2"), "f" * 64)


@dataclass
class Remote:
    found_version: tuple[int, int] | Exception = (2, 18)
    found_user: User = field(default_factory=lambda: User(7, "opspilot", False))
    found_role: str | Exception = "task_runner"
    found_template: RemoteTemplate | Exception = TEMPLATE
    found_hosts: frozenset[str] | None = frozenset({"host-1", "host-2", "host-3"})

    def version(self) -> tuple[int, int]:
        if isinstance(self.found_version, Exception):
            raise self.found_version
        return self.found_version

    def user(self) -> User:
        return self.found_user

    def role(self, project_id: int) -> str:
        if isinstance(self.found_role, Exception):
            raise self.found_role
        return self.found_role

    def template(self, project_id: int, template_id: int) -> RemoteTemplate:
        if isinstance(self.found_template, Exception):
            raise self.found_template
        return self.found_template

    def hosts(self, project_id: int, inventory_id: int) -> frozenset[str] | None:
        return self.found_hosts


def found(remote: Remote, allowed: AllowedTemplate = ALLOWED) -> dict[str, Finding]:
    return {each.check: each for each in examine(reader=remote, templates=[allowed])}


def test_all_as_it_should_be_is_ok() -> None:
    states = {check: finding.state for check, finding in found(Remote()).items()}
    assert states == dict.fromkeys(
        (
            "alcance", "versao", "usuario_do_token", "papel", "template",
            "template_igual_ao_da_politica", "hosts",
        ),
        "ok",
    )  # fmt: skip


def test_a_remote_that_cannot_be_reached_has_one_finding() -> None:
    findings = found(Remote(found_version=NotSentError("x")))
    assert {check: each.facts for check, each in findings.items()} == {
        "alcance": {"motivo": "sem_resposta"}
    }


@pytest.mark.parametrize(("version", "depends"), [((2, 12), False), ((2, 13), True)])
def test_the_version_says_whose_the_limit_is(version: tuple[int, int], depends: bool) -> None:
    facts = found(Remote(found_version=version))["versao"].facts
    assert facts["limite_depende_do_template"] is depends


def test_an_admin_s_token_needs_a_person() -> None:
    remote = Remote(found_user=User(1, "admin", True))
    assert found(remote)["usuario_do_token"].state == "atencao"


@pytest.mark.parametrize(
    ("role", "state"),
    [("task_runner", "ok"), ("manager", "atencao"), ("owner", "atencao"), ("guest", "falha")],
)
def test_the_role_is_the_one_that_is_needed_and_no_wider(role: str, state: str) -> None:
    assert found(Remote(found_role=role))["papel"].state == state


def test_no_member_of_the_project_is_said_with_the_status() -> None:
    remote = Remote(found_role=RefusedByRemoteError("x", 404))
    assert found(remote)["papel"].facts == {"projeto": 4, "motivo": "recusado", "codigo": 404}


def test_a_template_that_is_unfit_says_why() -> None:
    remote = Remote(found_template=replace(TEMPLATE, faults=("limite_nao_permitido",)))
    finding = found(remote)["template"]
    assert (finding.state, finding.facts["faltas"]) == ("falha", ["limite_nao_permitido"])


def test_a_template_that_is_not_there_has_one_finding_of_its_own() -> None:
    findings = found(Remote(found_template=RefusedByRemoteError("x", 404)))
    assert (findings["template"].state, "hosts" in findings) == ("falha", False)


def test_a_template_that_changed_since_the_policy_is_said() -> None:
    finding = found(Remote(), replace(ALLOWED, fingerprint="0" * 64))
    assert finding["template_igual_ao_da_politica"].state == "falha"


def test_without_a_fingerprint_there_is_nothing_to_compare() -> None:
    assert "template_igual_ao_da_politica" not in found(Remote(), replace(ALLOWED, fingerprint=""))


def test_a_host_of_ours_that_the_inventory_lacks_is_named() -> None:
    finding = found(Remote(found_hosts=frozenset({"host-2"})))["hosts"]
    assert (finding.state, finding.facts["faltam"]) == ("falha", ["host-1"])


def test_an_inventory_that_cannot_be_seen_needs_a_person() -> None:
    assert found(Remote(found_hosts=None))["hosts"].state == "atencao"
