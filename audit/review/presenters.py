"""The rows of a sample as a reviewer reads them: each text as it is stored."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.forms import BoundField
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from audit.guard.kinds import Kind
from audit.models import AgenteAcao, TrailReview
from audit.review.forms import MarksForm
from audit.vocabulary import ACTIONS
from opspilot.presentation.formats import moment_text, zone_text

_FIELDS: tuple[tuple[str, str | Promise], ...] = (
    ("agente", _("Agente")),
    ("entrada_resumo", _("Entrada")),
    ("saida_resumo", _("Saída")),
    ("erro", _("Erro")),
    ("aprovado_por", _("Aprovado por")),
    ("reversao_ref", _("Reversão")),
    ("fontes", _("Fontes")),
)
FIELD_WORDS = dict(_FIELDS) | {"modelo": _("Modelo"), "agente_versao": _("Versão do agente")}


@dataclass(frozen=True, slots=True)
class Line:
    id: int
    title: str
    at: dt.datetime
    texts: list[tuple[str, str]]
    kind: BoundField | None
    term: BoundField | None
    found: str


def lines(rows: Sequence[AgenteAcao], form: MarksForm | None, found: dict[int, Kind]) -> list[Line]:
    """With the fields to fill in, or with what was found when the review is over."""
    return [
        Line(
            id=row.id,
            title=str(ACTIONS[row.acao].words) if row.acao in ACTIONS else row.acao,
            at=row.ocorrido_em,
            texts=[(str(label), text) for name, label in _FIELDS if (text := _text(row, name))],
            kind=form[f"tipo_{row.id}"] if form else None,
            term=form[f"termo_{row.id}"] if form else None,
            found=str(found[row.id].label) if row.id in found else "",
        )
        for row in rows
    ]


def span(review: TrailReview) -> str:
    """From when to when the sample was drawn, by the clock that its days are of, which is named."""
    zone, language = timezone.get_default_timezone(), get_language() or "pt-br"
    since, until = review.since.astimezone(zone), review.until.astimezone(zone)
    return str(
        _("De %(since)s até %(until)s. %(zone)s")
        % {
            "since": moment_text(since, language=language),
            "until": moment_text(until, language=language),
            "zone": zone_text(until, timezone.get_default_timezone_name(), language=language),
        }
    )


def field_words(name: str) -> str:
    return str(FIELD_WORDS.get(name, name))


def _text(row: AgenteAcao, name: str) -> str:
    value = getattr(row, name)
    if not value:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
