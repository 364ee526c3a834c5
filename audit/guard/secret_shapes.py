"""Secrets in a text: keys by their makers' prefixes, values named as secrets, tokens in URLs.

Each shape has words that must be there for it to match: they are looked for first, which is what
keeps an ordinary row cheap.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

_BY_PREFIX = re.compile(
    r"opsk_[0-9a-f]{8}_[\w-]{16,}|whsec_[\w+/=-]{16,}|gl(?:pat|dt|rt|soat|ptt|cbt|ft)-[\w-]{16,}"
    r"|(?<![A-Za-z0-9])(?:sk|rk)[-_](?:live_|test_|ant-|proj-)?[\w-]{16,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}"
    r"|pypi-[\w-]{30,}|dop_v1_[0-9a-f]{32,}|hvs\.[\w-]{20,}"
    r"|(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}"
)
_PEM = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)"
)
_SCHEME = re.compile(
    r"(?i)\bbearer\s+[\w.~+/=-]{16,}|\bbasic\s+(?=[^\s]*[0-9=])[A-Za-z0-9._~+/=-]{12,}"
)
_CREDENTIALS = re.compile(
    r"(?i)(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{0,200}:[^\s/@]{1,500}@"
)
_NAMES = (
    r"password|passwd|passphrase|senha|secret|segredo|token|api[_-]?key|apikey|private[_-]?key"
    r"|access[_-]?key|secret[_-]?key|credential|credencial|authorization"
)
_NAME = re.compile(rf"(?i)(?:{_NAMES})\Z")
_NAMED = re.compile(
    rf"(?i)(?:{_NAMES})(?![A-Za-z0-9_])\\?[\"']?\s*[:=]\s*"
    r"(?:\\?\"[^\"\\]{3,}|\\?'[^'\\]{3,}|[^\s\"'\\&,;]{3,})"
)
# What signs or opens the address it stands in.
_PARAMETER = re.compile(
    r"(?i)(?<=[?&;#])(?:[a-z_-]*(?:token|signature|secret|password|senha|apikey|api_key|api-key)"
    r"|x-amz-(?:credential|security-token)|googleaccessid|key-pair-id|sig|auth|jwt|sid|session"
    r"|session_?id|access_?key|key)=[^&\s\"'<>#]{3,}|(?<=[?&;#])code=[^&\s\"'<>#]{10,}"
)
_PACKED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"[0-9a-f-]+")
_READABLE = re.compile(rb"[\x09\x0a\x0d\x20-\x7e]+")
# What a text about a secret says in its place: `senha=<sua senha>`, `token: $TOKEN`, `token: ***`.
_PLACEHOLDER = re.compile(r"[:=]\s*\\?[\"']?(?:[<$\[*]|\{\{|x{3,}\b)")
_PROSE = re.compile(r":\s+[^\s\d]{1,15}\Z")


_NAMED_WORDS = ("pass", "senha", "secret", "segredo", "token", "key", "creden", "authoriz")
LONG = 20  # characters: no maker's key is shorter, and nothing shorter is looked for in base64


def spans(text: str, *, longest: int, depth: int = 2) -> list[tuple[int, int]]:
    """Where secrets stand in the text, whose longest word has so many characters. `depth`: how often
    base64 inside base64 is opened."""
    found = [match for pattern in _possible(text, longest) for match in pattern.finditer(text)]
    places = [match.span() for match in found]
    if depth and longest >= LONG:
        places += [match.span() for match in _PACKED.finditer(text) if _packs(match[0], depth)]
    return places


def _possible(text: str, longest: int) -> Iterator[re.Pattern[str]]:
    """The shapes that have what they cannot do without: most texts have it of none."""
    low = text.lower()
    if longest >= LONG:
        yield _BY_PREFIX
    if "://" in text:
        yield _CREDENTIALS
    if "=" in text:
        yield _PARAMETER
    if (":" in text or "=" in text) and any(word in low for word in _NAMED_WORDS):
        yield _NAMED
    if "bearer" in low or "basic" in low:
        yield _SCHEME
    if "-----BEGIN" in text:
        yield _PEM


def is_name(key: str) -> bool:
    """Whether what stands under this key is a secret, whatever it looks like."""
    return _NAME.search(key) is not None


def is_written_out(secret: str) -> bool:
    """Whether it is one in earnest: neither a placeholder, nor a sentence about a password."""
    if _NAMED.match(secret) is None:
        return True
    return not (_PLACEHOLDER.search(secret) or _PROSE.search(secret))


def unpacked(word: str) -> str:
    """What a word says in base64; nothing when that is no text."""
    if _HEX.fullmatch(word):
        return ""
    plain = word.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        raw = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (ValueError, binascii.Error):
        return ""
    return raw.decode() if _READABLE.fullmatch(raw) else ""


def _packs(word: str, depth: int) -> bool:
    said = unpacked(word)
    return bool(said) and bool(spans(said, longest=len(said), depth=depth - 1))
