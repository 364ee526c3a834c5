"""The console in a language nobody speaks: what the catalogue gives is marked and 40 % longer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import allauth
import django
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo

from opspilot.operations.management.commands.extract_translations import ids, messages, strings

ROOT = Path(__file__).parents[2]
OPEN, CLOSE = "⟦", "⟧"
LOCALE = "pt_BR"  # the language of the pages stays; only its words are others
_LONGER = 0.4
_PLURALS = "nplurals=2; plural=(n > 1);"  # Django's own for Portuguese; Babel's has a third
_LETTERS = str.maketrans("aceinouACEINOU", "åćèîñöüÅĆÈÎÑÖÜ")
_KEPT = re.compile(r"(%\([^)]*\)[a-z]|%[a-z%]|{[^}]*}|<[^>]*>|&\w+;)")


def marked(text: str) -> str:
    """As readable as before, longer, and between marks: "⟦Åprövåçõès~~~~⟧"."""
    pieces = _KEPT.split(text)
    words = "".join(p if i % 2 else p.translate(_LETTERS) for i, p in enumerate(pieces))
    longer = "~" * math.ceil(_LONGER * sum(len(p) for p in pieces[::2]))
    return OPEN + words + re.sub("~{8}", "~~~~~~~~ ", longer) + CLOSE


def unmarked(text: str) -> str:
    """What of this text no catalogue gave."""
    depth, kept = 0, []
    for letter in text:
        depth += letter == OPEN
        if not depth:
            kept.append(letter)
        depth -= letter == CLOSE and depth > 0
    return "".join(kept)


def write_catalogue(folder: Path) -> None:
    """Below this folder, as LOCALE_PATHS wants it: our words, and those of Django and allauth that
    have a Portuguese of their own. What has none stays unmarked, as people would see it."""
    catalogue = Catalog(locale=LOCALE)
    catalogue.mime_headers = [("Plural-Forms", _PLURALS)]
    for message in _of_libraries():
        if all(texts := strings(message)):
            catalogue.add(message.id, _marked(texts), context=message.context)
    for message in (message for message in messages(ROOT) if message.id):
        catalogue.add(message.id, _marked(ids(message)), context=message.context)
    target = folder / LOCALE / "LC_MESSAGES" / "django.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_mo(file, catalogue)


def _marked(texts: tuple[str, ...]) -> str | tuple[str, ...]:
    return marked(texts[0]) if len(texts) == 1 else tuple(marked(text) for text in texts)


def _of_libraries() -> Iterator[Message]:
    for library in (django, allauth):
        (home,) = library.__path__
        for path in sorted(Path(home).rglob(f"locale/{LOCALE}/LC_MESSAGES/django.mo")):
            with path.open("rb") as file:
                yield from (message for message in read_mo(file) if message.id)
