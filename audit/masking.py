"""What never enters the trail: secrets and document numbers, masked where they appear (I9).

Rows about something that already happened are masked, never refused. The patterns err on the side
of masking: a false positive costs a readable word, a false negative is kept for years.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from stdnum.br import cnpj, cpf

MAX_TEXT = 500

_SECRETS = (
    re.compile(r"\bopsk_[0-9a-f]{8}_[\w-]{16,}"),
    re.compile(r"\bwhsec_[\w+/=-]{16,}"),
    re.compile(r"\bgl(?:pat|dt|rt|soat|ptt|cbt)-[\w-]{16,}"),
    re.compile(r"\bsk-[\w-]{16,}"),
    re.compile(r"\bgh[pousr]_[A-Za-z0-9]{20,}"),
    re.compile(r"\bxox[abprs]-[\w-]{10,}"),
    re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}"),
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)"),
    re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}"),
    re.compile(
        r"(?i)\b(?:password|passwd|senha|secret|segredo|token|api[_-]?key|private[_-]?token|access[_-]?key)"
        r"\b[\"']?\s*[:=]\s*[\"']?[^\s\"'&,;]{3,}"
    ),
    re.compile(r"(?i)(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{1,200}:[^\s/@]{1,500}@"),
)
_CPF = re.compile(r"(?<![\w.])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\w)")
# Alphanumeric since July 2026: letters in the first twelve places.
_CNPJ = re.compile(
    r"(?i)(?<![\w.])[0-9a-z]{2}\.?[0-9a-z]{3}\.?[0-9a-z]{3}/?[0-9a-z]{4}-?\d{2}(?!\w)"
)
_CARD = re.compile(r"(?<![\w.])(?:\d[ -]?){12,18}\d(?!\w)")
# Bounded, and begun only where a word begins: else a long word is tried from each of its letters.
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")


def mask(text: str) -> str:
    """The text with secrets, CPF, CNPJ, card numbers and e-mails replaced, cut at MAX_TEXT."""
    text = mask_whole(text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def mask_whole(text: str) -> str:
    """The same uncut, for a text that is kept beside the trail and not in it."""
    for pattern in _SECRETS:
        text = pattern.sub("[segredo]", text)
    text = _EMAIL.sub("[e-mail]", text)
    text = _CPF.sub(lambda m: "[CPF]" if cpf.is_valid(m[0]) else m[0], text)
    text = _CNPJ.sub(lambda m: "[CNPJ]" if cnpj.is_valid(m[0].upper()) else m[0], text)
    return _CARD.sub(lambda m: "[cartão]" if _luhn(m[0]) else m[0], text)


def mask_json(value: Any) -> Any:
    """The same for every key and text inside a JSON value."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {mask(str(key)): mask_json(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [mask_json(item) for item in value]
    return value


def _luhn(text: str) -> bool:
    digits = [int(c) for c in text if c.isdigit()]
    doubled = [d * 2 - 9 if d > 4 else d * 2 for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
