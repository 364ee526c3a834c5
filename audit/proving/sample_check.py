"""Checks an audit pack with nothing but the ZIP: the manifest, what was drawn, and each proof in it."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from audit.files import strict_json
from audit.files.checks import FAULTS, Check, UnreadableError
from audit.proving import proof_file, proof_words
from audit.proving.proof_document import Signature
from audit.proving.sample_form import (
    FORMAT,
    MANIFEST,
    SIGNATURE,
    Entry,
    Manifest,
    drawn,
    file_name,
    signed,
)
from audit.seal import keys

__all__ = ["FORMAT", "check"]
MOST = 16 * 1024 * 1024  # bytes of one file, unpacked: what says it is larger is not read


def check(path: Path, key: Ed25519PublicKey | None) -> list[Check]:
    with zipfile.ZipFile(path) as package:
        raw = _read(package, MANIFEST)
        signature = _signature(package, raw, key)
        try:
            manifest = Manifest.model_validate(strict_json.loads(raw))
        except ValueError:
            return [signature, Check("manifesto", False, f"not of the form {FORMAT} 1")]
        found = [signature, _names(package, manifest), _drawn(manifest)]
        return [*found, *(_proof(package, entry, key) for entry in manifest.arquivos)]


def _read(package: zipfile.ZipFile, name: str) -> bytes:
    """UnreadableError for what is not there, cannot be unpacked, or is too large to be ours."""
    if name not in package.namelist():
        raise UnreadableError(f"the pack has no {name}")
    if package.getinfo(name).file_size > MOST:
        raise UnreadableError(f"{name} is larger than any file of a pack")
    try:
        return package.read(name)
    except FAULTS as exc:
        raise UnreadableError(f"{name} cannot be unpacked") from exc


def _signature(
    package: zipfile.ZipFile, manifest: bytes, trusted: Ed25519PublicKey | None
) -> Check:
    try:
        said = Signature.model_validate(strict_json.loads(_read(package, SIGNATURE)))
        name = keys.fingerprint(said.chave_publica)
    except ValueError:  # UnreadableError and ValidationError are two
        return Check("assinatura", False, "the manifest is not signed in a way that can be read")
    public = trusted.public_bytes_raw().hex() if trusted else said.chave_publica
    good = keys.is_signed("sample", signed(manifest), public, said.valor)
    if not good or said.chave != name:
        return Check("assinatura", False, "the manifest is not signed by this key")
    how = "" if trusted else "by the key in the file, compare its fingerprint: "
    return Check("assinatura", True, f"{how}{name}")


def _names(package: zipfile.ZipFile, manifest: Manifest) -> Check:
    """A name that stands twice in a ZIP is two files to two programs."""
    wanted = sorted([MANIFEST, SIGNATURE, *(entry.nome for entry in manifest.arquivos)])
    good = sorted(package.namelist()) == wanted
    words = f"{len(manifest.arquivos)} proofs" if good else "not the files that the manifest lists"
    return Check("arquivos", good, words)


def _drawn(manifest: Manifest) -> Check:
    """Drawn anew by the seed, from all that the manifest says there was."""
    wanted = drawn(manifest.universo, seed=manifest.semente, size=len(manifest.arquivos))
    enough = len(wanted) == min(manifest.pedidos, len(manifest.universo))
    good = enough and [entry.ref for entry in manifest.arquivos] == wanted
    words = f"{len(wanted)} of {len(manifest.universo)} by the seed {manifest.semente}"
    return Check("sorteio", good, words if good else f"not what the seed draws: {words}")


def _proof(package: zipfile.ZipFile, entry: Entry, key: Ed25519PublicKey | None) -> Check:
    """One line for each proof: what of it does not hold, or how much nobody can say yet."""
    name = f"prova {entry.ref}"
    try:
        raw = _read(package, entry.nome)
        if hashlib.sha256(raw).hexdigest() != entry.sha256 or entry.nome != file_name(entry.ref):
            return Check(name, False, "not the file that was signed for")
        lines = proof_file.judge_file(strict_json.loads(raw), key)
        ref = str(proof_file.read(strict_json.loads(raw)).conteudo.proposta.ref)
    except FAULTS as exc:
        return Check(name, False, f"cannot be read: {exc}")
    red = [f"{line.name}: {proof_words.sentence(line)}" for line in lines if line.state == "red"]
    if ref != entry.ref:
        red.append(f"it is the proof of {ref}")
    unknown = sum(line.state == "unknown" for line in lines)
    words = f"{sum(line.state == 'ok' for line in lines)} lines hold, {unknown} not known"
    return Check(name, not red, "; ".join(red) or words)
