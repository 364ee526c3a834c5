"""Ed25519 as files carry it, for readers without a database: keys and signatures in hexadecimal, a key
named by its fingerprint. What is signed has the form of `audit.seal.statements`."""

from __future__ import annotations

import base64
import binascii
import hashlib
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from audit.files.checks import UnreadableError
from audit.seal import keys
from audit.seal.statements import Value


def fingerprint(key: Ed25519PublicKey) -> str:
    """SHA-256 of the key's 32 bytes, in hexadecimal."""
    return keys.fingerprint(key.public_bytes_raw().hex())


def package(format_: str, manifest: bytes) -> dict[str, Value]:
    """The statement a package is signed by: its format and the SHA-256 of its manifest."""
    return {"format": format_, "manifest_sha256": hashlib.sha256(manifest).hexdigest()}


def is_signed_by(key: Ed25519PublicKey, signature: str, statement: dict[str, Any]) -> bool:
    """Of a statement of the kind `package`."""
    return keys.is_signed("package", statement, key.public_bytes_raw().hex(), signature)


def public_key(text: str) -> Ed25519PublicKey:
    """A key as people pass it on: a file of PEM, or 32 bytes in base64 or hexadecimal."""
    pem = _file(text) or text
    if "BEGIN PUBLIC KEY" in pem:
        loaded = load_pem_public_key(pem.encode())
        if isinstance(loaded, Ed25519PublicKey):
            return loaded
    try:
        return Ed25519PublicKey.from_public_bytes(_raw(pem.strip()))
    except ValueError as exc:
        raise UnreadableError("the key is no Ed25519 public key") from exc


def _file(text: str) -> str:
    try:
        return Path(text).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _raw(text: str) -> bytes:
    try:
        return bytes.fromhex(text) if len(text) == 64 else base64.b64decode(text, validate=True)
    except binascii.Error as exc:
        raise ValueError("neither hexadecimal nor base64") from exc
