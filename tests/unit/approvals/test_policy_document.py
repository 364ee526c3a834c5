from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import approvals
from approvals.policy_document import PolicyDocument

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
