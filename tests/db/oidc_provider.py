"""A small OpenID Connect provider with its traps, on a port of its own. Test data only."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT = "opspilot-test"
SECRET = "secret-of-the-tests"


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider:
    """`claims` change the ID token of the next login (None takes one out); `userinfo` is what the
    other endpoint says, when there is any."""

    def __init__(self) -> None:
        self.key = new_key()
        self.signing_key: Any = self.key
        self.algorithm = "RS256"
        self.claims: dict[str, Any] = {}
        self.userinfo: dict[str, Any] | None = None
        self.issuer_said = ""
        self.authorized: dict[str, str] = {}
        self.token_requests = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def authorize(self, location: str) -> dict[str, str]:
        """What the browser carries back after the person said yes."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        self.authorized = asked
        return {"code": "the-code", "state": asked["state"]}

    def description(self) -> dict[str, Any]:
        found = {
            "issuer": self.issuer_said or self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }
        return found | ({"userinfo_endpoint": f"{self.url}/userinfo"} if self.userinfo else {})

    def jwks(self) -> dict[str, Any]:
        numbers = self.key.public_key().public_numbers()
        public = {"kty": "RSA", "n": _number(numbers.n), "e": _number(numbers.e)}
        return {"keys": [public | {"kid": "k1", "use": "sig", "alg": "RS256"}]}

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        self.token_requests += 1
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        assert (form["client_id"], form["client_secret"]) == (CLIENT, SECRET)
        assert challenge == self.authorized["code_challenge"]
        return {"access_token": "access", "token_type": "Bearer", "id_token": self._id_token()}

    def _id_token(self) -> str:
        now = int(time.time())
        whole = {
            "iss": self.url,
            "sub": "person-1",
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": self.authorized.get("nonce", ""),
            "name": "Pessoa 1",
            "preferred_username": "pessoa1",
        } | self.claims
        said = {name: value for name, value in whole.items() if value is not None}
        return jwt.encode(said, self.signing_key, self.algorithm, headers={"kid": "k1"})


def _number(value: int) -> str:
    raw = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            pages: dict[str, Callable[[], Any]] = {
                "/.well-known/openid-configuration": provider.description,
                "/jwks": provider.jwks,
                "/userinfo": lambda: provider.userinfo,
            }
            self._answer(pages[urlsplit(self.path).path]())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._answer(provider.token(form))

        def _answer(self, content: Any) -> None:
            body = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            """Quiet."""

    return Handler
