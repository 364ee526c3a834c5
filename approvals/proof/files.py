"""A proof as a file that stands by itself: content, its hash, and the installation's signature."""

from __future__ import annotations

import json
from typing import Any

from audit.proving import proof_document as form
from audit.seal import keys


def as_file(proof: form.Proof) -> dict[str, Any]:
    """Unsigned where this process has no key to sign with: then the file says so."""
    content = proof.model_dump(mode="json")
    sha256 = form.content_sha256(content)
    return {
        "formato": form.FORMAT,
        "versao": form.VERSION,
        "conteudo": content,
        "sha256": sha256,
        "assinatura": _signature(sha256),
    }


def as_bytes(proof: form.Proof) -> bytes:
    return (json.dumps(as_file(proof), ensure_ascii=False, indent=2) + "\n").encode()


def _signature(sha256: str) -> dict[str, str] | None:
    try:
        signer = keys.ring()[0]
    except (keys.NoKeyError, keys.BadKeyError):
        return None
    return {
        "chave": signer.fingerprint,
        "chave_publica": signer.public_key,
        "valor": signer.sign("proof", form.signed(sha256)),
    }
