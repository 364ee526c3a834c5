"""What an issue is about: the part of a request behind `sobre`, a colon or a title, or around it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from opspilot.harness.planning.port import Vocabulary
from opspilot.harness.planning.rules import names, words
from opspilot.harness.planning.rules.moods import Command
from opspilot.harness.planning.rules.text import Kind, Reading, Sentence, Token

PROJECTS: Final = words.those("projeto project repo repositorio repository quadro board")
LABELS: Final = words.those("""etiqueta etiquetas label labels rotulo rotulos tag tags labeled labelled tagged etiquetada
    etiquetado marcador marcadores etiquetar etiquete""")
ASSIGNING: Final = words.those("""atribua atribui atribuir atribuida atribuido atribuindo assign assigned assignee assignees
    assigning designe designar""")
NOBODY: Final = words.NEGATIONS | words.those("nobody ninguem no not none nenhum yet")
RESPONSIBLE: Final = words.those("responsavel responsaveis")
TO: Final = words.those("para pra pro p/ ao a to for cc")
IN: Final = words.those("em no na in on to into pro under")
BETWEEN: Final = words.those("e and o a as os com como de the with s both also tambem it them")
SIGNS: Final = frozenset(",:=\"'()")
_TITLES = words.those("titulo title titled assunto subject")
STRONG: Final = _TITLES | words.those("""sobre about regarding referente relatando informando dizendo saying that porque because
    describing reportando relativo concerning explicando descrevendo pedindo asking""")
_DESCRIPTIONS = words.those("descricao description detalhes details corpo body")
_WEAK = words.those("para pra to for que com")
_FIELDS = PROJECTS | LABELS | ASSIGNING | RESPONSIBLE
_COLONS = frozenset(":\u2013\u2014-")
_MAX_TITLE = 120
_NEAR = 3
_QUOTES = " \t\r\n\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"
_AROUND = " \t\r\n,.;:-\u2013\u2014\"'`\u201c\u201d"


@dataclass(frozen=True, slots=True)
class Topic:
    """`start`: where in the request it begins; behind the request where it is about nothing."""

    title: str
    description: str
    start: int


def find(reading: Reading, command: Command, noun_at: int, vocabulary: Vocabulary) -> Topic:
    sentence = reading.sentences[command.sentence]
    known = _Known(vocabulary)
    at = _begins(sentence.tokens, noun_at + 1, known)
    if at is not None:
        return _topic(reading, sentence, at)
    return _titled(reading) or _elsewhere(reading, command)


class _Known:
    """The names that say where and for whom, and not what about."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        every = (*vocabulary.projects, *vocabulary.labels, *vocabulary.assignees)
        self.names = every

    def at(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether one of them, or a word that announces one, is the next that counts."""
        skipped = words.ARTICLES | words.OF | words.PLACES | BETWEEN
        while at < len(tokens) and tokens[at].folded in skipped:
            at += 1
        is_field = at < len(tokens) and tokens[at].folded in _FIELDS
        return is_field or any(one.at == 0 for one in names.find(tokens[at : at + 4], self.names))


def _begins(tokens: Sequence[Token], first: int, known: _Known) -> int | None:
    """The place of the first word of the topic, in the sentence of the command."""
    comma: int | None = None
    for at in range(first, len(tokens)):
        token = tokens[at]
        if token.kind is Kind.QUOTED:
            return at
        if token.is_word and token.folded in STRONG:
            return _after(tokens, at + 1)
        is_colon = token.folded in _COLONS and not _is_field(tokens, at - 1)
        weak = token.is_word and token.folded in _WEAK
        if (is_colon or weak) and not known.at(tokens, at + 1):
            return _after(tokens, at + 1)
        if token.folded == "," and comma is None and not known.at(tokens, at + 1):
            comma = at + 1
    return comma if comma is not None and comma < len(tokens) else None


def _after(tokens: Sequence[Token], at: int) -> int | None:
    small = words.OF | {"a", "ao", "o", "the", ":", "="} | _TITLES | {"que", "respeito"}
    start = at
    while at < len(tokens) and tokens[at].folded in small:
        at += 1
    if at < len(tokens):
        return at if tokens[at].kind is Kind.QUOTED or at - start > 1 else start
    return None


def _is_field(tokens: Sequence[Token], at: int) -> bool:
    return at >= 0 and tokens[at].folded in _FIELDS


def _topic(reading: Reading, sentence: Sentence, at: int) -> Topic:
    tokens = sentence.tokens
    quoted = tokens[at].kind is Kind.QUOTED
    ends = _ends_quotation if quoted else _ends
    end = next((i for i in range(at + 1, len(tokens)) if ends(tokens, i)), len(tokens))
    start = tokens[at].start
    title = _line(reading.text[start : tokens[end - 1].end])
    before, behind = reading.text[: sentence.start], reading.text[start:]
    return Topic(title, described(reading) or _joined(before, behind), start)


def described(reading: Reading) -> str:
    """Behind `descrição`: what is quoted there, or the line behind its colon."""
    at = described_at(reading)
    if at is None:
        return ""
    tokens = [t for one in reading.sentences for t in one.tokens if t.start > at][1:]
    if tokens and tokens[0].kind is Kind.QUOTED:
        end = next((i for i in range(len(tokens)) if _ends_quotation(tokens, i)), len(tokens))
        return reading.text[tokens[0].start : tokens[end - 1].end].strip(_QUOTES)
    return reading.text[at:].partition(":")[2].partition("\n")[0].strip()


def described_at(reading: Reading) -> int | None:
    """Where the word stands that a description is behind."""
    for sentence in reading.sentences:
        for token, following in itertools.pairwise(sentence.tokens):
            is_announced = following.folded == ":" or following.kind is Kind.QUOTED
            if token.is_word and token.folded in _DESCRIPTIONS and is_announced:
                return token.start - 1
    return None


def _ends_quotation(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].kind is not Kind.QUOTED


def _ends(tokens: Sequence[Token], at: int) -> bool:
    """Before `, etiqueta …`, `e atribua …`, `with label …`."""
    token = tokens[at]
    if token.kind is Kind.QUOTED:
        return False
    breaks = token.folded in words.BREAKS or token.folded in {"e", "and", "com", "with"}
    near = tokens[at + 1 : at + 1 + _NEAR]
    return breaks and any(
        one.folded in _FIELDS | _DESCRIPTIONS or "::" in one.folded for one in near
    )


def _titled(reading: Reading) -> Topic | None:
    """`Título: …` on a line of its own."""
    for sentence in reading.sentences:
        first = sentence.tokens[0]
        if first.is_word and first.folded in _TITLES and len(sentence.tokens) > 1:
            at = _after(sentence.tokens, 1)
            return _topic(reading, sentence, at) if at is not None else None
    return None


def _elsewhere(reading: Reading, command: Command) -> Topic:
    """The sentences beside the command: what happened, said before or behind it."""
    others = [
        sentence
        for number, sentence in enumerate(reading.sentences)
        if number != command.sentence and not _is_small(sentence)
    ]
    if not others:
        return Topic("", "", len(reading.text))
    title = _line(reading.text[others[0].start : others[0].end])
    text = "\n".join(reading.text[one.start : one.end] for one in others)
    return Topic(title, text, len(reading.text))


def _is_small(sentence: Sentence) -> bool:
    """A greeting, thanks, or a field of the issue."""
    said = [token.folded for token in sentence.tokens if token.kind is not Kind.MARK]
    small = words.OPENING | words.FILLERS | words.POLITE
    return not said or said[0] in _FIELDS or all(word in small for word in said)


def _line(text: str) -> str:
    """The first line, cut at a word."""
    line = next((one for one in text.split("\n") if one.strip(_AROUND)), "").strip(_AROUND)
    if len(line) <= _MAX_TITLE:
        return line
    return line[:_MAX_TITLE].rpartition(" ")[0] or line[:_MAX_TITLE]


def _joined(*parts: str) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip(_AROUND))
