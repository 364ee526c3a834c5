"""What in a request is not the requester's own words: quotations, logs, mail, the output of a tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspilot.harness.planning.rules import words

_CLOSING = {
    '"': '"',
    "\u201c": "\u201d",
    "\u00ab": "\u00bb",
    "`": "`",
    "\u2018": "\u2019",
    "'": "'",
}
_FENCE = "```"
_LEVELS = words.those(
    "ERROR WARN WARNING FATAL CRITICAL CRIT INFO DEBUG TRACE SEVERE PANIC EMERG NOTICE ERR"
)
_MONTHS = words.those("jan feb fev mar apr abr may mai jun jul aug ago sep set oct out nov dec dez")
# A line that begins so was copied from a terminal, a log, a file or a letter.
_BEGINNINGS = (
    ">", "$ ", "# ", "traceback", "caused by", "file \"", "{", "|", "root@", "sudo ", "curl ",
    "exception in", "kernel:", "systemd[", "select * ", "<",
)  # fmt: skip
# From here on everything is a letter that was passed on.
_LETTERS = ("de: ", "from: ", "-----", "________", "begin forwarded", "fwd: ", "enc: ")
# What stands after one of these and a colon was said by somebody, or by something, else.
_CITING = words.those("""log logs saida output erro erros error errors mensagem message diz dizia disse dizendo says said
    saying stacktrace trace alerta alert trecho print escreveu wrote mandou retorno console runbook
    procedimento procedure pop documento document respondeu replied email e-mail mail evento event
    exception excecao resposta""")
_NEAR = 4  # words between the citing word and its colon


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int
    is_one_word: bool = False


def spans(text: str) -> list[Span]:
    """In order, and none inside another."""
    found = sorted([*_lines(text), *_quotes(text)], key=lambda span: (span.start, -span.end))
    return list(_apart(found))


def _apart(found: Iterable[Span]) -> Iterator[Span]:
    end = -1
    for span in found:
        if span.start >= end:
            yield span
        elif span.end > end:
            yield Span(end, span.end)
        end = max(end, span.end)


def _quotes(text: str) -> Iterator[Span]:
    last = {closing: text.rfind(closing) for closing in {*_CLOSING.values(), _FENCE}}
    at = 0
    while at < len(text):
        mark = _FENCE if text.startswith(_FENCE, at) else text[at]
        closing = _CLOSING.get(mark, mark)
        if last.get(closing, -1) > at and (mark == _FENCE or _opens(text, at)):
            end = text.find(closing, at + len(mark)) + len(closing)
            if end > at + len(mark):
                inside = text[at + len(mark) : end - len(closing)]
                yield Span(at, end, is_one_word=len(inside.split()) == 1)
                at = end
                continue
        at += 1


def _opens(text: str, at: int) -> bool:
    """An apostrophe inside a word opens nothing."""
    return text[at] in _CLOSING and (at == 0 or not text[at - 1].isalnum())


def _lines(text: str) -> Iterator[Span]:
    at, cited = 0, False
    for line in text.splitlines(keepends=True):
        plain = line.strip()
        if plain.lower().startswith(_LETTERS):
            yield Span(at, len(text))
            return
        begins = 0 if cited and plain else _begins(line)
        cited = (cited and bool(plain)) or _announces(plain)
        if begins is not None:
            yield Span(at + begins, at + len(line.rstrip("\n")))
        at += len(line)


def _announces(line: str) -> bool:
    """`Segue o log:` at the end of a line, with the log below it."""
    return line.endswith(":") and not _CITING.isdisjoint(_bare(line.split()[-_NEAR:]))


def _begins(line: str) -> int | None:
    """Where in the line the foreign text begins."""
    words = line.split()
    if not words:
        return None
    if line.strip().lower().startswith(_BEGINNINGS) or _is_of_a_machine(words):
        return 0
    return _after_a_level(line, words) if any(c.islower() for c in line) else _after_a_colon(line)


def _is_of_a_machine(words: list[str]) -> bool:
    first = words[0]
    tagged = first.startswith("[") and any(char.isdigit() for char in first)
    stacked = first == "at" and "(" in words[-1]
    return tagged or stacked or _is_dated(words) or _is_fault(first)


def _is_dated(words: list[str]) -> bool:
    first = words[0].strip("[]()")
    if first.lower() in _MONTHS and len(words) > 2 and words[1].isdecimal():
        return ":" in words[2]
    digits = sum(char.isdigit() for char in first)
    return digits >= 6 and any(char in first for char in ":-/") and _is_moment(first)


def _is_moment(word: str) -> bool:
    return all(char.isdigit() or char in ":-/.,TZ+" for char in word)


def _is_fault(word: str) -> bool:
    """`java.net.SocketTimeoutException:`"""
    return word.rstrip(":").endswith(("Exception", "Error")) and (":" in word or "." in word)


def _after_a_level(line: str, words: list[str]) -> int | None:
    for number, word in enumerate(words):
        if word.strip("[]():|,") in _LEVELS:
            return 0 if number < 3 else line.index(word)
    return _after_a_colon(line)


def _after_a_colon(line: str) -> int | None:
    at = -1
    while (at := line.find(":", at + 1)) >= 0:
        spoken = line[max(at - 60, 0) : at].split()[-_NEAR:]
        if line[at + 1 : at + 2] in {" ", '"'} and not _CITING.isdisjoint(_bare(spoken)):
            return at + 1
    return None


def _bare(words: list[str]) -> list[str]:
    return [
        word.strip(",.:;\"'()").lower().replace("\u00ed", "i").replace("\u00e7\u00e3", "ca")
        for word in words
    ]
