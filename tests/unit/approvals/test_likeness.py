from __future__ import annotations

import pytest

from approvals.inbox.likeness import ALIKE, likeness


@pytest.mark.parametrize(
    "other",
    [
        "Reiniciar o consumidor de pagamentos",
        "REINICIAR consumidor: pagamentos!",
        "Reiniciar o consumidor da fila de pagamentos",
        "Pagamentos: reiniciar o consumidor já",
    ],
)
def test_the_same_work_in_other_words_is_alike(other: str) -> None:
    assert likeness("Reiniciar o consumidor de pagamentos", other) >= ALIKE


@pytest.mark.parametrize(
    "other", ["Trocar o certificado do balanceador", "Rever os limites do alerta de disco", ""]
)
def test_other_work_is_not(other: str) -> None:
    assert likeness("Reiniciar o consumidor de pagamentos", other) < ALIKE


def test_accents_and_case_make_no_difference() -> None:
    assert likeness("Rever a liquidação", "REVER A LIQUIDACAO") == 1.0


def test_a_number_counts_however_short() -> None:
    assert likeness("Lote 7 parado", "Lote 8 parado") < likeness("Lote 7 parado", "Lote 7 parado")


def test_titles_without_a_word_are_alike_only_when_equal() -> None:
    assert (likeness("!", "!"), likeness("!", "?")) == (1.0, 0.0)
