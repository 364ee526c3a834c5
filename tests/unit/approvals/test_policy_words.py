"""What one policy changes against another, said so that a second admin misses nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pydantic import BaseModel

from approvals.policy.policy_document import (
    ActionRule,
    ExternalField,
    ExternalRule,
    PolicyDocument,
    Project,
    TaskRule,
    Template,
)
from approvals.policy.policy_words import Change, changes
from tests.factories import POLICY

RULE: dict[str, Any] = {
    "requester_roles": ["admin"],
    "approver_role": "aprovador",
    "quorum": {"baixo": 1, "medio": 1, "alto": 2},
    "expires_minutes": 60,
    "execute_within_minutes": 60,
    "hold_seconds": {"baixo": 0, "medio": 0, "alto": 0},
}
WHOLE: dict[str, Any] = POLICY | {
    "tarefa_executada": RULE
    | {
        "templates": {
            "a": {
                "template_id": 1,
                "project_id": 1,
                "name": "A",
                "hosts": ["srv-1"],
                "variables": {
                    "acao": {"required": True, "values": ["status", "restart"]},
                    "nome": {"required": True, "pattern": "[a-z]{1,2}"},
                },
                "risk": "medio",
            }
        }
    },
    "acoes_externas": {
        "estorno.emitido": RULE
        | {
            "agents": ["estornos"],
            "fields": {
                "valor": {"type": "centavos", "label": "Valor"},
                "motivo": {"type": "texto", "label": "Motivo", "max_length": 100},
                "via": {"type": "escolha", "label": "Via", "choices": ["pix", "ted"]},
            },
            "risk": "medio",
        },
        "atendimento.classificado": RULE
        | {
            "agents": ["triagem"],
            "fields": {"fila": {"type": "texto", "label": "Fila", "max_length": 20}},
            "risk": "baixo",
        },
    },
}


def against(change: dict[str, Any]) -> list[Change]:
    """What the change of `{path: value}` reads like; a path is written with dots, and `|` stands
    for a dot in a name."""
    document = copy.deepcopy(WHOLE)
    for path, value in change.items():
        *way, last = path.split(".")
        place = document
        for part in way:
            place = place[part.replace("|", ".")]
        place[last] = value
    before, after = (PolicyDocument.model_validate(d) for d in (WHOLE, document))
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


# A field added to the schema later must get its words: each one is changed alone here.
ONE_BY_ONE: dict[str, Any] = {
    "issue_criada.requester_roles": ["operador"],
    "issue_criada.approver_role": "admin",
    "issue_criada.approver_roles": {"alto": "admin"},
    "issue_criada.quorum": {"baixo": 3, "medio": 1, "alto": 2},
    "issue_criada.expires_minutes": 1,
    "issue_criada.execute_within_minutes": 1,
    "issue_criada.hold_seconds": {"baixo": 1, "medio": 0, "alto": 0},
    "issue_criada.max_assignees": 9,
    "issue_criada.link_hosts": ["wiki.example"],
    "issue_criada.reversao": {
        "requester_roles": ["admin"],
        "approver_role": "admin",
        "risk": "alto",
        "quorum": 2,
    },
    "issue_criada.escalonamento": {"depois_de_percentual": 50, "para_papel": "admin"},
    "issue_criada.must_consult": True,
    "projects.infra.project_id": 1,
    "projects.infra.path": "outro/lugar",
    "projects.infra.labels": [],
    "projects.infra.assignees": {},
    "projects.infra.risk": "alto",
    "tarefa_executada.requester_roles": ["operador"],
    "tarefa_executada.approver_role": "admin",
    "tarefa_executada.approver_roles": {"alto": "admin"},
    "tarefa_executada.quorum": {"baixo": 3, "medio": 1, "alto": 2},
    "tarefa_executada.expires_minutes": 1,
    "tarefa_executada.execute_within_minutes": 1,
    "tarefa_executada.hold_seconds": {"baixo": 1, "medio": 0, "alto": 0},
    "tarefa_executada.escalonamento": {"depois_de_percentual": 50, "para_papel": "admin"},
    "tarefa_executada.must_consult": True,
    "tarefa_executada.templates": {},
    "tarefa_executada.templates.a.template_id": 99,
    "tarefa_executada.templates.a.project_id": 99,
    "tarefa_executada.templates.a.name": "Outro",
    "tarefa_executada.templates.a.hosts": [],
    "tarefa_executada.templates.a.max_hosts": 2,
    "tarefa_executada.templates.a.variables": {},
    "tarefa_executada.templates.a.variables.acao.required": False,
    "tarefa_executada.templates.a.variables.acao.values": ["parar"],
    "tarefa_executada.templates.a.variables.nome.pattern": "[a-z]{2}",
    "tarefa_executada.templates.a.risk": "alto",
    "tarefa_executada.templates.a.roles": ["admin"],
    "tarefa_executada.templates.a.agents": ["monitor"],
    "tarefa_executada.templates.a.preview": True,
    "tarefa_executada.templates.a.deadline_minutes": 60,
    "tarefa_executada.templates.a.undo": "b",
    "tarefa_executada.templates.a.fingerprint": "a" * 64,
    "acoes_externas": {},
    "acoes_externas.estorno|emitido.requester_roles": ["operador"],
    "acoes_externas.estorno|emitido.approver_role": "admin",
    "acoes_externas.estorno|emitido.approver_roles": {"alto": "admin"},
    "acoes_externas.estorno|emitido.quorum": {"baixo": 3, "medio": 1, "alto": 2},
    "acoes_externas.estorno|emitido.expires_minutes": 1,
    "acoes_externas.estorno|emitido.execute_within_minutes": 1,
    "acoes_externas.estorno|emitido.hold_seconds": {"baixo": 1, "medio": 0, "alto": 0},
    "acoes_externas.estorno|emitido.escalonamento": {
        "depois_de_percentual": 50,
        "para_papel": "admin",
    },
    "acoes_externas.estorno|emitido.must_consult": True,
    "acoes_externas.estorno|emitido.agents": ["outro"],
    "acoes_externas.estorno|emitido.fields": {"valor": {"type": "centavos", "label": "Outro"}},
    "acoes_externas.estorno|emitido.fields.motivo.label": "Outro",
    "acoes_externas.estorno|emitido.fields.motivo.required": False,
    "acoes_externas.estorno|emitido.fields.motivo.max_length": 9,
    "acoes_externas.estorno|emitido.fields.via.type": "escolha",
    "acoes_externas.estorno|emitido.fields.via.choices": ["pix"],
    "acoes_externas.estorno|emitido.risk": "alto",
    "acoes_externas.atendimento|classificado.autorizacao": "regra",
    "acoes_externas.estorno|emitido.ceiling_centavos": 500,
}


def test_no_field_of_the_document_changes_in_silence() -> None:
    same = {"acoes_externas.estorno|emitido.fields.via.type"}
    silent = [path for path, new in ONE_BY_ONE.items() if not against({path: new})]
    assert set(silent) == same


def test_every_field_of_the_schema_is_changed_alone_above() -> None:
    named = {path.replace("estorno|emitido", "*").replace("atendimento|classificado", "*")
             for path in ONE_BY_ONE}  # fmt: skip
    shapes: dict[str, type[BaseModel]] = {
        "issue_criada": ActionRule,
        "projects.infra": Project,
        "tarefa_executada": TaskRule,
        "tarefa_executada.templates.a": Template,
        "acoes_externas.*": ExternalRule,
        "acoes_externas.*.fields.via": ExternalField,
    }
    told = {path.rpartition(".")[2] for path in named}
    wanted = {f"{place}.{field}" for place, shape in shapes.items() for field in shape.model_fields}
    unnamed = {
        path
        for path in wanted - named
        if not (path.startswith("acoes_externas.*.fields.") and path.rpartition(".")[2] in told)
    }
    assert unnamed == set()


@pytest.mark.parametrize(
    ("path", "value", "loosens"),
    [
        ("templates.a.hosts", ["srv-1", "srv-2"], True),
        ("templates.a.hosts", [], False),
        ("templates.a.max_hosts", 5, True),
        ("templates.a.roles", ["admin"], False),
        ("templates.a.agents", ["monitor"], True),
        ("templates.a.variables.acao.values", ["status"], False),
        ("templates.a.variables.acao.values", ["status", "restart", "parar"], True),
        ("templates.a.variables.acao.required", False, True),
        ("templates.a.variables.nome.pattern", "[a-z]{1,3}", True),
        ("templates.a.risk", "baixo", True),
        ("templates.a.risk", "alto", False),
        ("templates", {}, False),
    ],
)
def test_what_lets_more_run_is_marked_as_loosening(path: str, value: Any, loosens: bool) -> None:
    found = against({f"tarefa_executada.{path}": value})
    assert [change.loosens for change in found] == [loosens]


def test_taking_tasks_away_is_said_with_what_goes() -> None:
    (found,) = against({"tarefa_executada": None})
    assert (found.kind, found.what, found.before) == ("removed", "Tarefas", "a")
