"""What the guard finds in a text, whatever it is dressed as, and what it leaves alone."""

from __future__ import annotations

import base64
from collections import Counter

import pytest

from audit.guard import refusing, sensitive
from audit.guard.kinds import Kind
from audit.guard.looking import cleaned
from audit.guard.refusing import ForbiddenContentError
from audit.masking import mask_json

# Assembled here, so that no file holds the shape of a live secret.
GITLAB = "glpat-" + "x1" * 10
PACKED = base64.b64encode(GITLAB.encode()).decode()
TWICE = base64.b64encode(PACKED.encode()).decode()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("５２９．９８２．２４７－２５", Kind.CPF),
        ("529\u200b982\u200b247\u200b25", Kind.CPF),
        ("٥٢٩٩٨٢٢٤٧٢٥", Kind.CPF),
        ("529 982 247 25", Kind.CPF),
        ("cpf_52998224725", Kind.CPF),
        ("CPF52998224725", Kind.CPF),
        (r'{"a": "\n52998224725"}', Kind.CPF),
        (r"\u0035\u0032998224725", Kind.CPF),
        ("%35%32998224725", Kind.CPF),
        ("12ABC34501DE35", Kind.CNPJ),
        ("12.abc.345/01de-35", Kind.CNPJ),
        (r'{"a": "\n12ABC34501DE35"}', Kind.CNPJ),
        ("11222333000181", Kind.CNPJ),
        ("4111-1111-1111-1111", Kind.CARTAO),
        ("pessoa+tag@example.com.br", Kind.EMAIL),
        (PACKED, Kind.SEGREDO),
        (TWICE, Kind.SEGREDO),
        (f"x{GITLAB}", Kind.SEGREDO),
        ("https://git.example/a?private_token=abc123", Kind.SEGREDO),
        ("https://git.example/a?x=1&access_token=abc123#f", Kind.SEGREDO),
        ("https://s3.example/a?X-Amz-Signature=abcdef0123", Kind.SEGREDO),
        ("https://blob.example/a?sv=2024&sig=abc%2Bdef", Kind.SEGREDO),
        ("https://user:pass@host/x", Kind.SEGREDO),
        ("access_token=abc123def", Kind.SEGREDO),
        (r"{\"token\": \"abc123\"}", Kind.SEGREDO),
        ('senha: "duas palavras"', Kind.SEGREDO),
        ("cliente com câncer", Kind.SENSIVEL),
        ("grupo plano_de_saude", Kind.SENSIVEL),
        ("Filiação  sindical informada", Kind.SENSIVEL),
        ("sexual orientation", Kind.SENSIVEL),
    ],
)
def test_it_is_found_whatever_it_is_dressed_as(text: str, kind: Kind) -> None:
    told: Counter[Kind] = Counter()
    assert cleaned(f"antes {text} depois", told) != f"antes {text} depois"
    assert kind in told


@pytest.mark.parametrize(
    "text",
    [
        "sha256 " + "0a1b2c3d" * 8,
        "rodada 7d0c1a52-3b5e-4a52-9a53-0d6f6c0f7a11",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "demorou 0.52998224725 s",
        "protocolo 20261130123456",
        "111.111.111-11",
        "https://git.example/a/-/issues/42?scope=all&state=opened",
        "a race condition in a union query; saúde do conector; diagnóstico",
        "tokens: 1200, custo 3,14",
        "Ação concluída às 14h ª º",
        "console@0.1.0, pacote@2.0.1-rc1, root@10.0.0.1",
    ],
)
def test_ordinary_words_and_our_own_ids_stay(text: str) -> None:
    assert cleaned(text) == text


def test_what_is_around_a_finding_stays() -> None:
    assert cleaned("CPF 529.982.247-25, e-mail a@b.co.") == "CPF [CPF], e-mail [e-mail]."


def test_a_secret_over_a_document_is_masked_once() -> None:
    told: Counter[Kind] = Counter()
    assert cleaned("senha=52998224725", told) == "[segredo]"
    assert told == {Kind.SEGREDO: 1}


def test_a_key_named_as_a_secret_hides_whatever_stands_under_it() -> None:
    made = mask_json([{"token": "abc", "apiKey": ["x"], "tokens": 3, "secret": None}])
    assert made == [{"token": "[segredo]", "apiKey": "[segredo]", "tokens": 3, "secret": None}]


def test_a_document_written_as_a_number_is_masked_too() -> None:
    assert mask_json([{"n": 52998224725, "total": 18412}]) == [{"n": "[CPF]", "total": 18412}]


def test_terms_are_whole_words() -> None:
    assert sensitive.spans("gayola, cancerígeno, sindicatura") == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", f"Trocar {GITLAB}"),
        ("description", "O CPF é 529.982.247-25"),
        ("pedido", "11222333000181"),
        ("cartao", "4111 1111 1111 1111"),
        ("numero", 52998224725),
        ("senha", "segredo-de-verdade"),
        ("url", "https://git.example/a?private_token=abc123"),
        ("texto", "password=hunter22"),
    ],
)
def test_a_proposal_with_a_secret_or_a_document_is_refused_by_field(
    field: str, value: str | int
) -> None:
    with pytest.raises(ForbiddenContentError) as refused:
        refusing.refuse({"fields": {field: {"type": "texto", "value": value}}, "outro": "bem"})
    assert refused.value.facts["fields"] == [field]
    assert str(value) not in refused.value.sentence


def test_a_document_used_as_the_name_of_a_field_is_not_repeated_back() -> None:
    with pytest.raises(ForbiddenContentError) as refused:
        refusing.refuse({"fields": {"529.982.247-25": {"type": "texto", "value": "x"}}})
    assert refused.value.facts["fields"] == ["…"]


@pytest.mark.parametrize(
    "text",
    [
        "senha: expirou ontem, token: renovar",
        "password=<sua senha> token=$TOKEN api_key={{ chave }}",
        "falar com pessoa@example.com sobre o plano de saúde",
        "bearer authentication e basic configuration",
        "pedido P-1044, 12000 centavos",
    ],
)
def test_a_proposal_about_secrets_and_people_is_not_refused(text: str) -> None:
    refusing.refuse({"title": text, "labels": ["incidente"], "confidential": False})
