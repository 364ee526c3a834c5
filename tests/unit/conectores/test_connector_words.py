"""Every finding a check can end with has words for what it means and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspilot.conectores import words
from opspilot.connectors import gitlab_doctor, semaphore_doctor

MADE = re.compile(r"Finding\(\s*\"(\w+)\"")
ASKED = re.compile(r"_asked\(\s*\"(\w+)\"")
SOURCES = [Path(str(module.__file__)).read_text() for module in (gitlab_doctor, semaphore_doctor)]
CHECKS = sorted({name for text in SOURCES for name in MADE.findall(text) + ASKED.findall(text)})
# What these checks never end with: they hold, or they do not.
NO_MIDDLE = {
    "alcance", "versao", "token_ativo", "projeto", "projeto_arquivado", "etiquetas",
    "responsaveis", "template", "template_igual_ao_da_politica",
}  # fmt: skip


def test_the_checks_were_found_in_their_modules() -> None:
    assert {"alcance", "etiquetas", "hosts", "papel"} <= set(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_has_a_name(check: str) -> None:
    assert check in words.NAMES


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("state", ["ok", "atencao", "falha"])
def test_every_check_has_words_for_each_state(check: str, state: str) -> None:
    if state == "atencao" and check in NO_MIDDLE:
        assert (check, state) not in words.SAID
    else:
        assert (check, state) in words.SAID


@pytest.mark.parametrize("key", [key for key in words.SAID if key[1] != "ok"])
def test_what_is_not_well_says_what_to_do(key: tuple[str, str]) -> None:
    assert str(words.SAID[key][1])


@pytest.mark.parametrize("motive", ["sem_resposta", "adiado", "recusado"])
def test_a_question_without_an_answer_has_words_of_its_own(motive: str) -> None:
    meaning, act = words.of("etiquetas", "falha", {"motivo": motive, "codigo": 500})
    assert meaning
    assert act
    assert "%" not in meaning


@pytest.mark.parametrize("status", [0, 401, 403, 404, 500])
def test_a_refusal_is_told_by_its_status(status: int) -> None:
    meaning, _act = words.of("projeto", "falha", {"motivo": "recusado", "codigo": status})
    assert meaning
    assert "%" not in meaning


def test_a_list_of_facts_is_written_with_commas() -> None:
    facts = {"caminho": "aurora/infra", "faltam": ["incidente", "runbook"]}
    assert "incidente, runbook" in words.of("etiquetas", "falha", facts)[0]


def test_a_fault_of_a_template_is_said_in_words() -> None:
    facts = {"template": 23, "faltas": ["limite_nao_permitido"]}
    assert "não permite escolher o limite" in words.of("template", "falha", facts)[0]


def test_a_percent_sign_in_a_fact_is_kept() -> None:
    facts = {"caminho": "aurora/infra", "faltam": ["100%"]}
    assert "100%" in words.of("etiquetas", "falha", facts)[0]


def test_a_check_that_is_not_known_is_shown_by_its_code() -> None:
    assert words.of("novidade", "falha", {}) == ("novidade", "")
