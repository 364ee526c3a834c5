"""The signature of a package, by the key that seals the trail."""

from __future__ import annotations

import json

from audit.files import signatures
from audit.seal import keys


def signature(format_: str, manifest: bytes) -> bytes | None:
    """The content of `assinatura.json`; None where the console was given no key it can use."""
    try:
        signer = keys.ring()[0]
    except (keys.NoKeyError, keys.BadKeyError):
        return None
    said = {
        "algoritmo": "Ed25519",
        "chave": signer.fingerprint,
        "chave_publica": signer.public_key,
        "assinatura": signer.sign("package", signatures.package(format_, manifest)),
    }
    return json.dumps(said, indent=2).encode()


def fingerprint() -> str:
    """Of the key that signs now; empty without one."""
    try:
        return keys.ring()[0].fingerprint
    except (keys.NoKeyError, keys.BadKeyError):
        return ""
