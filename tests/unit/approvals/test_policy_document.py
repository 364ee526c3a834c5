from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import approvals
from approvals.policy.policy_document import PolicyDocument, Variable

FIXTURES = Path(approvals.__file__).parent / "fixtures"
AURORA: dict[str, Any] = json.loads((FIXTURES / "aurora.json").read_text())


def changed(path: str, value: object) -> dict[str, Any]:
    document = copy.deepcopy(AURORA)
    *parents, last = path.split(".")
    place = document
    for name in parents:
        place = place[name]
    place[last] = value
    return document


@pytest.mark.parametrize("name", ["aurora", "boreal"])
def test_the_first_policies_fit_their_schema(name: str) -> None:
    PolicyDocument.model_validate(json.loads((FIXTURES / f"{name}.json").read_text()))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("allow_all", True),
        ("versao_esquema", 2),
        ("projects.infra.project_id", 0),
        ("projects.infra.project_id", "412"),
        ("projects.infra.labels", ["a,b"]),
        ("projects.infra.risk", "nenhum"),
        ("projects.Infra", AURORA["projects"]["infra"]),
        ("issue_criada.quorum", {"baixo": 1, "medio": 1}),
        ("issue_criada.quorum.alto", 0),
        ("issue_criada.hold_seconds", {}),
        ("issue_criada.approver_role", "operador"),
        ("issue_criada.requester_roles", ["auditor"]),
        ("issue_criada.requester_roles", []),
        ("issue_criada.expires_minutes", 0),
    ],
)
def test_a_policy_that_widens_or_leaves_a_gap_is_refused(path: str, value: object) -> None:
    with pytest.raises(ValidationError):
        PolicyDocument.model_validate(changed(path, value))


TEMPLATE = "tarefa_executada.templates.servico-acao"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (f"{TEMPLATE}.hosts", ["all"]),
        (f"{TEMPLATE}.hosts", ["srv-*"]),
        (f"{TEMPLATE}.hosts", ["SRV-1"]),
        (f"{TEMPLATE}.hosts", "srv-1"),
        (f"{TEMPLATE}.template_id", 0),
        (f"{TEMPLATE}.template_id", 22),
        (f"{TEMPLATE}.max_hosts", 21),
        (f"{TEMPLATE}.roles", ["auditor"]),
        (f"{TEMPLATE}.agents", ["Monitor"]),
        (f"{TEMPLATE}.fingerprint", "abc"),
        (f"{TEMPLATE}.playbook", "outro.yml"),
        (f"{TEMPLATE}.variables", {"ansible_host": {"required": True, "values": ["a"]}}),
        (f"{TEMPLATE}.variables", {"semaphore_vars": {"required": True, "values": ["a"]}}),
        (f"{TEMPLATE}.variables", {"limit": {"required": True, "values": ["a"]}}),
        (f"{TEMPLATE}.variables", {"a": {"required": True}}),
        (f"{TEMPLATE}.variables", {"a": {"required": True, "values": ["a"], "pattern": "a"}}),
        (f"{TEMPLATE}.variables", {"a": {"required": True, "values": ["{{ x }}"]}}),
        ("tarefa_executada.quorum.alto", 0),
        ("tarefa_executada.requester_roles", ["auditor"]),
    ],
)
def test_a_template_that_could_run_elsewhere_or_unasked_is_refused(
    path: str, value: object
) -> None:
    with pytest.raises(ValidationError):
        PolicyDocument.model_validate(changed(path, value))


@pytest.mark.parametrize(
    "pattern",
    [".*", "a+", "a?", "(a)", "a|b", "^a$", "a\n", "[^a]", "[A-z]", "[.-_]", "[z-a]", "a{3,1}",
     "\\w", "\\\\", "[٠-٩]", "a{1,9}b{1,9}c{1,9}d{1,9}", "a" * 121, "[]", "["],
)  # fmt: skip
def test_a_pattern_that_is_not_strict_is_refused(pattern: str) -> None:
    variable = {"required": True, "pattern": pattern}
    with pytest.raises(ValidationError):
        PolicyDocument.model_validate(changed(f"{TEMPLATE}.variables", {"a": variable}))


PIECES = st.sampled_from(["a", "7", "-", "_", r"\.", "[a-z0-9-]", "[A-Z_.]", "[0-9]"])
COUNTS = st.sampled_from(["", "{3}", "{0,9}", "{1,40}"])


@given(
    st.lists(st.tuples(PIECES, COUNTS), min_size=1, max_size=8).filter(
        lambda parts: sum("," in count for _piece, count in parts) <= 3
    ),
    st.text(max_size=64) | st.text("a7-_.", min_size=40, max_size=64),
)
def test_a_strict_pattern_lets_through_plain_signs_only(
    parts: list[tuple[str, str]], value: str
) -> None:
    pattern = "".join(piece + count for piece, count in parts)
    variable = Variable(required=True, pattern=pattern)
    if variable.takes(value):
        assert re.fullmatch(r"[A-Za-z0-9_.-]*", value, re.ASCII)
