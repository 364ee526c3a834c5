from __future__ import annotations

import pytest

from audit.masking import MAX_TEXT, mask, mask_json

# Assembled here, so that no file holds the shape of a live secret.
GITLAB = "glpat-" + "x" * 20
OPENAI = "sk-" + "y" * 24
AWS = "AKIA" + "Z" * 16


@pytest.mark.parametrize(
    "secret",
    [
        GITLAB,
        OPENAI,
        AWS,
        "Bearer abcdefghijklmnop",
        "password=hunter22",
        "senha: minhasenha",
        "token=abc123def",
        "https://user:pass@host/x",
        "529.982.247-25",
        "52998224725",
        "11.222.333/0001-81",
        "11222333000181",
        "12.ABC.345/01DE-35",
        "4111 1111 1111 1111",
        "pessoa@example.com",
    ],
)
def test_what_must_not_be_kept_is_masked_wherever_it_stands(secret: str) -> None:
    for text in (secret, f"antes {secret} depois", f"({secret})", f"antes\n{secret}"):
        assert secret not in mask(text)
        assert "[" in mask(text)


@pytest.mark.parametrize(
    "text",
    [
        "Fila parada às 14:16, 18.412 mensagens",
        "sha256 " + "0a1b2c3d" * 8,
        "projeto aurora/infra, issue 42",
        "123.456.789-00 não é CPF válido",
        "rodada 7d0c1a52-3b5e-4a52-9a53-0d6f6c0f7a11",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert mask(text) == text


def test_a_private_key_is_masked_whole_and_without_its_end() -> None:
    begin = "-----BEGIN RSA " + "PRIVATE KEY-----"
    assert mask(f"{begin}\nabc\ndef") == "[segredo]"


def test_keys_and_values_of_json_are_masked_at_every_depth() -> None:
    made = mask_json([{"529.982.247-25": {"x": [GITLAB, 7, None, True]}}])
    assert made == [{"[CPF]": {"x": ["[segredo]", 7, None, True]}}]


def test_a_long_text_is_cut() -> None:
    assert len(mask("a" * 5000)) == MAX_TEXT
