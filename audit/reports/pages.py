"""What the pages of the queries show: context of the templates, made from plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from audit.forms import LookupForm
from audit.reports import parameters, screen
from audit.reports.formats import FORMATS, Written
from audit.reports.kinds import EntityParameter
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery, Page
from opspilot.errors import Text
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import PACK_ASKERS, RETENTION_READERS, SEAL_READERS, TRAIL_REVIEWERS

Context = dict[str, Any]
_HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Way:
    url: str
    title: Text
    sub: Text


def ways(principal: Principal) -> list[Way]:
    """Where the trail's first page leads."""
    found = [
        Way(
            reverse("audit:queries"),
            _("Consultas prontas"),
            _("Perguntas com resposta em segundos: custo, recusas, alcance de um incidente."),
        ),
        Way(
            reverse("audit:recent"),
            _("Últimas rodadas"),
            _("O que aconteceu por último, da pergunta ao efeito."),
        ),
    ]
    if principal.has(*SEAL_READERS):
        seal = _("Se o que foi escrito está como foi selado, e a cabeça para guardar fora daqui.")
        found.append(Way(reverse("audit:integrity"), _("Integridade da trilha"), seal))
    if principal.has(*PACK_ASKERS):
        drawn = _(
            "Efeitos sorteados de um trimestre, cada um com a sua prova, em um arquivo assinado."
        )
        found.append(Way(reverse("packs:index"), _("Amostras de prova"), drawn))
    if principal.has(*TRAIL_REVIEWERS):
        sample = _("Cem linhas sorteadas, para achar o que não deveria estar na trilha.")
        found.append(Way(reverse("audit:reviews"), _("Revisão da trilha"), sample))
    if principal.has(*RETENTION_READERS):
        kept = _("Por quanto tempo os registros ficam, o que fica além disso e o que já foi.")
        found.append(Way(reverse("audit:retention"), _("Retenção da trilha"), kept))
    return found


def blank(query: NamedQuery) -> Context:
    return _around(query) | {"form": parameters.blank_form(query)}


def refused(
    query: NamedQuery, raw: Mapping[str, str], faults: Mapping[str, Sequence[str]]
) -> Context:
    return _around(query, raw) | {"form": parameters.filled_form(query, raw, faults)}


def answered(query: NamedQuery, bound: Bound, page: Page, *, address: str) -> Context:
    again = parameters.without_end(bound.address)
    files = [
        {
            "label": kind.label,
            "url": _url("audit:query_export", bound.slug, bound.fixed_string, kind.slug),
        }
        for kind in FORMATS.values()
    ]
    return _around(query, bound.address) | {
        "form": parameters.filled_form(query, bound.address),
        "bound": bound,
        "table": screen.table(query, page) if page.rows else None,
        "covered": screen.covered(page.coverage),
        "whole": page.coverage.complete,
        "nothing": "" if page.rows else screen.nothing_found(bound, page.coverage),
        "files": files,
        "proof_url": _url("audit:query_proof", bound.slug, bound.fixed_string),
        "save_url": _url("audit:saved_start", bound.slug, urlencode(again)),
        "address": address,
        "next_url": _next(query, bound, page.next_cursor),
    }


def proved(query: NamedQuery, bound: Bound, result: Written, *, kept: str) -> Context:
    return {
        "query": query,
        "bound": bound,
        "result": result,
        "zone": screen.zone(),
        "kept": kept,
        "is_hash": bool(_HASH.fullmatch(kept)),
        "same": kept == result.sha256,
        "back_url": address(query, bound.fixed),
        "fields": list(bound.fixed.items()),
    }


def address(query: NamedQuery, raw: Mapping[str, str]) -> str:
    return f"{reverse('audit:query', args=[query.slug])}?{urlencode(raw)}"


def _around(query: NamedQuery, raw: Mapping[str, str] | None = None) -> Context:
    """What every page of a query has, also one that was refused."""
    by_document = reverse("audit:query_by_document", args=[query.slug])
    asked = parameters.without_end(raw or {})
    kept = {name: text for name, text in asked.items() if name not in ("tipo", "entidade")}
    takes_document = any(isinstance(one, EntityParameter) for one in query.parameters)
    return {
        "query": query,
        "owner": Role(query.owner).label,
        "sql": sql.named(query.path),
        "document_form": LookupForm() if takes_document else None,
        "document_url": f"{by_document}?{urlencode(kept)}" if kept else by_document,
    }


def _url(name: str, slug: str, fields: str, *more: str) -> str:
    return f"{reverse(name, args=[slug, *more])}?{fields}"


def _next(query: NamedQuery, bound: Bound, cursor: str) -> str:
    return address(query, {**bound.address, "depois": cursor}) if cursor else ""
