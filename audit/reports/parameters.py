"""What a named query asks for, read from an address or a command line: strictly, field by field."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

from audit.reports.kinds import END, Parameter, ParametersError, Period, PeriodParameter
from opspilot.presentation.forms import StrictForm, UnknownFieldError


class Asks(Protocol):
    """What has parameters: a named query."""

    @property
    def slug(self) -> str: ...

    @property
    def parameters(self) -> tuple[Parameter, ...]: ...


@dataclass(frozen=True, slots=True)
class Bound:
    """Parameters that were read: for SQL, for the address that gives them again, in words."""

    slug: str
    values: Mapping[str, Any]
    address: Mapping[str, str]
    words: Sequence[tuple[str, str]]
    period: Period
    fixed: Mapping[str, str]

    @property
    def query_string(self) -> str:
        return urlencode(self.address)

    @property
    def fixed_string(self) -> str:
        """The address that gives this answer again, also after a period that is still open."""
        return urlencode(self.fixed)


def blank_form(query: Asks) -> StrictForm:
    """The query's fields as they stand before anything was asked."""
    return _shown(_form(query, None))


def filled_form(
    query: Asks, raw: Mapping[str, str], faults: Mapping[str, Sequence[str]] | None = None
) -> StrictForm:
    """The fields as they were given, with what is wrong with them."""
    form = _shown(_form(query, without_end(raw)))
    for name, texts in (faults or {}).items():
        if name in form.fields and name not in form.errors:
            form.add_error(name, list(texts))
    return form


def bind(query: Asks, raw: Mapping[str, str], *, now: dt.datetime) -> Bound:
    """Read the fields; unknown ones are refused, faults are told field by field."""
    form = _form(query, raw)
    if form.unknown_fields():
        raise UnknownFieldError
    if not form.is_valid():
        raise ParametersError(
            {name: [str(e) for e in found] for name, found in form.errors.items()}
        )
    cleaned, period = form.cleaned_data, Period()
    values: dict[str, Any] = {}
    address: dict[str, str] = {}
    words: list[tuple[str, str]] = []
    for parameter in query.parameters:
        values |= parameter.values(cleaned, now)
        address |= parameter.address(cleaned)
        words.append((str(parameter.label), parameter.said(cleaned)))
        if isinstance(parameter, PeriodParameter):
            period = parameter.period(cleaned, now)
    said = [pair for pair in words if pair[1]]
    return Bound(query.slug, values, address, said, period, _fixed(query, address, now))


def without_end(raw: Mapping[str, str]) -> dict[str, str]:
    """What is asked anew, or again and again: not of one moment."""
    return {name: text for name, text in raw.items() if name != END}


def _fixed(query: Asks, address: Mapping[str, str], now: dt.datetime) -> dict[str, str]:
    timed = any(isinstance(one, PeriodParameter) for one in query.parameters)
    return {**({END: now.isoformat()} if timed else {}), **address}


def must_be_asked(query: Asks) -> bool:
    """Whether something has no default, so that the query waits until it is given."""
    return any(parameter.required for parameter in query.parameters)


def _form(query: Asks, raw: Mapping[str, str] | None) -> StrictForm:
    """Bound to what was given, the defaults in place of what was left out."""
    defaults = {one.name: one.default for one in query.parameters if one.default}
    given = None if raw is None else _with_defaults(defaults, raw)
    form = StrictForm(data=given, initial=defaults)
    for parameter in query.parameters:
        form.fields |= parameter.fields()
    return form


def _shown(form: StrictForm) -> StrictForm:
    """Without the end: who asks by the form asks anew."""
    form.fields.pop(END, None)
    return form


def _with_defaults(defaults: Mapping[str, str], raw: Mapping[str, str]) -> dict[str, str]:
    """Dates alone mean an interval: then the period's own default is not put in their place."""
    free = bool(raw.get("de") or raw.get("ate"))
    left = {name: text for name, text in defaults.items() if not raw.get(name)}
    if free and "periodo" in left:
        left["periodo"] = "intervalo"
    return {**raw, **left}
