"""Reading the provider's word about a person: an ID token, verified whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jwt

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384"]
LEEWAY = 30  # seconds of clock difference


class IdentityError(Exception):
    """The token is not what it should be; the text is ours, never the token's."""


def verified(
    token: str, *, keys: Mapping[str, Any], issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """The claims of an ID token that is signed by the issuer, for us, for this very login."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key=_key(token, keys),
            algorithms=ALGORITHMS,
            audience=client_id,
            issuer=issuer,
            leeway=LEEWAY,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except (jwt.PyJWTError, ValueError, TypeError, KeyError) as exc:
        raise IdentityError("the ID token could not be verified") from exc
    _check(claims, client_id=client_id, nonce=nonce)
    return claims


def _check(claims: Mapping[str, Any], *, client_id: str, nonce: str) -> None:
    if not nonce or claims.get("nonce") != nonce:
        raise IdentityError("the ID token belongs to another login")
    audience = claims["aud"]
    if isinstance(audience, list) and len(audience) > 1 and claims.get("azp") != client_id:
        raise IdentityError("the ID token was made for another client")
    if not isinstance(claims["sub"], str) or not claims["sub"]:
        raise IdentityError("the ID token names nobody")


def _key(token: str, keys: Mapping[str, Any]) -> Any:
    """The key the token names; without a name only if there is a single one."""
    wanted = jwt.get_unverified_header(token).get("kid")
    known = jwt.PyJWKSet.from_dict(dict(keys)).keys
    fitting = [key for key in known if key.key_id == wanted] if wanted else known
    if len(fitting) != 1:
        raise IdentityError("the ID token is signed by no known key")
    return fitting[0].key
