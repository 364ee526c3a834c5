"""What one policy changes against another, said so that a second admin misses nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from approvals.policy_document import PolicyDocument
from approvals.policy_words import Change, changes
from tests.factories import POLICY


def against(change: dict[str, Any]) -> list[Change]:
    """What the change of `{path: value}` reads like; a path is written with dots."""
    document = copy.deepcopy(POLICY)
    for path, value in change.items():
        *way, last = path.split(".")
        place = document
        for part in way:
            place = place[part]
        place[last] = value
    before, after = (PolicyDocument.model_validate(d) for d in (POLICY, document))
    return changes(before, after)


def test_the_same_policy_has_no_change() -> None:
    assert against({}) == []


@pytest.mark.parametrize(
    ("change", "what", "before", "after", "loosens"),
    [
        ({"issue_criada.max_assignees": 2}, "Máximo de responsáveis", "1", "2", True),
        ({"issue_criada.expires_minutes": 60}, "Minutos para decidir", "240", "60", False),
        ({"issue_criada.quorum.alto": 1}, "Aprovações no risco alto", "2", "1", True),
        ({"issue_criada.quorum.baixo": 2}, "Aprovações no risco baixo", "1", "2", False),
        ({"issue_criada.hold_seconds.medio": 20}, "Segundos de espera no risco médio", "0", "20", False),
        ({"issue_criada.approver_roles": {"alto": "admin"}}, "Papel que decide o risco alto", "aprovador", "admin", True),
        ({"projects.infra.risk": "alto"}, "Projeto infra: risco", "baixo", "alto", False),
        ({"projects.nucleo.risk": "baixo"}, "Projeto nucleo: risco", "alto", "baixo", True),
        ({"projects.infra.project_id": 9}, "Projeto infra: destino", "aurora/infra (412)", "aurora/infra (9)", True),
    ],
)  # fmt: skip
def test_a_change_is_said_with_both_values_and_whether_it_loosens(
    change: dict[str, Any], what: str, before: str, after: str, loosens: bool
) -> None:
    assert against(change) == [Change("changed", what, before, after, loosens)]


def test_what_enters_or_leaves_a_list_is_named_one_by_one() -> None:
    found = against({"projects.infra.labels": ["incidente", "urgente"]})
    assert found == [
        Change("added", "Projeto infra: etiquetas", "", "urgente", True),
        Change("removed", "Projeto infra: etiquetas", "runbook", ""),
    ]


def test_a_new_project_loosens_and_comes_before_what_tightens() -> None:
    new = copy.deepcopy(POLICY["projects"])
    new["dados"] = new.pop("nucleo")
    kinds = [(change.kind, change.what) for change in against({"projects": new})]
    assert kinds == [("added", "Projeto dados"), ("removed", "Projeto nucleo")]


def test_no_field_of_the_document_changes_in_silence() -> None:
    """A field added to the schema later must get its words: each one is changed alone here."""
    fields = {
        "issue_criada.requester_roles": ["operador"],
        "issue_criada.approver_role": "admin",
        "issue_criada.approver_roles": {"alto": "admin"},
        "issue_criada.quorum": {"baixo": 3, "medio": 1, "alto": 2},
        "issue_criada.expires_minutes": 1,
        "issue_criada.execute_within_minutes": 1,
        "issue_criada.hold_seconds": {"baixo": 1, "medio": 0, "alto": 0},
        "issue_criada.max_assignees": 9,
        "projects.infra.project_id": 1,
        "projects.infra.path": "outro/lugar",
        "projects.infra.labels": [],
        "projects.infra.assignees": {},
        "projects.infra.risk": "alto",
    }
    assert [path for path, value in fields.items() if not against({path: value})] == []
    rule = set(PolicyDocument.model_fields["issue_criada"].annotation.model_fields)  # type: ignore[union-attr]
    assert {f"issue_criada.{name}" for name in rule} <= fields.keys()
