from __future__ import annotations

import pytest

from audit.entities import InvalidDocumentError, parse_document


@pytest.mark.parametrize(
    ("typed", "kind", "number"),
    [
        ("529.982.247-25", "CPF", "52998224725"),
        (" 52998224725 ", "CPF", "52998224725"),
        ("11.222.333/0001-81", "CNPJ", "11222333000181"),
        ("12.abc.345/01de-35", "CNPJ", "12ABC34501DE35"),
    ],
)
def test_a_document_is_read_with_any_punctuation(typed: str, kind: str, number: str) -> None:
    document = parse_document(typed)
    assert (document.kind, document.number) == (kind, number)


def test_the_masked_form_does_not_give_the_number_away() -> None:
    masked = parse_document("529.982.247-25").masked
    assert masked == "CPF ***.982.247-**"
    assert "529" not in masked


@pytest.mark.parametrize(
    "typed", ["", "123", "529.982.247-26", "00000000000", "11111111111", "abc", "1" * 40]
)
def test_anything_else_is_refused_without_repeating_it(typed: str) -> None:
    with pytest.raises(InvalidDocumentError) as caught:
        parse_document(typed)
    assert not typed or typed not in caught.value.sentence
