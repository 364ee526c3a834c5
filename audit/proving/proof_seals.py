"""Of a proof: that its rows are under signed seals of the trail, as far as there are any yet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from audit.proving.merkle_paths import root_from
from audit.proving.proof_document import Proof, Row, Seal
from audit.proving.proof_lines import Line, none, ok, red, unknown
from audit.proving.proof_rows import fields_of
from audit.seal import keys

Fields = dict[str, Any]


def line(proof: Proof, trusted: Ed25519PublicKey | None = None, *, vouched: bool = False) -> Line:
    """`trusted` is a key the caller knows to be the installation's; None takes the file's word.

    Keys that it presented are as good. One that presented it is when `vouched`: the trusted key
    signed the whole file, with that one's seals in it.
    """
    if not proof.linhas:
        return none("selo", "no_rows")
    forged = [seal for seal in proof.selos if not _is_signed(proof, seal)]
    if forged:
        return red("selo", "seal_forged", window=_window(forged[0].declaracao))
    rows = dict(zip((_number(f) for f in fields_of(proof)), proof.linhas, strict=True))
    broken = [seal for seal in proof.selos if not _holds(seal, rows)]
    if broken:
        return red("selo", "seal_differs", window=_window(broken[0].declaracao))
    strange = _strange(proof, trusted, vouched=vouched) if trusted else []
    return unknown("selo", "seal_other_key", key=strange[0]) if strange else _coverage(proof)


def _coverage(proof: Proof) -> Line:
    """What is older than the newest seal must be under one; what is younger will be."""
    under = {number for seal in proof.selos for number in seal.caminhos}
    left = [fields for fields in fields_of(proof) if _number(fields) not in under]
    until = proof.selado_ate
    skipped = [f for f in left if until is not None and (at := _at(f)) is not None and at < until]
    if skipped:
        return red("selo", "seal_missing", rows=", ".join(map(_number, skipped)))
    if until is None:
        return unknown("selo", "nothing_sealed")
    if left:
        values = {"rows": len(left), "of": len(proof.linhas), "until": until.isoformat()}
        return unknown("selo", "not_sealed", **values)
    return ok("selo", "sealed", rows=len(under), windows=len(proof.selos))


def _is_signed(proof: Proof, seal: Seal) -> bool:
    """By the key the statement names, over this company's rows."""
    said, public = seal.declaracao, seal.chave_publica
    if not keys.is_signed("seal", said, public, seal.assinatura):
        return False
    return said.get("key") == keys.fingerprint(public) and said.get("tenant") == str(proof.empresa)


def _strange(proof: Proof, trusted: Ed25519PublicKey, *, vouched: bool) -> list[str]:
    """The keys of seals that nothing leads to from the trusted one."""
    known = {trusted.public_bytes_raw().hex()}
    sealed = {seal.chave_publica: keys.fingerprint(seal.chave_publica) for seal in proof.selos}
    by_name = {name: public for public, name in sealed.items()}
    by_name |= {keys.fingerprint(public): public for public in known}
    pairs = list(_pairs(proof, by_name))
    for _step in pairs:
        known |= {new for old, new in pairs if old in known}
        if vouched:
            known |= {old for old, new in pairs if new in known}
    return sorted(name for public, name in sealed.items() if public not in known)


def _pairs(proof: Proof, by_name: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Who presented whom, in public keys, where the signature of it is good."""
    for one in proof.chaves:
        by_name.setdefault(_named(one.chave_publica), one.chave_publica)
    for one in proof.chaves:
        old = by_name.get(one.apresentada_por)
        said = keys.presentation(proof.empresa, one.chave_publica)
        if old is not None and keys.is_signed("key", said, old, one.assinatura):
            yield old, one.chave_publica


def _named(public: str) -> str:
    try:
        return keys.fingerprint(public)
    except ValueError:
        return ""


def _holds(seal: Seal, rows: Mapping[str, Row]) -> bool:
    """Each row named here leads up to the root that was signed, and every row named is in the file."""
    try:
        roots = {
            root_from(
                bytes.fromhex(rows[number].linha_hash), [(step.lado, step.hash) for step in path]
            )
            for number, path in seal.caminhos.items()
        }
    except (KeyError, ValueError):
        return False
    return roots == {seal.declaracao.get("root")}


def _window(said: Mapping[str, Any]) -> str:
    return f"{said.get('from', '?')} – {said.get('until', '?')}"


def _number(fields: Fields) -> str:
    return str(fields.get("id", "?"))


def _at(fields: Fields) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(str(fields["ocorrido_em"]))
    except (KeyError, ValueError):
        return None
