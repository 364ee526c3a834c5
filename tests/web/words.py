"""The words of a page: those that a catalogue gave, and those that come from the company's data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from opspilot.operations.management.commands.extract_translations import ids, read, strings
from opspilot.presentation.formats import zone_text
from opspilot.smoke.database import Database
from tests.web.people import Person

CATALOGUE = Path(__file__).parents[2] / "opspilot/locale/en/LC_MESSAGES/django.po"
# Names, not words: the same in every language.
NAMES = {
    "OpsPilot",
    "GitLab",
    "Semaphore",
    "JSON",
    "CSV",
    "Excel",
    "Markdown",
    "XLSX",
    "Português",
    "English",
    "Esc",
    "Enter",
    "Ctrl",
    "UTC",
}
_NUMBERED = re.compile(r"^\(\d+\) |^#\d+ ")  # a title with what waits, an issue's number
# Told as they are: people, identifiers, addresses, offsets, a day's heading.
_CODES = re.compile(
    r"\b(operador|aprovador|auditor|conformidade|admin) \d\b|\binstalação\b"
    r"|\b\w+\.\w+\b|\b\w*\d\w*\b|[\w-]+/[\w/-]+|\b[a-z]+(-[a-z0-9]+)+\b|\([+−]\d+(:\d+)?\)"
    r"|^(Segunda|Terça|Quarta|Quinta|Sexta|Sábado|Domingo), \d+ de [a-zç]+ de \d{4}$"
)
_ENDS = ' .,:;·()“”"…⁨⁩'
# Every text a person is shown or told, one string a block, its nodes apart; no code, no payload.
_TEXTS = """() => {
  const left = "script, noscript, style, code, pre, kbd, samp, svg, textarea, [translate=no], .mono";
  const told = ["aria-label", "title", "placeholder", "alt", "data-announce", "data-copied", "data-label",
    "aria-description", "aria-roledescription"];
  const blocks = new Map(), found = [document.title];
  const block = (el) => (getComputedStyle(el).display.startsWith("inline") ? block(el.parentElement) : el);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    if (node.parentElement.closest(left)) continue;
    const around = block(node.parentElement);
    blocks.set(around, [...(blocks.get(around) || []), node.textContent]);
  }
  for (const el of document.body.querySelectorAll("*"))
    for (const name of told) if (el.hasAttribute(name)) found.push(el.getAttribute(name));
  return [...found, ...[...blocks.values()].map((nodes) => nodes.join("\\n"))];
}"""
# A date or a sum however it may be written, and the one way it is written in Portuguese.
_WRITTEN = re.compile(r"\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{4}-\d\d-\d\d\b|R\$\s?[\d.,]*\d")
_IN_FORM = re.compile(r"\d\d/\d\d/\d{4}|R\$ \d{1,3}(\.\d{3})*,(\d\d|\d{4})")
_MONTH = re.compile(
    r"\b(Janeiro|Fevereiro|Março|Abril|Maio|Junho|Julho|Agosto|Setembro|Outubro|Novembro|Dezembro)\b"
)
_COUNTED = re.compile(r"^%\(\w+\)s (\w+)")
_TABLES = """SELECT c.table_name FROM information_schema.columns c
 WHERE c.table_schema = 'public' AND to_regclass(quote_ident(c.table_name)) IS NOT NULL AND has_table_privilege(quote_ident(c.table_name), 'SELECT')
 GROUP BY c.table_name HAVING bool_and(c.udt_name <> 'vector') AND c.table_name !~ 'session|_\\d{4}'"""


def texts(person: Person) -> list[str]:
    return [str(text) for text in person.page.evaluate(_TEXTS)]


def data_of(database: Database, *, tenant: str) -> str:
    """Every text the database holds for this company, and the world's names of time zones."""
    found = list[str]()
    for (table,) in database.rows(_TABLES):
        query = f'SELECT to_jsonb(t)::text FROM "{table}" t'  # noqa: S608 - a name of the catalogue
        rows = database.rows(query, tenant=tenant)
        found += (text for (row,) in rows for text in _strings(json.loads(row)))
    zones = sorted(available_timezones())
    found += zones
    found += (zone.partition("/")[2].replace("_", " ").replace("/", ", ") for zone in zones)
    # As the locale data call them: their words come from no catalogue of ours.
    now = datetime.now(UTC)
    for zone in zones:
        told = zone_text(now.astimezone(ZoneInfo(zone)), zone, language="pt-br")
        found.append(told.replace("UTC", ""))  # one of NAMES
    return "\n".join(" ".join(text.split()) for text in dict.fromkeys(found))


def loose(text: str, data: str) -> list[str]:
    """The pieces of this text that hold words and are none of the company's data."""
    for name in NAMES:
        text = text.replace(name, "")
    pieces = (" ".join(piece.split()) for piece in re.split(r" · |: |\n", text))
    return [piece for piece in pieces if not _is_data(piece, data)]


def _is_data(piece: str, data: str) -> bool:
    told = _NUMBERED.sub("", piece)
    if not words(bare(told)) or bare(told) in data or told.strip(_ENDS) in data:
        return True
    listed = told.split(", ")  # names beside each other, each of them the company's own
    return len(listed) > 1 and all(bare(part) in data for part in listed)


def bare(text: str) -> str:
    """Without what is told as it is in every language."""
    return " ".join(_CODES.sub("", text).split()).strip(_ENDS)


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{3,}", text)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        texts = [part for part in value if isinstance(part, str)]
        yield from (", ".join(texts), " › ".join(texts))  # as a page lists them
        for part in value:
            yield from _strings(part)


def misformed(text: str) -> list[str]:
    """Dates and sums of this text that are not in the Portuguese form, and months with a capital."""
    odd = [found for found in _WRITTEN.findall(text) if not _IN_FORM.fullmatch(found)]
    return odd + [match[0] for match in _MONTH.finditer(text)]


def counted_nouns() -> set[tuple[str, str]]:
    """What the messages count, as one and as many: ("proposta", "propostas")."""
    plurals = [ids(message) for message in read(CATALOGUE) if len(ids(message)) == 2]
    pairs = [(_COUNTED.match(one), _COUNTED.match(many)) for one, many in plurals]
    return {(a[1], b[1]) for a, b in pairs if a and b and a[1] != b[1]}


def portuguese_words() -> set[str]:
    """Words of the messages that no English of theirs has: where one is seen, it was left behind."""
    catalogue = [message for message in read(CATALOGUE) if message.id]
    own = {word.lower() for m in catalogue for text in ids(m) for word in words(text)}
    return own - {word.lower() for m in catalogue for text in strings(m) for word in words(text)}
