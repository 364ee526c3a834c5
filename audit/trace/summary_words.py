"""What the summary says: totals, and the first stories.

A document of the company: Portuguese whoever asked for it, so its own sentences are not translated.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from zoneinfo import ZoneInfo

from django.utils.translation import override

from audit import wording
from audit.models import Trace
from audit.trace.manifest import Facts
from audit.trace.reading import MOST_STORIES, Told, Total
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.presentation.formats import money_text, number_text, without_ids

LANGUAGE = "pt-br"
MOST_SAID = 160  # characters of a row's own words: the whole text is in the files of rows
TITLE = "Rastro de um cliente"
TOTALS_HEAD = ("Ação", "Resultado", "Autorização", "Linhas")
STORIES_TITLE = "Histórias, da mais antiga à mais nova"
MASKED = (
    "Outras pessoas e outros clientes foram retirados: quem decidiu aparece pelo papel, e o que era "
    "de outro cliente aparece como [terceiro]."
)
_READINGS = "Quem leu este histórico está só nas linhas."


@dataclass(frozen=True, slots=True)
class Story:
    title: str
    lines: list[str]


@dataclass(frozen=True, slots=True)
class Words:
    """Every text that depends on the trace, so that drawing the summary is only drawing."""

    facts: list[tuple[str, str]]
    sentence: str
    totals: list[list[str]]
    cost: str
    note: str
    stories: list[Story]


def words(trace: Trace, found: Facts, zone: ZoneInfo) -> Words:
    with override(LANGUAGE):
        return Words(
            facts=_facts(trace, found, zone),
            sentence=_sentence(trace, found, zone),
            totals=[_total(total) for total in found.totals],
            cost=_cost(found.totals),
            note=_note(found),
            stories=list(_stories(found.stories, zone)),
        )


def _facts(trace: Trace, found: Facts, zone: ZoneInfo) -> list[tuple[str, str]]:
    since = _month(dt.datetime.fromisoformat(found.since)) if found.since else ""
    return [
        ("Empresa", found.tenant_name),
        ("Cliente", found.title),
        ("Identificador interno", ", ".join(found.ids)),
        ("Período", f"até {_moment(trace.until, zone)}"),
        ("Cobertura", f"a trilha guarda desde {since}" if since else "a trilha não tem meses"),
        ("Meses que expiraram", ", ".join(str(gone["mes"]) for gone in found.expired) or "nenhum"),
        ("Horários", zone.key),
        ("Pedido", str(trace.ref)),
        ("Pedido por", f"papel: {trace.asked_role}"),
    ]


def _sentence(trace: Trace, found: Facts, zone: ZoneInfo) -> str:
    if found.first is None or found.last is None:
        return (
            f"Nenhum registro deste cliente até {_moment(trace.until, zone)}. Nada foi preparado, "
            "decidido ou executado sobre ele no período que a trilha cobre."
        )
    rows = _count(found.rows, "linha", "linhas")
    stories = _count(found.story_count, "história", "histórias")
    return f"{rows}, em {stories}, de {_moment(found.first, zone)} a {_moment(found.last, zone)}."


def _total(total: Total) -> list[str]:
    return [
        wording.action(total.action, total.result),
        wording.result(total.action, total.result),
        str(Authorization(total.authorization).label),
        _number(total.rows),
    ]


def _cost(totals: Sequence[Total]) -> str:
    known = sum((total.cost for total in totals if total.cost is not None), Decimal())
    amount = money_text(known, language=LANGUAGE)
    if not (unknown := sum(total.unknown_costs for total in totals)):
        return f"Custo: {amount}."
    rows = _count(unknown, "linha não informou", "linhas não informaram")
    return f"Custo: pelo menos {amount}; {rows} o seu."


def _note(found: Facts) -> str:
    if found.story_count <= MOST_STORIES:
        return (
            "Todas as histórias estão aqui; as linhas inteiras, em linhas.json e linhas.csv. "
            f"{_READINGS}"
        )
    return (
        f"Só as primeiras {MOST_STORIES} de {_number(found.story_count)} histórias estão aqui; todas "
        f"as linhas estão em linhas.json e linhas.csv. {_READINGS}"
    )


def _stories(told: Sequence[Told], zone: ZoneInfo) -> Iterator[Story]:
    for number, (_run, group) in enumerate(groupby(told, key=lambda line: line.run), start=1):
        lines = list(group)
        said = [_line(line, zone) for line in lines]
        if (more := lines[0].of_story - len(lines)) > 0:
            said.append(f"e mais {_count(more, 'linha', 'linhas')}")
        yield Story(f"{number}. {_done(lines)} · {_moment(lines[0].at, zone)}", said)


def _done(lines: Sequence[Told]) -> str:
    """What the story came to: its last effect, or its last row where nothing was done."""
    effects = [
        line
        for line in lines
        if line.action in ACTIONS and ACTIONS[line.action].effect and line.result != Result.PENDENTE
    ]
    last = (effects or lines)[-1]
    words = wording.action(last.action, last.result, last.said)
    return f"{words}: {wording.result(last.action, last.result, last.said)}"


def _line(line: Told, zone: ZoneInfo) -> str:
    said = [
        f"{line.at.astimezone(zone):%d/%m %H:%M:%S}",
        wording.action(line.action, line.result, line.said),
        wording.result(line.action, line.result, line.said),
        str(Authorization(line.authorization).label),
        _short(wording.reason(without_ids(line.said or ""))),
    ]
    return " · ".join(part for part in said if part)


def _short(text: str) -> str:
    return text if len(text) <= MOST_SAID else f"{text[: MOST_SAID - 1]}…"


def _moment(at: dt.datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%d/%m/%Y %H:%M:%S}"


def _month(at: dt.datetime) -> str:
    """Months of the trail are of UTC, whatever the company's zone."""
    return f"{at.astimezone(dt.UTC):%m/%Y}"


def _count(number: int, one: str, many: str) -> str:
    return f"{_number(number)} {one if number == 1 else many}"


def _number(number: int) -> str:
    return number_text(number, language=LANGUAGE)
