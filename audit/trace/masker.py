"""Takes everybody else out of the rows about one customer.

What is left of others is a word for what they were: `[terceiro]` for another customer, `[pessoa]` for
somebody of the company, a role for who approved. It errs on the side of masking: an id in a text that
is not this customer's own is somebody else's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from audit.masking import mask_whole
from audit.trace.phrases import Phrases

OTHER = "[terceiro]"
PERSON = "[pessoa]"
# Whatever a writer has between the groups: any dash, a space, what cannot be seen, an escape of those.
_DASH = (
    r"(?:[-\s_\u00ad\u2010-\u2015\u200b-\u200f\u2060\u2212\ufe58\ufe63\ufeff\uff0d]"
    r"|%(?:2[Dd]|20|[Ee]2%80%9[0-5]))"
)
_DASHES = re.compile(_DASH)
_GROUP = rf"{_DASH}{{0,3}}[0-9a-fA-F]{{4}}"
_UUID = re.compile(
    rf"(?:(?<![0-9a-fA-F])|(?<=%[0-9a-fA-F][0-9a-fA-F]))[0-9a-fA-F]{{8}}{_GROUP * 3}"
    rf"{_DASH}{{0,3}}[0-9a-fA-F]{{12}}(?![0-9a-fA-F])"
)
_SUBJECT = re.compile(r"\(?usuario:\s*\d+\)?")
_SIGNED = re.compile(r"[^()]{1,120} \(usuario:\d+\)")
# How a registry title shows a document: only the middle of it, which is still somebody's.
_MASKED_DOCUMENT = re.compile(
    r"(?:CPF\s+|CNPJ\s+)?(?:\*{3}\.\d{3}\.\d{3}"
    rf"{_DASH}{{0,3}}\*\*|\*\*\.[0-9A-Z]{{3}}\.[0-9A-Z]{{3}}/\*{{4}}{_DASH}{{0,3}}\*\*)"
)
# The database's and the vocabulary's own words: nobody writes freely in them.
_FIXED = frozenset({
    "id", "tenant_id", "ocorrido_em", "informado_em", "acao", "resultado", "autorizacao",
    "entidade_tipo", "entidade_id",
})  # fmt: skip
# Ids of requests and runs. They mean nobody, unless a caller chose a customer's id for one.
_IDS = frozenset({"correlacao_id", "request_id", "trace_id", "instrucao_hash"})
_HOLDS_WORDS = frozenset({str, dict, list})
_ROLES = {"previa": "admin"}
MOST_KEPT = 5_000


@dataclass(frozen=True, slots=True)
class Own:
    """What may be read of the customer whose trace it is."""

    ids: frozenset[str]
    titles: frozenset[str] = frozenset()


class Masker:
    def __init__(self, own: Own, *, people: Phrases, others: Phrases) -> None:
        self._ids = frozenset(plain(ref) for ref in own.ids)
        self._titles = own.titles
        self._people = people
        self._others = others
        self._known: dict[str, str] = {}

    def row(self, row: dict[str, Any], registered: frozenset[str]) -> list[str]:
        """Masks the row in place and names the columns that lost something. `registered` are the ids
        of it, as `plain` has them, that are somebody's in the registry."""
        foreign, run = registered - self._ids, plain(str(row["correlacao_id"]))
        own_run = "" if run in foreign else run
        changed = []
        for column, value in row.items():
            if type(value) not in _HOLDS_WORDS or column in _FIXED:
                continue
            if column in _IDS:
                if not foreign:
                    continue
                new = OTHER if any(ref in foreign for ref in ids_in(value)) else value
            elif column == "aprovado_por":
                new = approvers(str(value), str(row["autorizacao"]))
            else:
                new = self._value(value, own_run)
            if new != value:
                row[column] = new
                changed.append(column)
        return changed

    def words(self, text: str | None) -> str:
        """A text that stands outside its row: also the run's own id is left out."""
        return self._text(text, "") if text else ""

    def _value(self, value: Any, run: str) -> Any:
        """`run` is the id that may stand in the words: the row's own."""
        if isinstance(value, dict):
            return {self._text(key, run): self._value(item, run) for key, item in value.items()}
        if isinstance(value, list):
            return [self._value(item, run) for item in value]
        return self._text(value, run) if type(value) is str else value

    def _text(self, text: str, run: str) -> str:
        """Texts repeat: codes, signatures, titles. A row's own run may stand in its words."""
        key = f"{run} {text}" if run[:8] in text.lower() else text
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            found = self._known[key] = self._masked(text, run)
        return found

    def _masked(self, text: str, run: str) -> str:
        if text.endswith(")") and _SIGNED.fullmatch(text):
            return PERSON
        allowed = self._ids | {run}
        text = _UUID.sub(lambda m: m[0] if plain(m[0]) in allowed else OTHER, text)
        if "*" in text:
            text = _MASKED_DOCUMENT.sub(lambda m: m[0] if self._is_own(m[0]) else OTHER, text)
        text = self._others.replaced(text, OTHER)
        text = _SUBJECT.sub(PERSON, self._people.replaced(text, PERSON))
        return mask_whole(text)

    def _is_own(self, shown: str) -> bool:
        bare = plain(shown)
        return any(plain(title).endswith(bare) for title in self._titles)


def approvers(signed: str, authorization: str) -> str:
    """One role for each signature: who decided is said, and not by name."""
    role = _ROLES.get(authorization, "aprovador")
    return ", ".join([role] * max(1, len(_SUBJECT.findall(signed))))


def ids_in(value: Any) -> list[str]:
    return _ids_in(str(value))


@lru_cache(maxsize=1024)
def _ids_in(text: str) -> list[str]:
    """Hashes of rules come in every row, and the id of a run in several."""
    return [plain(found) for found in _UUID.findall(text)]


def loose_ids(row: dict[str, Any]) -> set[str]:
    """The ids of a row that stand where only a caller's choice could make them a customer's."""
    return {ref for column in _IDS for ref in ids_in(row.get(column) or "")}


def plain(ref: str | UUID) -> str:
    return _DASHES.sub("", str(ref)).lower()
