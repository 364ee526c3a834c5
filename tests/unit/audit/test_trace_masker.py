"""What is left of others in the rows about one customer."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from audit.trace.masker import Masker, Own, approvers, plain
from audit.trace.phrases import Phrases

MINE, OTHER, RUN = (str(uuid.uuid4()) for _ in range(3))


def masker() -> Masker:
    return Masker(
        Own(frozenset({MINE}), frozenset({"CPF ***.111.222-**"})),
        people=Phrases(["Ana Lúcia", "operador 1", "operador1.aurora"]),
        others=Phrases(["Padaria São João", "Padaria São João do Sul"]),
    )


def masked(text: Any, column: str = "saida_resumo", registered: set[str] | None = None) -> Any:
    row = {"correlacao_id": RUN, "autorizacao": "humana", column: text}
    masker().row(row, frozenset(registered or ()))
    return row[column]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"sobre {MINE} e {OTHER}", f"sobre {MINE} e [terceiro]"),
        (f"rodada {RUN}", f"rodada {RUN}"),
        (OTHER.replace("-", "").upper(), "[terceiro]"),
        ("CPF ***.111.222-** e CNPJ **.222.333/****-**", "CPF ***.111.222-** e [terceiro]"),
        ("***.982.247-**", "[terceiro]"),
        ("foi a PADARIA SAO JOAO DO SUL, hoje", "foi a [terceiro], hoje"),
        ("Padaria São Joãozinho", "Padaria São Joãozinho"),
        ("ana lucia pediu", "[pessoa] pediu"),
        ("operador 1 (usuario:12)", "[pessoa]"),
        ("pedido de alguém (usuario:12)", "[pessoa]"),
        ("aberto por operador 1 (usuario:12) e mais", "aberto por [pessoa] [pessoa] e mais"),
        ("operador 12", "operador 12"),
        ("CPF 529.982.247-25, maria@example.com", "CPF [CPF], [e-mail]"),
    ],
)
def test_of_a_text(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize(
    "written",
    [
        "Padaria  São João", "Padaria\u00a0São\nJoão", "padaria_sao_joao", "PADARIA\tSÃO JOÃO",
        "Pada\u200bria Sa\u0303o Joa\u0303o", "Padaria%20S%C3%A3o%20Jo%C3%A3o", "Padaria+São+João",
        "\uff30\uff41\uff44\uff41\uff52\uff49\uff41 São João", "PadariaSãoJoão",
        "Padaria%20S%c3%a3o Jo%C3%A3o%20do_Sul",
    ],
)  # fmt: skip
def test_a_name_is_found_whatever_stands_between_its_words(written: str) -> None:
    assert masked(f"com {written}, hoje") == "com [terceiro], hoje"
    assert masked(f"x={written}.") == "x=[terceiro]."


@pytest.mark.parametrize(
    "text", ["Padaria São Joãozinho", "xPadaria São João", "Padaria de São João"]
)
def test_a_longer_word_is_another_one(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    "dash", ["-", "", "\u2010", "\u2011", "\u2013", "\u2212", " ", "%2D", "\u200b"]
)
def test_an_id_is_found_with_any_dash_and_the_customer_s_own_stays(dash: str) -> None:
    theirs, mine = OTHER.replace("-", dash), MINE.upper().replace("-", dash)
    assert masked(f"urn%3Auuid%3A{theirs} de {mine}.") == f"urn%3Auuid%3A[terceiro] de {mine}."


def test_a_masked_document_is_found_with_any_dash() -> None:
    assert masked("CPF ***.982.247\u2011** e ***.111.222\u2013**") == (
        "[terceiro] e ***.111.222\u2013**"
    )


def test_a_hash_is_no_id() -> None:
    assert masked("sha256 " + "ab12" * 16) == "sha256 " + "ab12" * 16


def test_inside_of_sources_on_keys_and_values() -> None:
    value = [{f"cliente {OTHER}": [OTHER, {"n": 1}], "arquivo": "guia.md"}]
    assert masked(value, "fontes") == [
        {"cliente [terceiro]": ["[terceiro]", {"n": 1}], "arquivo": "guia.md"}
    ]


def test_a_request_s_id_stays_unless_it_is_somebody_s() -> None:
    assert masked(OTHER, "request_id") == OTHER
    assert masked(OTHER, "request_id", {plain(OTHER)}) == "[terceiro]"
    assert masked(MINE, "request_id", {plain(MINE)}) == MINE


def test_the_columns_that_lost_something_are_named() -> None:
    row = {"correlacao_id": RUN, "autorizacao": "humana", "erro": OTHER, "agente": "console"}
    assert masker().row(row, frozenset()) == ["erro"]


@pytest.mark.parametrize(
    ("signed", "authorization", "role"),
    [
        ("ana (usuario:1)", "humana", "aprovador"),
        ("ana (usuario:1), rui (usuario:2)", "humana", "aprovador, aprovador"),
        ("ana (usuario:1)", "previa", "admin"),
        ("alguém", "regra", "aprovador"),
    ],
)
def test_who_approved_is_a_role(signed: str, authorization: str, role: str) -> None:
    assert approvers(signed, authorization) == role
