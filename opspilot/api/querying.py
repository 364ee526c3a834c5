"""The named queries of the trail for an agent: those that whoever answers for it may open, no other.

One answer by the page, the command line and here: the same binding, rows, values and markers. Inside
an open tenant scope.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.utils import timezone

from audit.reports import catalogue, cells, cursors, parameters, recording, running
from audit.reports.kinds import END, ParametersError
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery, Page
from opspilot.api.errors import InvalidFieldsError, OwnerMayNotReadError
from opspilot.api.query_contract import AnswerOut, ColumnOut, CoverageOut, FieldOut, QueryOut
from opspilot.presentation.forms import UnknownFieldError
from opspilot.tenancy import clock
from opspilot.tenancy.principal import AgentPrincipal


def listed(*, principal: AgentPrincipal, prefix: str) -> list[QueryOut]:
    """By their short names; `prefix` is the address they stand under."""
    found = [query for query in catalogue.NAMED.values() if _opens(principal, query)]
    return [_shown(query, prefix) for query in sorted(found, key=lambda query: query.slug)]


def answer(
    *, principal: AgentPrincipal, slug: str, raw: Mapping[str, str], after: str, limit: int
) -> AnswerOut:
    """One page, which is a row of the trail under the agent's name. Raises OwnerMayNotReadError,
    InvalidFieldsError, and NotFoundError for a query that is none."""
    query = catalogue.get(slug)
    if not _opens(principal, query):
        raise OwnerMayNotReadError
    bound = _bound(query, raw)
    page = _page(query, bound, after, limit)
    recording.viewed(principal, query, bound, rows=len(page.rows))
    return AnswerOut(
        consulta=query.slug,
        versao=query.version,
        parametros=dict(bound.address),
        zona=timezone.get_default_timezone_name(),
        colunas=query.names,
        linhas=[_row(query, row) for row in page.rows],
        cobertura=CoverageOut(
            desde=page.coverage.since,
            ate=page.coverage.until,
            completa=page.coverage.complete,
            comeca_depois=page.coverage.begins_later,
        ),
        proximo=page.next_cursor or None,
    )


def _opens(principal: AgentPrincipal, query: NamedQuery) -> bool:
    return not principal.owner_roles.isdisjoint(query.roles)


def _bound(query: NamedQuery, raw: Mapping[str, str]) -> Bound:
    """Of this very moment, so that the pages that follow are of the same answer."""
    try:
        bound = parameters.bind(query, raw, now=clock.now())
        return parameters.bind(query, bound.fixed, now=clock.now())
    except UnknownFieldError as exc:
        known = {*parameters.blank_form(query).fields, END}
        unknown = [name for name in raw if name not in known]
        raise _faulty(unknown, "extra_forbidden") from exc
    except ParametersError as exc:
        raise _faulty([name for name in exc.faults if name in raw], "invalido", exc) from exc


def _faulty(
    names: list[str], motive: str, exc: ParametersError | None = None
) -> InvalidFieldsError:
    missing = [name for name in exc.faults if name not in names] if exc else []
    faults = [(name, motive) for name in names] + [(name, "missing") for name in missing]
    return InvalidFieldsError([{"campo": name[:80], "motivo": fault} for name, fault in faults])


def _page(query: NamedQuery, bound: Bound, after: str, limit: int) -> Page:
    try:
        return running.page(query, bound, after=after, limit=limit)
    except cursors.ForeignCursorError as exc:
        raise _faulty(["cursor"], "invalido") from exc


def _row(query: NamedQuery, row: tuple[Any, ...]) -> dict[str, Any]:
    """Each value as the JSON file of the page has it."""
    pairs = zip(query.columns, row, strict=True)
    return {column.name: json.loads(cells.as_json(column, value)) for column, value in pairs}


def _shown(query: NamedQuery, prefix: str) -> QueryOut:
    fields = parameters.blank_form(query).fields
    defaults = {one.name: one.default for one in query.parameters if one.default}
    return QueryOut(
        slug=query.slug,
        versao=query.version,
        pergunta=str(query.question),
        sobre=str(query.about),
        endereco=f"{prefix}{query.slug}",
        campos=[_field(name, field, defaults.get(name)) for name, field in fields.items()],
        colunas=[
            ColumnOut(nome=one.name, rotulo=str(one.label), tipo=one.kind) for one in query.columns
        ],
    )


def _field(name: str, field: forms.Field, default: str | None) -> FieldOut:
    choices = cast(list[tuple[str, str]] | None, getattr(field, "choices", None))
    return FieldOut(
        nome=name,
        rotulo=str(field.label or name),
        obrigatorio=field.required,
        padrao=default,
        valores=None if choices is None else [str(value) for value, _words in choices if value],
    )
