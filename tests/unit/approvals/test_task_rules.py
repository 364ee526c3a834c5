"""Every reason a task can be refused for, and what an allowed one comes to."""

from __future__ import annotations

import copy
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import approvals
from approvals.authorization import Authorization, Request, authorize
from approvals.policy.outcomes import TaskOutcome
from approvals.policy.policy_document import PolicyDocument
from approvals.tasks import task_command
from opspilot.tenancy.principal import Role

FIXTURE = Path(approvals.__file__).parent / "fixtures" / "aurora.json"
AURORA: dict[str, Any] = json.loads(FIXTURE.read_text())
A = {
    "template_id": 21,
    "limit": "srv-pag-02",
    "server_name": "liq-worker-3",
    "server_action": "restart",
}
B = {"template": "implantar-servico", "limit": "srv-api-04", "deploy_service": "api-medicao"}


def policy(path: str = "", value: object = None) -> PolicyDocument:
    """Aurora's first policy, with one field of its tasks changed."""
    document = copy.deepcopy(AURORA)
    if path:
        *parents, last = ["tarefa_executada", *path.split(".")]
        place = document
        for name in parents:
            place = place[name]
        place[last] = value
    return PolicyDocument.model_validate(document)


def asked(
    command: dict[str, Any],
    document: PolicyDocument | None = None,
    *,
    role: Role = Role.OPERADOR,
    agent: str = "",
    coverage: str | None = None,
) -> Authorization:
    request = Request(frozenset({role}), task_command.read(command), coverage, agent)
    return authorize(request=request, document=document or policy())


def codes(answer: Authorization) -> list[str]:
    return [check.code for check in answer.checks if not check.ok]


@pytest.mark.parametrize("command", [A, B])
def test_the_seed_s_templates_are_allowed_with_their_own_variables(command: dict[str, Any]) -> None:
    assert codes(asked(command)) == []


NO_TEMPLATE = ["template_nao_permitido", "host_desconhecido", "variavel_desconhecida"]


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"template_id": None}, ["template_ausente", *NO_TEMPLATE]),
        ({"template_id": 99}, ["template_desconhecido", *NO_TEMPLATE]),
        ({"template": "implantar-servico"}, ["template_desconhecido", *NO_TEMPLATE]),
        ({"limit": ""}, ["destino_ausente"]),
        ({"limit": " all "}, ["destino_nao_e_um_host", "host_desconhecido"]),
        ({"limit": ["srv-pag-02", ""]}, ["destino_nao_e_um_host", "host_desconhecido", "hosts_demais"]),
        ({"limit": "srv-pag-99"}, ["host_desconhecido"]),
        ({"limit": ["srv-pag-02", "srv-pag-03"]}, ["hosts_demais"]),
        ({"server_action": ""}, ["variavel_ausente"]),
        ({"server_action": "stop"}, ["valor_nao_permitido"]),
        ({"server_name": "Liq Worker"}, ["valor_nao_permitido"]),
        ({"ansible_host": "10.0.0.9"}, ["variavel_desconhecida"]),
        ({"limits": "srv-pag-02"}, ["variavel_desconhecida"]),
        ({"server_action": ["restart"]}, ["campo_ilegivel", "variavel_ausente"]),
    ],
)  # fmt: skip
def test_each_refusal_has_its_own_reason_code(change: dict[str, Any], refused: list[str]) -> None:
    answer = asked(A | change)
    assert (answer.outcome, codes(answer)) == (None, refused)


def test_who_asks_and_on_which_basis_are_refused_too() -> None:
    assert codes(asked(A, role=Role.AUDITOR)) == ["papel_nao_pede"]
    assert codes(asked(A, coverage="nenhuma")) == ["sem_base"]
    assert codes(asked(B, role=Role.APROVADOR)) == ["template_nao_permitido"]


def test_a_policy_without_the_section_allows_no_task_and_says_so_first() -> None:
    document = PolicyDocument.model_validate(
        {name: part for name, part in AURORA.items() if name != "tarefa_executada"}
    )
    assert codes(asked(A, document))[0] == "tarefas_nao_permitidas"
    assert not asked(A, document).allowed


def test_an_agent_runs_only_the_templates_that_name_it() -> None:
    assert codes(asked(A, agent="monitor")) == ["template_nao_permitido"]
    named = policy("templates.servico-acao.agents", ["monitor"])
    assert codes(asked(A, named, agent="monitor")) == []
    assert codes(asked(A, named, agent="outro")) == ["template_nao_permitido"]
    assert codes(asked(A, named, agent="monitor", role=Role.AUDITOR)) == ["papel_nao_pede"]


def test_every_reason_has_a_sentence_of_its_own() -> None:
    refused = [
        check
        for change in ({"template_id": None}, {"limit": "all"}, {"server_action": "stop"})
        for check in asked(A | change).checks
        if not check.ok
    ]
    assert all(check.sentence and check.sentence != check.code for check in refused)


def test_an_allowed_task_comes_to_the_policy_s_ids_and_the_command_s_words() -> None:
    assert asked(A).outcome == TaskOutcome(
        project_id=4,
        template_id=21,
        fingerprint="",
        hosts=("srv-pag-02",),
        variables=(("server_action", "restart"), ("server_name", "liq-worker-3")),
        risk="medio",
        quorum=1,
        approver_role="aprovador",
    )


def test_low_coverage_raises_the_template_s_risk() -> None:
    outcome = asked(A, coverage="baixa").outcome
    assert outcome is not None
    assert (outcome.risk, outcome.quorum) == ("alto", 2)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("templates.servico-acao.fingerprint", "a" * 64),
        ("templates.servico-acao.project_id", 5),
        ("templates.servico-acao.risk", "baixo"),
        ("approver_role", "admin"),
        ("quorum", {"baixo": 1, "medio": 2, "alto": 2}),
        ("templates.servico-acao.hosts", ["srv-pag-03"]),
        ("templates.servico-acao.variables", {}),
        ("templates", {}),
    ],
)
def test_what_would_run_differently_is_another_outcome(path: str, value: object) -> None:
    assert asked(A, policy(path, value)).outcome != asked(A).outcome


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("templates.servico-acao.name", "Outro nome"),
        ("templates.servico-acao.hosts", ["srv-pag-02", "srv-novo-01"]),
        ("expires_minutes", 5),
        ("templates.servico-acao.preview", False),
    ],
)
def test_what_changes_nothing_about_this_task_is_the_same_outcome(path: str, value: object) -> None:
    assert asked(A, policy(path, value)).outcome == asked(A).outcome


def test_no_combination_of_hosts_opens_more_than_the_template_s_list() -> None:
    """Whatever is named, what is allowed is a part of the catalogue and never empty."""
    catalogue = set(AURORA["tarefa_executada"]["templates"]["servico-acao"]["hosts"])
    names = ["srv-pag-02", "srv-pag-03", "srv-api-04", "all", "", "*", "srv-pag-02,srv-api-04"]
    document = policy("templates.servico-acao.max_hosts", 3)
    for picked in itertools.chain.from_iterable(
        itertools.combinations(names, size) for size in range(4)
    ):
        outcome = asked(A | {"limit": list(picked)}, document).outcome
        if outcome is not None:
            assert isinstance(outcome, TaskOutcome)
            assert outcome.hosts
            assert set(outcome.hosts) <= catalogue


WHOLE = policy()
FIELDS = st.sampled_from(["template", "template_id", "limit", *A, *B, "ansible_host", "limits"])
VALUES = st.sampled_from([21, 22, 23, *A.values(), *B.values(), "all", "", "*", ["srv-pag-02"],
                          ["srv-pag-02", "srv-api-04"], None, True, 1.5]) | st.text(max_size=8)  # fmt: skip


@given(st.dictionaries(FIELDS, VALUES, max_size=7), st.sampled_from(list(Role)))
def test_whatever_is_asked_is_answered_and_what_is_allowed_is_within_the_policy(
    command: dict[str, Any], role: Role
) -> None:
    answer = asked(command, WHOLE, role=role)
    if answer.outcome is None:
        assert codes(answer)
        return
    assert isinstance(answer.outcome, TaskOutcome)
    tasks = WHOLE.tarefa_executada
    assert tasks is not None
    template = next(
        t for t in tasks.templates.values() if t.template_id == answer.outcome.template_id
    )
    assert 0 < len(answer.outcome.hosts) <= template.max_hosts
    assert set(answer.outcome.hosts) <= set(template.hosts)
    assert dict(answer.outcome.variables).keys() == template.variables.keys()
    assert str(role) in tasks.requester_roles
