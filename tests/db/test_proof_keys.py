"""A proof outlives the key its rows were sealed with: the next key, which signs the file, is enough."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from approvals.proof import files
from audit import trail, verifying
from audit.files import signatures
from audit.files.checks import UnreadableError
from audit.proving import proof_document, proof_file
from audit.proving.proof_lines import Line
from audit.seal import keys
from opspilot.tenancy.scope import tenant_scope
from tests.db.proving_effects import a_key, an_effect, proof_of, seal
from tests.db.reviewing import an_entry


@dataclass(frozen=True, slots=True)
class Rotated:
    """The proof of an effect that the first key sealed, made when the second one was in use."""

    file: dict[str, Any]
    first: str
    second: str
    third: keys.Signer


@pytest.fixture(scope="module")
def rotated(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Rotated:
    first, second, third = (a_key() for _ in range(3))
    with django_db_blocker.unblock():
        with override_settings(OPSPILOT_SEAL_KEY=first):
            approved = an_effect()
            seal(approved)
        with override_settings(OPSPILOT_SEAL_KEY=f"{second}\n{first}"):
            with tenant_scope(approved.tenant.pk):
                trail.record(an_entry())
            seal(approved)
            body = files.as_bytes(proof_of(approved.proposal))
    ring = [keys.parsed(pem)[0] for pem in (first, second, third)]
    return Rotated(json.loads(body), ring[0].public_key, ring[1].public_key, ring[2])


def lines(file: dict[str, Any], key: str) -> dict[str, Line]:
    found = proof_file.judge_file(file, signatures.public_key(key))
    return {line.name: line for line in found}


def signed_by(signer: keys.Signer, content: dict[str, Any]) -> dict[str, Any]:
    sha256 = proof_document.content_sha256(content)
    signature = {
        "chave": signer.fingerprint,
        "chave_publica": signer.public_key,
        "valor": signer.sign("proof", proof_document.signed(sha256)),
    }
    return {"formato": "opspilot.prova", "versao": 1, "conteudo": content} | {
        "sha256": sha256,
        "assinatura": signature,
    }


def test_the_second_key_alone_verifies_what_the_first_one_sealed(rotated: Rotated) -> None:
    assert {seal["chave_publica"] for seal in rotated.file["conteudo"]["selos"]} == {rotated.first}
    found = lines(rotated.file, rotated.second)
    assert found["selo"].state == found["assinatura"].state == "ok"
    assert not [line for line in found.values() if line.state == "red"]


def test_without_the_presentation_it_is_not_known_and_no_forgery(rotated: Rotated) -> None:
    bare = {**rotated.file["conteudo"], "chaves": []}
    found = proof_file.judge(
        proof_document.Proof.model_validate(bare),
        signatures.public_key(rotated.second),
        vouched=True,
    )
    (line,) = [line for line in found if line.name == "selo"]
    assert (line.state, line.code) == ("unknown", "seal_other_key")


def test_a_presentation_by_itself_makes_nobody_trusted(rotated: Rotated) -> None:
    """Anybody may say of a known key that it follows his own: the known key must have signed too."""
    unsigned = rotated.file | {"assinatura": None}
    found = lines(unsigned, rotated.second)
    assert found["selo"].state == "unknown"
    assert found["assinatura"].state == "red"
    forged = lines(signed_by(rotated.third, rotated.file["conteudo"]), rotated.second)
    assert forged["assinatura"].state == "red"
    assert forged["selo"].state == "unknown"


def test_what_the_trusted_key_presented_is_as_good_as_itself(rotated: Rotated) -> None:
    content = rotated.file["conteudo"]
    said = keys.presentation(content["empresa"], rotated.first)
    chain = {
        "chave_publica": rotated.first,
        "apresentada_por": rotated.third.fingerprint,
        "assinatura": rotated.third.sign("key", said),
    }
    proof = proof_document.Proof.model_validate({**content, "chaves": [chain]})
    third = signatures.public_key(rotated.third.public_key)
    (line,) = [line for line in proof_file.judge(proof, third) if line.name == "selo"]
    assert line.state == "ok"


def test_a_proof_of_before_the_keys_were_in_it_is_still_read(
    rotated: Rotated, tmp_path: Path
) -> None:
    content = {name: part for name, part in rotated.file["conteudo"].items() if name != "chaves"}
    assert proof_file.read(signed_by(rotated.third, content)).conteudo.chaves == []


def test_a_proof_that_says_a_thing_twice_is_not_read(rotated: Rotated, tmp_path: Path) -> None:
    path = tmp_path / "prova.json"
    path.write_text(json.dumps(rotated.file).replace("{", '{"versao": 2, ', 1), encoding="utf-8")
    with pytest.raises(UnreadableError):
        verifying.verify(path)
