"""`manage.py extract_translations [--check]`: the messages of the code into the English catalogue.

Templates go through Django's own `templatize`, so that each message is, character for character,
the one Django looks up at run time. No gettext tools needed.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation.template import templatize

LOCALE = "en"
PACKAGES = ("opspilot", "audit", "grounding", "approvals")
TEMPLATES = "templates"
# Of each function: whether a context comes first, and how many texts follow.
CALLS = {
    f"{name}{suffix}": shape
    for name, shape in {
        "gettext": (False, 1),
        "ngettext": (False, 2),
        "pgettext": (True, 1),
        "npgettext": (True, 2),
    }.items()
    for suffix in ("", "_lazy", "_noop")
} | {"_": (False, 1)}
# Written by hand: Babel's header names a time, a project and a tool, and changes at every run.
HEADER = """\
# English. The messages themselves are the product's Portuguese.
msgid ""
msgstr ""
"Language: en\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""

Text = str | tuple[str, ...]  # singular alone, or singular and plural


@dataclass(frozen=True, slots=True)
class Faults:
    """The messages that `--check` refuses, by what is wrong with them."""

    missing: list[str]
    obsolete: list[str]
    empty: list[str]
    fuzzy: list[str]
    unlike: list[str]  # a placeholder of the translation is not one of the message


class Command(BaseCommand):
    help = "Bring the English catalogue up to the code; with --check only say where it differs."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if unlike")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        locale = Path(settings.LOCALE_PATHS[0])
        found = messages(locale.parents[1])
        path = locale / LOCALE / "LC_MESSAGES" / "django.po"
        if not options["check"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(po_text(merged(found, read(path))), encoding="utf-8")
        faults = asdict(compare(found, read(path)))
        for kind, texts in faults.items():
            for text in texts:
                self.stdout.write(f"{kind}: {text}")
        counts = {kind: len(texts) for kind, texts in faults.items()}
        self.stdout.write(f"{len(found)} messages, {sum(counts.values())} to put right")
        if options["json"]:
            self.stdout.write(json.dumps({"messages": len(found), **counts}))
        if options["check"] and any(counts.values()):
            raise CommandError("the English catalogue differs from the code")


def messages(root: Path) -> Catalog:
    """Every message below the root's packages and templates, with no translation yet."""
    found = Catalog(locale=LOCALE)
    for text, context in _extracted(root):
        found.add(text, context=context)
    return found


def read(path: Path) -> Catalog:
    """The catalogue as it stands; an absent one is empty."""
    if not path.exists():
        return Catalog(locale=LOCALE)
    with path.open("rb") as file:
        return read_po(file, locale=LOCALE)


def merged(found: Catalog, known: Catalog) -> Catalog:
    """The code's messages with the translations that are known. A text that changed is a new one:
    no guess is made, for a wrong guess reads like a translation."""
    result = Catalog(locale=LOCALE)
    for message in _bodies(found):
        old = known.get(message.id, message.context)
        kept = old.string if old is not None and _same_shape(old, message) else None
        result.add(message.id, kept, context=message.context)
    return result


def po_text(catalogue: Catalog) -> str:
    """Sorted, with no place, no time and no tool's name: the same messages are the same file."""
    body = io.BytesIO()
    write_po(body, catalogue, omit_header=True, no_location=True, sort_output=True, width=100)
    return HEADER + body.getvalue().decode().strip() + "\n"


def compare(found: Catalog, known: Catalog) -> Faults:
    both = [m for m in _bodies(known) if _counterpart(found, m) is not None]
    return Faults(
        missing=[_shown(m) for m in _bodies(found) if _counterpart(known, m) is None],
        obsolete=[_shown(m) for m in _bodies(known) if _counterpart(found, m) is None]
        + [_shown(m) for m in known.obsolete.values()],
        empty=[_shown(m) for m in both if not all(strings(m))],
        fuzzy=[_shown(m) for m in both if m.fuzzy],
        unlike=[_shown(m) for m in both if m.check(known)],
    )


def _extracted(root: Path) -> Iterator[tuple[Text, str | None]]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            yield from _of_python(path.read_text(encoding="utf-8"))
    for path in sorted((root / TEMPLATES).rglob("*.html")):
        yield from _of_template(path.read_text(encoding="utf-8"))


def _of_template(source: str) -> Iterator[tuple[Text, str | None]]:
    # What was markup keeps its indentation, which Python would read as blocks that do not match.
    lines = (line.strip() for line in templatize(source).splitlines())
    file = io.BytesIO("\n".join(lines).encode())
    options = {"encoding": "utf-8"}
    for _line, text, _comments, context in extract("python", file, DEFAULT_KEYWORDS, (), options):
        yield text, context


def _of_python(source: str) -> Iterator[tuple[Text, str | None]]:
    """By the syntax tree: Babel's extractor does not look inside f-strings before Python 3.12."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (shape := CALLS.get(_name(node.func))):
            with_context, count = shape
            texts = _texts(node)
            if len(texts) >= with_context + count:  # a text that is computed cannot be looked up
                wanted = texts[with_context : with_context + count]
                context = texts[0] if with_context else None
                yield tuple(wanted) if count > 1 else wanted[0], context


def _texts(call: ast.Call) -> list[str]:
    values = (argument.value for argument in call.args if isinstance(argument, ast.Constant))
    return [value for value in values if isinstance(value, str)]


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _bodies(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id]


def _counterpart(catalogue: Catalog, message: Message) -> Message | None:
    other = catalogue.get(message.id, message.context)
    return other if other is not None and _same_shape(other, message) else None


def _same_shape(one: Message, other: Message) -> bool:
    """Babel finds a message by its singular alone; the plural is part of it all the same."""
    return bool(one.id == other.id)


def ids(message: Message) -> tuple[str, ...]:
    return _tuple(message.id)


def strings(message: Message) -> tuple[str, ...]:
    return _tuple(message.string or "")


def _tuple(value: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _shown(message: Message) -> str:
    singular = ids(message)[0]
    return f"{singular} [{message.context}]" if message.context else singular
