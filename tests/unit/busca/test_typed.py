"""What a typed text is taken for, and what of it may stand in an address."""

from __future__ import annotations

import uuid

import pytest

from opspilot.busca import typed


@pytest.mark.parametrize(
    "text",
    [
        "529.982.247-25",
        "52998224725",
        "cliente 529 982 247 25",
        "111.444.777-00",  # not valid, and still somebody's typing error
        "11.222.333/0001-81",
        "fulana@empresa.example",
        "(11) 98765-4321",
        "12.ABC.345/01DE-35",
        "senha: abacaxi99",
    ],
)
def test_what_may_name_a_person_is_told(text: str) -> None:
    assert typed.is_personal(text)


@pytest.mark.parametrize(
    "text",
    ["fila parada", "srv-pag-02", "liq-worker-3", "erro 504", "a1b2c3d4", str(uuid.uuid4()), ""],
)
def test_plain_words_ids_and_codes_are_not_personal(text: str) -> None:
    assert not typed.is_personal(text)


def test_an_id_is_read_only_as_addresses_write_it() -> None:
    ref = uuid.uuid4()
    assert typed.as_uuid(str(ref)) == ref
    assert typed.as_uuid(str(ref).upper()) == ref
    assert typed.as_uuid(ref.hex) is None
    assert typed.as_uuid("52998224725") is None


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("A1B2C3D4", "a1b2c3d4"),
        ("a1b2c3d4 e5f60718 …", "a1b2c3d4e5f60718"),
        ("a1b2c3d", ""),
        ("g1b2c3d4", ""),
        ("a" * 65, ""),
    ],
)
def test_eight_digits_of_a_hash_are_a_prefix(text: str, prefix: str) -> None:
    assert typed.as_hash_prefix(text) == prefix


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("111.444.777-00", True),
        ("11.222.333/0001-00", True),
        ("2026-11-30", False),
        ("1" * 12, False),
    ],
)
def test_a_number_as_long_as_a_document_is_told_from_others(text: str, is_one: bool) -> None:
    assert typed.is_document_number(text) is is_one


def test_signs_of_a_pattern_mean_themselves_and_accents_are_folded() -> None:
    assert typed.pattern("Liquidação 100%_a\\b") == "%liquidacao 100\\%\\_a\\\\b%"


def test_what_cannot_be_printed_is_taken_out_of_the_line() -> None:
    assert typed.tidy("  fila\x00\n parada\u200b ") == "fila parada"
