"""What the remote's survey would refuse if it enforced itself, and what a value never holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from approvals.policy.policy_document import Variable
from approvals.tasks import task_survey, task_values
from opspilot.connectors import semaphore_body
from opspilot.connectors.tasks import SurveyField


def survey(**changes: Any) -> list[task_survey.Field]:
    field = {"name": "acao", "kind": "", "required": False, "values": []}
    return [field | changes]


@pytest.mark.parametrize(
    ("field", "variables", "found"),
    [
        ({}, {"acao": "x"}, []),
        ({}, {}, []),
        ({"required": True}, {}, [("variavel_exigida_no_template", "acao")]),
        ({"required": True, "kind": "secret"}, {}, [("variavel_secreta", "acao")]),
        ({"kind": "secret"}, {"acao": "x"}, [("variavel_secreta", "acao")]),
        ({"kind": "int"}, {"acao": "12"}, []),
        ({"kind": "int"}, {"acao": "1.2"}, [("valor_fora_do_template", "acao")]),
        ({"kind": "int"}, {"acao": "١٢"}, [("valor_fora_do_template", "acao")]),
        ({"kind": "enum", "values": ["a"]}, {"acao": "a"}, []),
        ({"kind": "enum", "values": ["a"]}, {"acao": "A"}, [("valor_fora_do_template", "acao")]),
        ({"kind": "select", "values": []}, {"acao": "a"}, [("valor_fora_do_template", "acao")]),
        ({}, {"outra": "x"}, [("variavel_fora_do_template", "outra")]),
        (
            {"name": "ansible_host"},
            {"ansible_host": "x"},
            [("valor_nao_permitido", "ansible_host")],
        ),
        ({}, {"acao": "{{ x }}"}, [("valor_nao_permitido", "acao")]),
    ],
)
def test_a_survey_says_which_variables_it_would_not_take(
    field: dict[str, Any], variables: dict[str, str], found: list[tuple[str, str]]
) -> None:
    assert list(task_survey.faults(survey(**field), variables)) == found


def test_the_default_of_a_field_is_not_kept() -> None:
    kept = task_survey.stored(SurveyField("senha", "secret", True, (), "segredo-de-fábrica"))
    assert "segredo" not in str(kept.values())


@pytest.mark.parametrize(
    "text",
    [
        "{{ groups.all }}",
        "{% raw %}",
        "a\nb",
        "a\x00",
        "a\u202eb",
        "a\u200bb",
        "a\u2028",
        "a" * 256,
    ],
    ids=ascii,
)
def test_a_value_that_could_act_or_hide_is_not_plain(text: str) -> None:
    assert not task_values.is_plain(text)


@pytest.mark.parametrize("text", ["", "Fila parada às 9 h: reiniciar", "a" * 255])
def test_a_line_of_words_is_plain(text: str) -> None:
    assert task_values.is_plain(text)


@pytest.mark.parametrize(
    "name",
    ["ansible_host", "ANSIBLE_user", "semaphore_vars", "Semaphore", "inventory_dir", "group_names",
     "groups", "hostvars", "play_hosts", "Omit"],
)  # fmt: skip
def test_a_name_of_the_remote_s_own_is_foreign_however_it_is_spelt(name: str) -> None:
    assert task_values.is_foreign(name)


@pytest.mark.parametrize("name", ["group_id", "omit_x", "server_name"])
def test_a_name_that_only_begins_like_one_of_them_may_be_a_variable_s_and_leaves(name: str) -> None:
    assert not task_values.is_foreign(name)
    semaphore_body.check(
        {
            "template_id": 21,
            "params": {"limit": ["srv-pag-02"]},
            "limit": "srv-pag-02",
            "environment": json.dumps({name: "x"}),
            "message": "opk1",
        }
    )


def test_a_free_text_of_the_policy_is_bounded_and_plain() -> None:
    variable = Variable(required=True, max_length=10)
    assert variable.takes("dez letras")
    assert not variable.takes("onze letras")
    assert not variable.takes("{{ x }}")


@pytest.mark.parametrize("rule", [{}, {"values": ["a"], "max_length": 9}, {"max_length": 256}])
def test_a_variable_takes_in_exactly_one_way(rule: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"max_length|either"):
        Variable(required=True, **rule)
