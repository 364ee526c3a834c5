"""The shelf of named queries: which ones a person may open, and when each was last asked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from audit.reports.catalogue import NAMED
from audit.reports.shapes import SQL, NamedQuery
from opspilot.errors import Text
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal, Role

_GROUPS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (_("Clientes e titulares"), ("historico-da-entidade", "quem-leu-o-que")),
    (
        _("Incidentes e revisão"),
        (
            "reconstrucao-da-rodada",
            "alcance-do-incidente",
            "acoes-irreversiveis",
            "recusas-e-nao-acoes",
            "politica-na-decisao",
            "erros-por-acao",
        ),
    ),
    (
        _("Custo e calibragem"),
        (
            "custo-por-agente-e-dia",
            "custo-por-resultado-util",
            "repasse-humano",
            "tempo-ate-decidir",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Line:
    slug: str
    url: str
    question: Text
    owner: Text
    version: int
    last: dt.datetime | None


def shelf(principal: Principal) -> list[tuple[Text, Sequence[Line]]]:
    """The queries this person may open, by subject; each line with its last time in this company."""
    last = {str(slug): at for slug, at in sql.rows(SQL / "last_readings.sql")}
    groups = [
        (name, [_line(NAMED[slug], last.get(slug)) for slug in slugs if _opens(principal, slug)])
        for name, slugs in _GROUPS
    ]
    return [(name, lines) for name, lines in groups if lines]


def _opens(principal: Principal, slug: str) -> bool:
    return principal.has(*NAMED[slug].roles)


def _line(query: NamedQuery, last: dt.datetime | None) -> Line:
    return Line(
        slug=query.slug,
        url=reverse("audit:query", args=[query.slug]),
        question=query.question,
        owner=Role(query.owner).label,
        version=query.version,
        last=last,
    )
