"""Judges a proof: the page of the console and who has nothing but the file ask the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import ValidationError

from audit.files import strict_json
from audit.files.checks import Check, UnreadableError
from audit.proving import proof_decision, proof_rows, proof_seals, proof_sending, proof_words
from audit.proving.proof_document import FORMAT, File, Proof, Signature, content_sha256, signed
from audit.proving.proof_lines import Line, ok, red, unknown
from audit.seal import keys

__all__ = ["FORMAT", "check", "judge", "judge_file", "read"]
OWN_WORD = frozenset({
    "quorum", "outra_pessoa", "papel", "politica_proposta", "politica_decisao", "politica_execucao",
    "marcador", "espera", "tentativas", "corpo", "uma_vez", "destino",
})  # fmt: skip
"""Lines that rest on more than the rows of the trail."""


def judge(
    proof: Proof, key: Ed25519PublicKey | None = None, *, vouched: bool = False
) -> list[Line]:
    """Every line, in the order of what happened. `key` is the one the caller trusts for the seals;
    `vouched`: it signed the whole of this."""
    return [
        *proof_decision.lines(proof),
        *proof_sending.lines(proof),
        *proof_rows.lines(proof),
        proof_seals.line(proof, key, vouched=vouched),
    ]


def judge_file(found: Any, key: Ed25519PublicKey | None = None) -> list[Line]:
    """The file as a whole, then what is in it. Raises UnreadableError for what is not of its form."""
    file = read(found)
    now = content_sha256(found["conteudo"])
    signature = _signature(file.assinatura, now, key) if file.assinatura else None
    vouched = signature is not None and signature.code == "signed"
    lines = judge(file.conteudo, key, vouched=vouched)
    if signature is None:
        return [_whole(file, now), _unsigned(lines), *map(_as_own_word, lines)]
    return [_whole(file, now), signature, *lines]


def read(found: Any) -> File:
    try:
        return File.model_validate(found)
    except ValidationError as exc:
        where = sorted({".".join(map(str, error["loc"])) for error in exc.errors()})
        raise UnreadableError(f"not of the form {FORMAT} 1: {', '.join(where[:5])}") from exc


def check(path: Path, key: Ed25519PublicKey | None) -> list[Check]:
    """The lines as the command prints them; what nobody can say is no failure, and says so."""
    try:
        lines = judge_file(strict_json.loads(path.read_bytes()), key)
    except UnreadableError as exc:
        return [Check("formato", False, str(exc))]
    return [check_of(line) for line in lines]


def check_of(line: Line) -> Check:
    words, known = proof_words.sentence(line), line.state != "unknown"
    return Check(line.name, line.state != "red", words if known else f"not known: {words}", known)


def _whole(file: File, now: str) -> Line:
    return ok("arquivo", "file_same") if now == file.sha256 else red("arquivo", "file_differs")


def _unsigned(lines: Sequence[Line]) -> Line:
    """Then only what the trail's own seals cover is signed by anybody."""
    sealed = any(line.name == "selo" and line.state == "ok" for line in lines)
    return unknown("assinatura", "only_sealed") if sealed else red("assinatura", "not_signed")


def _as_own_word(line: Line) -> Line:
    """What the rows of the trail do not tell is, without a signature, what the file says of itself."""
    if line.state != "ok" or line.name not in OWN_WORD:
        return line
    return unknown(line.name, "own_word", said=proof_words.sentence(line))


def _signature(found: Signature, content_hash: str, trusted: Ed25519PublicKey | None) -> Line:
    values = {"key": found.chave}
    if not _is_by_its_key(found, content_hash):
        return red("assinatura", "badly_signed", **values)
    if trusted is None:
        return ok("assinatura", "signed_by_its_own", **values)
    if trusted.public_bytes_raw().hex() != found.chave_publica:
        return red("assinatura", "other_key", **values)
    return ok("assinatura", "signed", **values)


def _is_by_its_key(found: Signature, content_hash: str) -> bool:
    try:
        named = keys.fingerprint(found.chave_publica) == found.chave
    except ValueError:
        return False
    said = signed(content_hash)
    return named and keys.is_signed("proof", said, found.chave_publica, found.valor)
