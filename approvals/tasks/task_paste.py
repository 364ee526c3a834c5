"""A command pasted where a question is asked: JSON, or `chave=valor` in lines or words.

Whatever has the form of a command is read as one and never as a question: a half of one would
otherwise be guessed at. A text that is neither stays a question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from approvals.tasks import task_command
from approvals.tasks.task_command import FIELDS, TaskCommand

WHY = "justificativa"
_KNOWN = frozenset({*FIELDS, "template"})
_FENCE = re.compile(r"```(?:json)?[ \t\r\n]+(.*?)```", re.DOTALL)
_JSON_NAME = re.compile(r"""["'](?:template_id|template|limit)["']\s*:""")
_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*"
_LINE = re.compile(rf"({_NAME})[ \t]*=(.*)")
_WORD = re.compile(rf"({_NAME})=(.*)", re.DOTALL)
_MORE = re.compile(rf"(?:^|[ \t]){_NAME}=")
# Only these are taken away around a value or between two: a wide space is part of what was given.
_BLANK = " \t\r\n"

Pair = tuple[str, object]


@dataclass(frozen=True, slots=True)
class Pasted:
    """`why` is the justification, when the command carries one."""

    command: TaskCommand
    why: str = ""


def read(text: str) -> Pasted | None:
    """The command in a pasted text; None for a question. Never raises."""
    fenced = _FENCE.fullmatch(text.strip(_BLANK))
    given = (fenced[1] if fenced else text).strip(_BLANK)
    if given[:1] in {"{", "["}:
        return _json(given)
    pairs, rest = _pairs(given)
    names = {name.lower() for name, _value in pairs}
    explicit = "limit" in names and not names.isdisjoint({"template", "template_id"})
    if names.isdisjoint(_KNOWN) or (rest and not explicit):
        return None
    return _command(pairs, odd=rest)


def _json(text: str) -> Pasted | None:
    repeated: list[str] = []

    def once(pairs: list[Pair]) -> dict[str, object]:
        names = [name for name, _value in pairs]
        repeated.extend(name for name in set(names) if names.count(name) > 1)
        return dict(pairs)

    try:
        found = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        is_ours = not {str(name).strip().lower() for name in found}.isdisjoint(_KNOWN)
        return _command(list(found.items()), odd=repeated) if is_ours else None
    broken = Pasted(TaskCommand(unreadable=(task_command.WHOLE,)))
    return broken if _JSON_NAME.search(text) else None


def _pairs(text: str) -> tuple[list[Pair], list[str]]:
    """Names and values, and the words that are neither."""
    lines = [line.strip(_BLANK) for line in text.split("\n") if line.strip(_BLANK)]
    by_line = [_LINE.fullmatch(line) for line in lines]
    if all(found and not _MORE.search(found[2]) for found in by_line):
        return [(found[1], found[2].strip(_BLANK)) for found in by_line if found], []
    whole = {line for line, found in zip(lines, by_line, strict=True) if found and _says_why(found)}
    rest = "\n".join(line for line in lines if line not in whole)
    parts = [part for part in re.split(f"[{_BLANK}]+", rest) if part]
    words = [(word, _WORD.fullmatch(word)) for word in parts]
    pairs: list[Pair] = [(found[1], found[2]) for _word, found in words if found]
    why = [(found[1], found[2].strip(_BLANK)) for found in by_line if found and _says_why(found)]
    return [*pairs, *why], [word for word, found in words if not found]


def _says_why(line: re.Match[str]) -> bool:
    """A reason on a line of its own keeps its blanks, also below a command in words."""
    return line[1] == WHY and not _MORE.search(line[2])


def _command(pairs: list[Pair], *, odd: Iterable[str]) -> Pasted:
    """What comes twice, and what is no field at all, is named in the command."""
    fields: dict[str, object] = {}
    unreadable = [word[:120] for word in odd]
    for name, value in pairs:
        if name in fields:
            unreadable.append(name)
        fields.setdefault(name, value)
    why = fields.pop(WHY, "")
    if not isinstance(why, str):
        unreadable.append(WHY)
    command = task_command.read(fields)
    noted = tuple(sorted({*command.unreadable, *unreadable}))
    return Pasted(replace(command, unreadable=noted), why if isinstance(why, str) else "")
