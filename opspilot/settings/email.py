"""EMAIL_URL, the one name of the mail server, in Django's terms."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_SMTP = "django.core.mail.backends.smtp.EmailBackend"
_FILES = "django.core.mail.backends.filebased.EmailBackend"
# Scheme: whether TLS comes by STARTTLS, whether from the first byte, the usual port.
_SCHEMES = {
    "smtp": (False, False, 25),
    "smtp+tls": (True, False, 587),
    "smtp+ssl": (False, True, 465),
}


@dataclass(frozen=True, slots=True)
class Email:
    backend: str = _SMTP
    folder: str | None = None
    host: str = "localhost"
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


def email(url: str) -> Email:
    """smtp://, smtp+tls:// (STARTTLS), smtp+ssl://, or file:///folder; empty is localhost:25.

    `smtps` is refused: some programs read it as one kind of TLS, some as the other.
    """
    parts = urlsplit(url)
    if not url:
        return Email()
    if parts.scheme == "file" and parts.path:
        return Email(backend=_FILES, folder=unquote(parts.path))
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise ImproperlyConfigured(
            "EMAIL_URL must be smtp://, smtp+tls:// or smtp+ssl:// with a host, or file:///folder."
        )
    starttls, tls, port = _SCHEMES[parts.scheme]
    return Email(
        host=parts.hostname,
        port=parts.port or port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=starttls,
        tls=tls,
    )
