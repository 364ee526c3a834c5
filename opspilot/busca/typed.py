"""What somebody typed into the search box: an address in short, a document number, or words. Pure."""

from __future__ import annotations

import re
import unicodedata
import uuid

from audit.masking import mask
from opspilot.presentation.normal_form import nfc

LONGEST = 200
READ = 1_000  # characters of what was typed that are looked at, at all
SHORTEST = 2
_HASH = re.compile(r"[0-9a-f]{8,64}", re.IGNORECASE)
_GROUPED = re.compile(r"\d(?:[ ./-]?\d){8,}")
_MAIL = re.compile(r"\S@\S")
_NUMBER = re.compile(r"[0-9.\-/ ]{11,20}")


def tidy(text: str) -> str:
    """One line of at most READ characters, without the white space around it; what cannot be
    printed is gone."""
    shown = "".join(c if c.isprintable() else " " for c in nfc(text[:READ]))
    return " ".join(shown.split())


def as_uuid(text: str) -> uuid.UUID | None:
    """An id exactly as addresses write it: other spellings would hide digits of a document."""
    try:
        found = uuid.UUID(text)
    except ValueError:
        return None
    return found if str(found) == text.casefold() else None


def as_hash_prefix(text: str) -> str:
    """Eight digits and more of a content hash, spaces as pages print them; else nothing."""
    joined = "".join(text.split()).rstrip("…")
    return joined.casefold() if _HASH.fullmatch(joined) else ""


def is_document_number(text: str) -> bool:
    """As many digits as a CPF or a CNPJ has, and nothing but them; whether it is valid is not asked."""
    return bool(_NUMBER.fullmatch(text)) and sum(c.isdigit() for c in text) in (11, 14)


def is_personal(text: str) -> bool:
    """Whether it may name a person (I9): then it stands in no address, title, log or trail.

    Errs on the side of yes: nine digits in a row, an e-mail address, whatever the trail masks.
    """
    if as_uuid(text):
        return False
    return bool(_GROUPED.search(text) or _MAIL.search(text)) or mask(text) != text


def pattern(text: str) -> str:
    """The text for LIKE, folded as the queries fold titles: any of its signs means itself."""
    bare = unicodedata.normalize("NFD", text.casefold())
    folded = "".join(c for c in bare if not unicodedata.combining(c))
    return "%" + re.sub(r"([\\%_])", r"\\\1", folded) + "%"
