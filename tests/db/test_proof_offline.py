"""A proof and an audit pack as files: who has nothing else finds whatever was changed in them."""

from __future__ import annotations

import copy
import io
import json
import os
import subprocess
import sys
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils.timezone import localtime
from pytest_django import DjangoDbBlocker

from approvals import drafts
from approvals.deciders.access_reviews import period_of
from approvals.execution import attempts
from approvals.proof import files, sampling, sentences
from audit import verifying
from audit.files import signatures
from audit.models import AgenteAcao
from audit.proving import proof_bodies, proof_document, proof_sending, proof_words
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope
from tests.db import damaging
from tests.db.proving_effects import a_key, an_effect, proof_of, seal
from tests.factories import Approved

ROOT = Path(__file__).parents[2]
Change = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Proven:
    """An effect that is sealed, its proof as the console gives it, and the key it is signed by."""

    approved: Approved
    body: bytes
    key: str


@pytest.fixture(scope="module")
def proven(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Proven]:
    with django_db_blocker.unblock(), override_settings(OPSPILOT_SEAL_KEY=a_key()):
        approved = an_effect()
        seal(approved)
        body = files.as_bytes(proof_of(approved.proposal))
        yield Proven(approved, body, json.loads(body)["assinatura"]["chave_publica"])


@pytest.fixture(scope="module")
def unsealed(proven: Proven, django_db_blocker: DjangoDbBlocker) -> Proven:
    """Another company's, whose trail goes on: packs are written into it."""
    with django_db_blocker.unblock():
        approved = an_effect()
        return Proven(approved, files.as_bytes(proof_of(approved.proposal)), proven.key)


def bad_lines(path: Path, body: bytes, key: str = "") -> set[str]:
    path.write_bytes(body)
    report = verifying.verify(path, signatures.public_key(key) if key else None)
    assert report.checks
    return {check.name for check in report.checks if not check.ok}


def resigned(found: dict[str, Any]) -> bytes:
    """As somebody would who makes a key of their own."""
    with override_settings(OPSPILOT_SEAL_KEY=a_key()):
        proof = proof_document.Proof.model_validate(found["conteudo"])
        return files.as_bytes(proof)


def test_the_file_verifies_in_a_process_without_a_database(proven: Proven, tmp_path: Path) -> None:
    path = tmp_path / "prova.json"
    path.write_bytes(proven.body)
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_export", str(path), "--key", proven.key],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok  selo:" in done.stdout
    assert "BAD" not in done.stdout


def test_what_is_not_sealed_yet_is_no_failure_and_not_good(proven: Proven, tmp_path: Path) -> None:
    path = tmp_path / "prova.json"
    path.write_bytes(files.as_bytes(proof_of(an_effect().proposal)))
    (line,) = [check for check in verifying.verify(path).checks if check.name == "selo"]
    assert (line.ok, line.known) == (True, False)


CHANGES: dict[str, tuple[Change, str]] = {
    "the title": (lambda c: c["proposta"]["conteudo"].update(title="Outro"), "conteudo"),
    "who asked": (lambda c: c["proposta"].update(solicitante="usuario:0"), "identidade"),
    "the hash shown": (lambda c: c["decisoes"][0].update(hash_mostrado="0" * 64), "mostrado"),
    "who decided": (lambda c: c["decisoes"][0].update(nome="outra pessoa"), "trilha"),
    "the votes needed": (lambda c: c["proposta"].update(aprovacoes_exigidas=2), "quorum"),
    "the role": (lambda c: c["decisoes"][0].update(papeis=["auditor"]), "papel"),
    "the policy": (lambda c: c["politicas"][1].update(resultado="mudou"), "politica_decisao"),
    "the marker": (lambda c: c["execucao"].update(marcador="opk" + "0" * 32), "corpo"),
    "the body": (lambda c: c["corpo"].update(title="Outro"), "corpo"),
    "the body's hash": (lambda c: c["tentativas"][0].update(corpo_sha256="0" * 64), "corpo"),
    "the claim": (lambda c: c["tentativas"][0].update(token=str(uuid.UUID(int=1))), "tentativas"),
    "the answer": (lambda c: c["tentativas"].pop(), "tentativas"),
    "the remote's address": (lambda c: c["execucao"]["remoto"].update(url="http://x/"), "trilha"),
    "a row's text": (
        lambda c: c["linhas"][0].update(texto=c["linhas"][0]["texto"].replace("pendente", "ok")),
        "linhas",
    ),
    "a row": (lambda c: c["linhas"].pop(), "trilha"),
    "a step of the way up": (
        lambda c: next(iter(c["selos"][0]["caminhos"].values()))[0].update(hash="0" * 64),
        "selo",
    ),
    "the signed root": (lambda c: c["selos"][0]["declaracao"].update(root="0" * 64), "selo"),
    "the seal": (lambda c: c["selos"].clear(), "selo"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_is_changed_in_it_has_its_own_bad_line(
    proven: Proven, tmp_path: Path, what: str
) -> None:
    change, line = CHANGES[what]
    found = json.loads(proven.body)
    change(found["conteudo"])
    bad = bad_lines(tmp_path / "prova.json", json.dumps(found).encode())
    assert {"arquivo", line} <= bad


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_proof_that_is_signed_anew_is_found_by_who_knows_the_key(
    proven: Proven, tmp_path: Path, what: str
) -> None:
    change, line = CHANGES[what]
    found = json.loads(proven.body)
    change(found["conteudo"])
    bad = bad_lines(tmp_path / "prova.json", resigned(found), proven.key)
    assert {"assinatura", line} <= bad
    assert "arquivo" not in bad


def test_without_a_signature_only_what_the_seals_cover_is_good(
    proven: Proven, tmp_path: Path
) -> None:
    path = tmp_path / "prova.json"
    path.write_text(json.dumps(json.loads(proven.body) | {"assinatura": None}))
    report = verifying.verify(path, signatures.public_key(proven.key))
    known = {check.name for check in report.checks if check.ok and check.known}
    assert report.ok
    assert known == {
        "arquivo",
        *["conteudo", "identidade", "mostrado", "linhas", "trilha", "selo"],
    }


def test_with_neither_signature_nor_seal_it_proves_nothing(
    unsealed: Proven, tmp_path: Path
) -> None:
    found = json.loads(unsealed.body) | {"assinatura": None}
    assert bad_lines(tmp_path / "prova.json", json.dumps(found).encode()) == {"assinatura"}


def test_a_field_nobody_knows_makes_it_another_format(proven: Proven, tmp_path: Path) -> None:
    found = json.loads(proven.body) | {"observacao": "confira"}
    assert bad_lines(tmp_path / "prova.json", json.dumps(found).encode()) == {"formato"}


def test_a_key_of_somebody_else_does_not_fit(proven: Proven, tmp_path: Path) -> None:
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    assert bad_lines(tmp_path / "prova.json", proven.body, other) == {"assinatura"}
    report = verifying.verify(tmp_path / "prova.json", signatures.public_key(other))
    assert [line.name for line in report.checks if not line.known] == ["selo"]


def test_both_makers_of_a_body_agree(proven: Proven) -> None:
    issue = json.loads(proven.body)["conteudo"]["proposta"]["conteudo"]
    bare = issue | {"labels": [], "assignees": []}
    task = {
        "kind": "tarefa.executada",
        "target": {"template_id": 21},
        "hosts": ["pag-01", "pag-02"],
        "variables": {"b": "ção", "a": "1"},
    }
    for action in (issue, bare, task, {"kind": "issue.fechada"}):
        assert proof_bodies.body_of(action, "opk1") == drafts.body(copy.deepcopy(action), "opk1")


def test_both_know_the_same_answers_after_which_nothing_was_done() -> None:
    assert frozenset(attempts._NOTHING_DONE) == proof_sending.NOTHING_DONE


def test_each_line_has_its_words_in_both_places() -> None:
    of_a_file = {
        "file_same", "file_differs", "signed", "signed_by_its_own", "not_signed", "only_sealed",
        "own_word", "badly_signed", "other_key",
    }  # fmt: skip
    assert set(proof_words.SENTENCES) - of_a_file == set(sentences.SENTENCES)


# The audit pack.


def a_pack(proven: Proven, path: Path, *, seed: str = "semente", size: int = 25) -> str:
    said = io.StringIO()
    call_command(
        "audit_pack",
        "--quarter", period_of(clock.now()),
        "--tenant", proven.approved.tenant.slug,
        "--size", str(size),
        "--seed", seed,
        "--out", str(path),
        "--json",
        stdout=said,
    )  # fmt: skip
    return said.getvalue()


def rewritten(path: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    with zipfile.ZipFile(path) as package:
        found = {item: package.read(item) for item in package.namelist()}
    found[name] = change(found[name])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for item, body in found.items():
            package.writestr(item, body)


def bad_in(path: Path, key: str) -> list[str]:
    report = verifying.verify(path, signatures.public_key(key))
    return [check.name for check in report.checks if not check.ok]


def test_a_pack_verifies_and_is_told_to_the_trail(unsealed: Proven, tmp_path: Path) -> None:
    path = tmp_path / "amostra.zip"
    last = json.loads(a_pack(unsealed, path).splitlines()[-1])
    assert (last["drawn"], last["effects"], last["seed"]) == (1, 1, "semente")
    assert bad_in(path, unsealed.key) == []
    with tenant_scope(unsealed.approved.tenant.pk):
        rows = AgenteAcao.objects.filter(acao="exportacao.gerada")
        told = rows.filter(saida_resumo__contains="1 de 1, semente semente")
        assert told.exists()


def test_one_signed_proof_is_written_by_a_command(unsealed: Proven, tmp_path: Path) -> None:
    path, approved = tmp_path / "uma.json", unsealed.approved
    call_command(
        "prove_effect", str(approved.proposal.ref), "--tenant", approved.tenant.slug,
        "--out", str(path), stdout=io.StringIO(),
    )  # fmt: skip
    assert bad_lines(tmp_path / "prova.json", path.read_bytes(), unsealed.key) == set()


def test_a_company_has_no_proof_of_anothers_effect(
    proven: Proven, unsealed: Proven, tmp_path: Path
) -> None:
    ref, other = str(unsealed.approved.proposal.ref), proven.approved.tenant.slug
    with pytest.raises(CommandError, match="has no proposal"):
        call_command("prove_effect", ref, "--tenant", other, "--out", str(tmp_path / "x"))


def test_a_proof_changed_in_a_pack_is_named(unsealed: Proven, tmp_path: Path) -> None:
    path, ref = tmp_path / "amostra.zip", unsealed.approved.proposal.ref
    a_pack(unsealed, path)
    rewritten(path, f"provas/{ref}.json", lambda body: body.replace(b"pag-01", b"pag-02"))
    assert bad_in(path, unsealed.key) == [f"prova {ref}"]


def test_a_damaged_byte_of_a_proof_in_a_pack_is_that_proofs_bad_line(
    unsealed: Proven, tmp_path: Path
) -> None:
    path, ref = tmp_path / "amostra.zip", unsealed.approved.proposal.ref
    a_pack(unsealed, path)
    for damaged in damaging.inside(path, f"provas/{ref}.json", tmp_path / "x.zip", times=20):
        assert bad_in(damaged, unsealed.key) == [f"prova {ref}"]


def test_whichever_byte_of_a_pack_is_damaged_the_check_comes_to_an_end(
    unsealed: Proven, tmp_path: Path
) -> None:
    path = tmp_path / "amostra.zip"
    a_pack(unsealed, path)
    found = [damaging.outcome(one) for one in damaging.anywhere(path, tmp_path / "x", times=100)]
    assert {"bad", "unreadable"} <= set(found)


def test_another_seed_in_the_manifest_is_found(unsealed: Proven, tmp_path: Path) -> None:
    path = tmp_path / "amostra.zip"
    a_pack(unsealed, path)
    rewritten(path, "manifesto.json", lambda body: body.replace(b'"semente"', b'"outra"', 1))
    assert "assinatura" in bad_in(path, unsealed.key)


def test_a_pack_does_not_write_over_a_file(unsealed: Proven, tmp_path: Path) -> None:
    path = tmp_path / "amostra.zip"
    path.write_text("de outra pessoa")
    with pytest.raises(CommandError, match="is there already"):
        a_pack(unsealed, path)
    assert path.read_text() == "de outra pessoa"


def test_without_a_key_there_is_no_pack_and_no_file(unsealed: Proven, tmp_path: Path) -> None:
    path = tmp_path / "amostra.zip"
    with override_settings(OPSPILOT_SEAL_KEY=""), pytest.raises(CommandError, match="no key"):
        a_pack(unsealed, path)
    assert not path.exists()


def test_the_fourth_quarter_ends_with_the_year_in_the_consoles_zone() -> None:
    found = sampling.quarter("2026-T4")
    assert [localtime(at).isoformat()[:16] for at in (found.since, found.until)] == [
        "2026-10-01T00:00",
        "2027-01-01T00:00",
    ]


@pytest.mark.parametrize("text", ["2026-T5", "2026-T0", "26-T1", "2026"])
def test_what_is_no_quarter_is_refused(text: str) -> None:
    with pytest.raises(sampling.NotAQuarterError):
        sampling.quarter(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("conteudo", None),
        ("conteudo", []),
        ("conteudo", 1.5),
        ("conteudo", {"kind": []}),
        ("conteudo", {"kind": "issue.criada", "labels": 1}),
    ],
)
def test_an_action_of_any_shape_is_judged_and_not_stumbled_over(
    proven: Proven, tmp_path: Path, field: str, value: object
) -> None:
    found = json.loads(proven.body)
    found["conteudo"]["proposta"][field] = value
    assert "conteudo" in bad_lines(tmp_path / "prova.json", json.dumps(found).encode())


@pytest.mark.parametrize("text", ["", "null", "[]", "não é json", '{"linha_hash": 1}'])
def test_a_row_of_any_text_is_judged_and_not_stumbled_over(
    proven: Proven, tmp_path: Path, text: str
) -> None:
    found = json.loads(proven.body)
    found["conteudo"]["linhas"][0]["texto"] = text
    assert "linhas" in bad_lines(tmp_path / "prova.json", json.dumps(found).encode())


def test_a_short_file_that_says_it_was_cut_is_not_believed(proven: Proven, tmp_path: Path) -> None:
    found = json.loads(proven.body)
    found["conteudo"].update(linhas=found["conteudo"]["linhas"][:1], linhas_cortadas=True)
    assert "trilha" in bad_lines(tmp_path / "prova.json", json.dumps(found).encode())
