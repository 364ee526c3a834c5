"""The key that seals the trail: a file of its own beside the database, never in it."""

from __future__ import annotations

import base64
import secrets
from pathlib import Path

from opspilot.bootstrap.datadir import DataDir
from opspilot.bootstrap.files import locked, write_atomically

# An Ed25519 private key is 32 random bytes; this is what PKCS #8 writes before them (RFC 8410).
_PKCS8 = bytes.fromhex("302e020100300506032b657004220420")


def seal_key_file(data: DataDir) -> Path:
    """Made at the first need, readable by its owner only, then kept: the same for the life of the
    data folder."""
    path = data.root / "seal-key.pem"
    if not path.exists():
        with locked(data.lock("seal-key")):
            if not path.exists():
                write_atomically(path, _minted(), mode=0o600)
    return path


def _minted() -> str:
    body = base64.b64encode(_PKCS8 + secrets.token_bytes(32)).decode()
    return f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
