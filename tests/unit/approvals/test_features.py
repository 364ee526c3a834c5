"""Which rules a proposal's handler must know, and since which version."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from approvals import features
from tests.factories import POLICY


def policy(**rule: Any) -> dict[str, Any]:
    document = copy.deepcopy(POLICY)
    document["issue_criada"] |= rule
    return document


def needs(document: dict[str, Any], kind: str = features.PLAIN, **facts: bool) -> tuple[str, ...]:
    return features.required_by(kind=kind, document=document, **facts)


def test_a_plain_issue_needs_nothing_and_stays_at_the_first_version() -> None:
    assert needs(POLICY) == ()
    assert features.version_of(()) == 1


@pytest.mark.parametrize(
    ("found", "feature"),
    [
        (needs(policy(approver_roles={"alto": "admin"})), features.BY_RISK),
        (needs(policy(approver_roles={})), features.BY_RISK),
        (needs(policy(escalate_after_percent=50)), features.WIDER_POLICY),
        (needs(POLICY | {"tarefa_executada": {}}), features.WIDER_POLICY),
        (needs(POLICY | {"versao_esquema": 2}), features.WIDER_POLICY),
        (needs(POLICY, features.TASK), features.TASKS),
        (needs(POLICY, "fatura.estornada"), features.EXTERNAL),
        (needs(POLICY, from_agent=True), features.BY_AGENT),
    ],
)
def test_what_the_first_release_would_carry_out_wrongly_is_named(
    found: tuple[str, ...], feature: str
) -> None:
    assert found == (feature,)
    assert features.version_of(found) == 2


def test_a_project_with_a_field_of_its_own_is_a_wider_policy() -> None:
    document = copy.deepcopy(POLICY)
    document["projects"]["infra"]["confidential"] = True
    assert needs(document) == (features.WIDER_POLICY,)


def test_several_rules_are_all_named() -> None:
    found = needs(policy(approver_roles={"alto": "admin"}), features.TASK, from_agent=True)
    assert found == (features.BY_RISK, features.BY_AGENT, features.TASKS)


def test_a_feature_of_a_release_newer_than_ours_is_unknown_to_every_handler() -> None:
    assert features.unknown_to(["dupla_custodia"], handler=9) == ["dupla_custodia"]


def test_a_handler_of_today_knows_every_feature_that_is_named() -> None:
    assert features.unknown_to(features.FEATURES, handler=features.SCHEMA_VERSION) == []


def test_what_is_settled_before_the_effect_binds_no_worker() -> None:
    assert features.unknown_to(["delegacao", "escalonamento", "espera"], handler=1) == []


def test_a_row_of_our_own_version_is_not_newer_and_the_next_one_is() -> None:
    assert not features.is_newer(features.SCHEMA_VERSION)
    assert features.is_newer(features.SCHEMA_VERSION + 1)
