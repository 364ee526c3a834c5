"""A receipt as its page shows it: what was seen on that day, for somebody who looks now."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from grounding import evidence
from grounding.access.readable import Readable
from grounding.consulting import PARTS
from grounding.models import Receipt
from grounding.pages import coverage_words
from grounding.retrieval import search
from grounding.retrieval.search import Source
from opspilot.presentation.formats import number_text
from opspilot.presentation.shapes import Fact, State

_TIMED: dict[str, Promise] = {
    "acesso": gettext_lazy("acesso em %(ms)s ms"),
    "preparo": gettext_lazy("preparo em %(ms)s ms"),
    "busca": gettext_lazy("busca em %(ms)s ms"),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """One of those seen, in the order it was given. Without a text it is gone, or not the reader's."""

    text: str
    title: str
    url: str
    version: int | None
    part: int | None
    gone: bool


@dataclass(frozen=True, slots=True)
class Shown:
    level: State
    level_word: str
    reasons: list[str]
    facts: list[Fact]
    passages: list[Passage]
    hidden: str


def shown(receipt: Receipt, readable: Collection[Readable]) -> Shown:
    """Passages of collections that the reader may not read now are counted, and no more."""
    ids = {one.id for one in readable}
    found = search.sources([item["trecho"] for item in receipt.passages])
    foreign = {pk for pk, source in found.items() if source.collection_id not in ids}
    drawn, word = coverage_words.level(receipt.coverage)
    return Shown(
        level=drawn,
        level_word=word,
        reasons=coverage_words.reasons(receipt.reasons),
        facts=_facts(receipt, readable),
        passages=[
            _passage(item, found.get(item["trecho"]))
            for item in receipt.passages
            if item["trecho"] not in foreign
        ],
        hidden=_hidden(len(foreign)),
    )


def _passage(item: Mapping[str, Any], source: Source | None) -> Passage:
    """What the database holds under the number is shown only while it is what was seen."""
    if source is None or source.sha256 != item["sha256"]:
        return Passage("", _("Trecho apagado"), "", None, None, gone=True)
    return Passage(
        source.text,
        source.title,
        evidence.passage_url(source),
        source.version_number,
        source.ordinal + 1,
        gone=False,
    )


def _facts(receipt: Receipt, readable: Collection[Readable]) -> list[Fact]:
    names = [one.name for one in readable if one.id in receipt.collections]
    rest = len(receipt.collections) - len(names)
    return [
        Fact(_("Probabilidade"), _number(receipt.probability), note=receipt.calibration),
        Fact(_("Coleções"), ", ".join(names) or _("nenhuma"), note=_others(rest)),
        Fact(_("Acessos"), _("nº %(number)s") % {"number": receipt.grants}, note=_refused(receipt)),
        Fact(_("Trechos pedidos"), str(receipt.top_k), note=_filters(receipt.filters)),
        Fact(_("Tempo"), _seconds(receipt.latency_ms), note=_parts(receipt.latency_ms)),
        Fact(
            _("Modelo da busca por sentido"),
            receipt.space or _("nenhum"),
            note=", ".join(receipt.chunkers),
        ),
        Fact(
            _("Pergunta"), receipt.query_hmac[:16], note=_("só a impressão; o texto não fica aqui")
        ),
    ]


def _hidden(count: int) -> str:
    if not count:
        return ""
    words = ngettext(
        "%(count)s trecho é de uma coleção que você não lê.",
        "%(count)s trechos são de coleções que você não lê.",
        count,
    )
    return words % {"count": count}


def _others(count: int) -> str:
    if not count:
        return ""
    words = ngettext("e %(count)s que você não lê", "e %(count)s que você não lê", count)
    return words % {"count": count}


def _refused(receipt: Receipt) -> str:
    if not receipt.not_granted:
        return ""
    words = ngettext(
        "%(count)s pedida e não concedida",
        "%(count)s pedidas e não concedidas",
        receipt.not_granted,
    )
    return words % {"count": receipt.not_granted}


def _filters(filters: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in filters.items())


def _parts(latency: Mapping[str, int]) -> str:
    """In the order they come; the database gives them back in another."""
    timed = (part for part in PARTS if part in latency)
    return ", ".join(str(_TIMED[part]) % {"ms": latency[part]} for part in timed)


def _seconds(latency: Mapping[str, int]) -> str:
    return f"{_number(sum(latency.values()) / 1000)} s"


def _number(value: float) -> str:
    return number_text(Decimal(str(round(value, 3))), language=get_language() or "pt-br")
