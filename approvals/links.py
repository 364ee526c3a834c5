"""Links that lead nowhere but where the policy lets them, before a text is stored and hashed (I2).

Whoever reads an issue follows its links. One whose host is not listed stays in the text, to be read
and copied, and is no link at the remote: a blank stands where its syntax was, as no backslash stops
the remote's own search for addresses. In code too, as in `neutral`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_SCHEME = re.compile(r"(?i)([a-z][a-z0-9+.-]*)(\\?:)(?=(?:\\?/){2})")
_WWW = re.compile(r"(?i)(?<![a-z0-9/.@-])(?:www\\?\.)+(?=\w)")
_TARGET = re.compile(r"\](?=[(:])(.)(\s*<?)")
_HOST = r"([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)"
# Of an address or of the sentence around it: what follows a host that it cannot go on with.
_END = r"(?=[/?#]|[)\]>\"'`,.;:!*_~]*(?:\s|$))"
_AUTHORITY = re.compile(rf"(?i)//{_HOST}(?::\d{{1,5}})?{_END}", re.ASCII)
_NAMED = re.compile(rf"(?i){_HOST}(?::\d{{1,5}})?{_END}", re.ASCII)
_WEB = re.compile(r"(?i)https?:", re.ASCII)
# Within the project's own pages: it names no scheme and no host.
_RELATIVE = re.compile(r"(?:#|/(?![/\\]))?(?:[\w.#?=%+~-][\w./#?=&%+~-]*)?(?=[\s)>]|$)")


def inert(text: str, hosts: Collection[str]) -> str:
    """With links to these hosts only, and within the project itself. Idempotent."""

    def target(found: re.Match[str]) -> str:
        is_kept = _RELATIVE.match(text, found.end()) or _leads(text, found.end(), hosts)
        return found[0] if is_kept else f"] {found[1]}{found[2]}"

    text = _TARGET.sub(target, text)

    def scheme(found: re.Match[str]) -> str:
        return found[0] if _leads(text, found.start(), hosts) else f"{found[1]}{found[2]} "

    text = _SCHEME.sub(scheme, text)

    def named(found: re.Match[str]) -> str:
        host = _NAMED.match(text, found.start())
        return found[0] if _is_listed(host, hosts) else found[0].replace(".", ". ")

    return _WWW.sub(named, text)


def are_inert(text: str, hosts: Collection[str]) -> bool:
    """Whether no link in the text leads elsewhere; asked again before sending."""
    return inert(text, hosts) == text


def _leads(text: str, start: int, hosts: Collection[str]) -> bool:
    """Whether the address that begins here is of the web, written plainly, and to a listed host."""
    web = _WEB.match(text, start)
    return web is not None and _is_listed(_AUTHORITY.match(text, web.end()), hosts)


def _is_listed(host: re.Match[str] | None, hosts: Collection[str]) -> bool:
    return host is not None and host[1].lower() in hosts
