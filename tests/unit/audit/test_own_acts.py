"""What a row of a person's own act, and of a form that came back, is called."""

from __future__ import annotations

import pytest

from audit import wording
from audit.registry.errors import ShortReasonError

WHO = "conformidade 1 (usuario:7)"


def test_what_a_person_did_by_themselves_is_their_own_act() -> None:
    assert wording.authorized("regra", agent="console", who=WHO, result="ok") == "ato próprio"


@pytest.mark.parametrize(
    ("code", "agent", "who", "result", "said"),
    [
        ("regra", "console", "sha256:ab", "ok", "regra automática"),
        ("regra", "console", None, "ok", "regra automática"),
        ("regra", "coletor", WHO, "ok", "regra automática"),
        ("regra", "console", WHO, "recusado", "regra automática"),
        ("humana", "console", WHO, "ok", "aprovação humana"),
        ("previa", "console", WHO, "ok", "permissão prévia"),
    ],
)
def test_what_was_on_somebody_else_s_word_or_a_rule_s_is_not(
    code: str, agent: str, who: str | None, result: str, said: str
) -> None:
    assert wording.authorized(code, agent=agent, who=who, result=result) == said


@pytest.mark.parametrize("code", ["entrada_invalida", "campo_desconhecido", ShortReasonError.code])
def test_a_form_that_came_back_to_be_corrected_is_no_refusal(code: str) -> None:
    row = ("acao.recusada", "recusado", code)
    told = wording.action(*row), wording.state(*row), wording.result(*row)
    assert told == ("Formulário a corrigir", "pending", "devolvido")


@pytest.mark.parametrize("code", ["papel_exigido", "nao_encontrado", "consulta_lenta", "", None])
def test_a_refusal_stays_one(code: str | None) -> None:
    row = ("acao.recusada", "recusado", code)
    told = wording.action(*row), wording.state(*row), wording.result(*row)
    assert told == ("Ação recusada", "failed", "recusado")
