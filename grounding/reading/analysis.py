"""Words of questions and documents as search terms: one function folds both sides."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import snowballstemmer

from grounding.reading.aims import Aim, aim
from grounding.reading.stopwords import DROPPED, ENGLISH, PORTUGUESE

Language = Literal["pt", "en"]
MAX_TERM = 64
MAX_QUESTION = 4_000
RARE_LOG_TERMS = 14

_TOKEN = re.compile(r"(?<![\w-])--?[^\W\d_][\w-]*|\w+(?:[./:_@\\-]+\w+)*")
_CAMEL_GAP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Not host names, paths, addresses or versions: operators name theirs, and no runbook has them.
_NAME = re.compile(
    r"[^\W_]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2})[^\W_]*|[a-z]\w*_\w+|[A-Z]{2,}-\d{3,}"
)
_NOT_A_WORD = re.compile(r"[\W_]+")
_ACCENTED = re.compile("[ãõçáéíóúâêôà]")
_MACHINE = re.compile(
    r"""^\W*(?:
        [IWEF]\d{4}\s                                    # glog
      | \d{4}[-/]\d\d[-/]\d\d | \d\d:\d\d:\d\d | \d{10,}[.\s]   # a date, a time, an epoch
      | (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\s+\d{1,2}\s+\d\d:\d\d
      | (?:trace|debug|info|notice|warn|warning|error|err|fatal|panic|critical)\b\s*[\]:=|]
      | audit\b.*[:=] | traceback\s | file\s".*line\s\d | at\s[\w.$<>]+\( | caused\sby:
      | "?\w+"?\s*:\s*["{\[]                            # JSON
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_PAIR = re.compile(r"(?<!\S)[\w.]+=\S")
_ERROR = re.compile(
    r"""^[EF]\d{4}\s | \b(?:error|err|fatal|fail\w*|panic|critical|exception|denied|refused
    |forbidden|cannot|could\snot|unable|timeout|timed\sout|degraded|erro|falh\w+)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_MESSAGE = re.compile(r'\b(?:msg|message|error|err)="((?:[^"\\]|\\.)*)"')
_LOG_LINE = 200
_ONLY_PORTUGUESE = (PORTUGUESE | {"não", "nao", "nunca", "sem"}) - ENGLISH
_ONLY_ENGLISH = (ENGLISH | {"not", "never", "without"}) - PORTUGUESE
_stemmers = threading.local()


@dataclass(frozen=True, slots=True)
class Question:
    """A question as typed, apart from the log that was pasted with it."""

    prose: str
    log: tuple[str, ...] = ()

    def dense(self, prose: str | None = None) -> str:
        """What is embedded: the prose (or its translation) and the last errors without numbers."""
        errors = [line for line in self.log if _ERROR.search(line)] or list(self.log)
        last = list(dict.fromkeys(map(_message, errors)))[-2:]
        kept = [self.prose if prose is None else prose, *last]
        return "\n".join(line for line in kept if line)


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """`terms` ask the lexical leg; `own` and `english` are what coverage is measured on.

    `language` is None where the words do not tell. `words` and `english_words` are the prose in
    order, for who is whose neighbour.
    """

    language: Language | None
    own: tuple[str, ...]
    english: tuple[str, ...]
    log: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    aim: Aim = "fact"
    words: tuple[str, ...] = ()
    english_words: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.own, *self.english, *self.log)))

    @classmethod
    def of(cls, question: Question, *, english: str = "") -> QueryTerms:
        """`english` is the prose in English, where a translator made it."""
        kind = told_language(question.prose)
        own = terms(question.prose, languages=(kind,) if kind else ("pt", "en"))
        translated = terms(english or question.prose, languages=("en",))
        log = _log_terms(question.log)
        names = identifiers(question.prose)
        return cls(
            language=kind,
            own=tuple(own),
            english=tuple(translated),
            log=tuple(log),
            identifiers=tuple(names),
            aim=aim(question.prose),
            words=tuple(sequence(question.prose, kind or "pt")),
            english_words=tuple(sequence(english or question.prose, "en")),
        )

    def with_rarest_log_terms(self, document_frequency: Mapping[str, int]) -> QueryTerms:
        """Of a pasted log only the rarest words that the corpus knows; error lines win ties."""
        known = [term for term in self.log if document_frequency.get(term)]
        known.sort(key=lambda term: document_frequency[term])
        return replace(self, log=tuple(known[:RARE_LOG_TERMS]))


def fold(text: str) -> str:
    """Lower case without accents: the one folding for index and question."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def language(text: str) -> Language:
    """Of a document: one whose words do not tell counts as English."""
    return told_language(text) or "en"


def stored(language: str) -> Language:
    """Of a document, as its column says it."""
    return "pt" if language == "pt" else "en"


def told_language(text: str) -> Language | None:
    """By function words, accents breaking a tie; None where there are neither."""
    words = _NOT_A_WORD.split(text.lower())
    portuguese = sum(word in _ONLY_PORTUGUESE for word in words)
    english = sum(word in _ONLY_ENGLISH for word in words)
    if portuguese == english:
        return "pt" if _ACCENTED.search(text.lower()) else None
    return "pt" if portuguese > english else "en"


def terms(text: str, *, languages: Iterable[Language]) -> list[str]:
    """Search terms, each once, in the order of the text."""
    kinds = tuple(languages)
    return list(dict.fromkeys(term for token in _tokens(text) for term in _terms(token, kinds)))


def sequence(text: str, kind: Language) -> list[str]:
    """The text's terms as they stand, one a word: who is whose neighbour."""
    kinds = (kind,)
    return [found[-1] for token in _tokens(text) if (found := _terms(token, kinds))]


def identifiers(text: str) -> list[str]:
    """Names of alerts and metrics, and error codes: found as whole terms, each once."""
    names = (token for token in _tokens(text) if _NAME.fullmatch(token))
    return list(dict.fromkeys(fold(name) for name in names if 1 < len(name) <= MAX_TERM))


def frequencies(text: str, kind: Language) -> dict[str, int]:
    """How often each term occurs: what the index keeps of a chunk."""
    return dict(Counter(term for token in _tokens(text) for term in _terms(token, (kind,))))


def reduce_pasted_log(text: str) -> Question:
    """Parts the lines a person wrote from those a machine did; `MAX_QUESTION` characters of each.

    Of a longer log the end is kept: what broke tends to be there.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    machine = [len(lines) > 1 and _is_machine_line(line) for line in lines]
    prose = [line for line, made in zip(lines, machine, strict=True) if not made]
    log = "\n".join(line for line, made in zip(lines, machine, strict=True) if made)
    return Question("\n".join(prose)[:MAX_QUESTION], tuple(log[-MAX_QUESTION:].splitlines()))


def _is_machine_line(line: str) -> bool:
    return bool(_MACHINE.match(line)) or len(_PAIR.findall(line)) > 1


def _message(line: str) -> str:
    """What a log line says, without its times, numbers and keys."""
    quoted = _MESSAGE.findall(line)
    words = " ".join(quoted or [line]).replace("\\", "").split()
    plain = [word.rpartition("=")[2] for word in words if not any(c.isdigit() for c in word)]
    return " ".join(plain)[:_LOG_LINE]


def _log_terms(log: tuple[str, ...]) -> list[str]:
    """Errors first; without host names, ids and times, which no runbook holds."""
    ordered = sorted(log, key=lambda line: not _ERROR.search(line))
    return terms("\n".join(ordered), languages=("en",))


def _tokens(text: str) -> list[str]:
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFC", text))
    return found


@lru_cache(maxsize=20_000)  # a text says most of its words more than once
def _terms(token: str, kinds: tuple[Language, ...]) -> tuple[str, ...]:
    """An identifier gives itself and the stems of its parts; a plain word gives its stems."""
    return tuple(_made_terms(token, kinds))


def _made_terms(token: str, kinds: tuple[Language, ...]) -> Iterator[str]:
    parts = [part for part in _parts(token) if part]
    whole = fold(token)
    if parts != [token] and 1 < len(whole) <= MAX_TERM:
        yield whole
    for part in parts:
        word = fold(part)
        if _is_kept(part.lower(), word):
            yield from dict.fromkeys(_stem(word, kind) for kind in kinds)


def _is_kept(typed: str, word: str) -> bool:
    # Stop words are looked up as typed: "nó" (node) is not "no" (in the).
    return typed not in DROPPED and 1 < len(word) <= MAX_TERM


def _parts(token: str) -> list[str]:
    return [part for piece in _NOT_A_WORD.split(token) for part in _CAMEL_GAP.split(piece)]


@lru_cache(maxsize=20_000)  # runbooks repeat their words; stemming was half of publishing
def _stem(word: str, kind: Language) -> str:
    if any(character.isdigit() for character in word):
        return word
    if kind == "pt" and word.endswith("oes"):
        # Without its accent the stemmer keeps "operacoes" and "operacao" apart.
        word = word[:-3] + "ao"
    return _stemmer(kind).stemWord(word) or word


def _stemmer(kind: Language) -> snowballstemmer.stemmer:
    """One a thread: a stemmer keeps the word it works on in itself."""
    if not hasattr(_stemmers, kind):
        name = "portuguese" if kind == "pt" else "english"
        setattr(_stemmers, kind, snowballstemmer.stemmer(name))
    return getattr(_stemmers, kind)
