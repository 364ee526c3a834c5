"""The keys of the seal: private ones come from outside the database, public ones are trusted by
name or because a trusted key presented them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.conf import settings

from audit.models import TrailKey
from audit.seal.statements import Kind, Value, message

_PEM = re.compile(r"-----BEGIN PRIVATE KEY-----.+?-----END PRIVATE KEY-----", re.DOTALL)


class NoKeyError(Exception):
    """This process was given no key to seal with (OPSPILOT_SEAL_KEY_FILE)."""


class BadKeyError(Exception):
    """What OPSPILOT_SEAL_KEY_FILE holds is no Ed25519 private key in PEM."""


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key. Its `repr` shows the fingerprint only."""

    _private: Ed25519PrivateKey

    @property
    def public_key(self) -> str:
        return self._private.public_key().public_bytes_raw().hex()

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.public_key)

    def sign(self, kind: Kind, statement: Mapping[str, Value]) -> str:
        return self._private.sign(message(kind, statement)).hex()

    def __repr__(self) -> str:
        return f"Signer({self.fingerprint[:16]})"


@dataclass(frozen=True, slots=True)
class Trust:
    """Public keys by fingerprint. `anchored` is false when none was known from outside the database,
    and the first key that sealed had to be believed."""

    public: Mapping[str, str]
    anchored: bool = True

    def proves(
        self, kind: Kind, statement: Mapping[str, Value], *, key: str, signature: str
    ) -> bool:
        public = self.public.get(key)
        return public is not None and is_signed(kind, statement, public, signature)


def fingerprint(public_key: str) -> str:
    return hashlib.sha256(bytes.fromhex(public_key)).hexdigest()


def ring() -> tuple[Signer, ...]:
    """The keys of this process: the first seals, the others only present the first one.

    Raises NoKeyError or BadKeyError.
    """
    if not settings.OPSPILOT_SEAL_KEY:
        raise NoKeyError
    return parsed(settings.OPSPILOT_SEAL_KEY)


def known_here() -> dict[str, str]:
    """Public keys this process knows without asking the database: none when it was given no key."""
    try:
        return {signer.fingerprint: signer.public_key for signer in ring()}
    except (NoKeyError, BadKeyError):
        return {}


@lru_cache(maxsize=4)
def parsed(text: str) -> tuple[Signer, ...]:
    """The Ed25519 keys of a PEM file, in order. Raises BadKeyError."""
    try:
        keys = [load_pem_private_key(pem.encode(), password=None) for pem in _PEM.findall(text)]
    except ValueError as exc:
        raise BadKeyError from exc
    found = tuple(Signer(key) for key in keys if isinstance(key, Ed25519PrivateKey))
    if not found or len(found) != len(keys):
        raise BadKeyError
    return found


def is_signed(kind: Kind, statement: Mapping[str, Value], public_key: str, signature: str) -> bool:
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), message(kind, statement))
    except (InvalidSignature, ValueError):
        return False
    return True


def presentation(tenant_id: object, new: str) -> dict[str, Value]:
    """What the key before signs of the one that follows it."""
    return {"tenant": str(tenant_id), "new_key": new}


def trust(rows: Iterable[TrailKey], known: Mapping[str, str]) -> Trust:
    """The keys known from outside, and all that one of them presented, directly or by others."""
    listed = [row for row in rows if _is_named_right(row)]
    trusted = dict(known)
    if not trusted and listed:
        trusted[listed[0].fingerprint] = listed[0].public_key
    for row in listed:  # in the order in which they came: each was presented by one before it
        if row.fingerprint not in trusted and _is_presented(row, trusted):
            trusted[row.fingerprint] = row.public_key
    return Trust(trusted, anchored=bool(known))


def _is_named_right(row: TrailKey) -> bool:
    try:
        return fingerprint(row.public_key) == row.fingerprint
    except ValueError:
        return False


def _is_presented(row: TrailKey, trusted: Mapping[str, str]) -> bool:
    presenter = trusted.get(row.endorsed_by)
    statement = presentation(row.tenant_id, row.public_key)
    return presenter is not None and is_signed("key", statement, presenter, row.endorsement)
