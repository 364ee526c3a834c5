"""Where a page of a query ended, signed: good for that query, those parameters and that company."""

from __future__ import annotations

import hashlib
from typing import Any

from django.core import signing
from django.utils.translation import gettext_lazy as _

from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery, Row
from opspilot.errors import InvalidInputError
from opspilot.tenancy.scope import current_tenant_id

_SALT = "audit.reports"


class ForeignCursorError(InvalidInputError):
    """A page marker of another query, of other parameters, of another company, or made up."""

    code = "marcador_de_outra_consulta"
    title = _("Este marcador de página é de outra consulta")
    what = _("Ele não vale para esta consulta com estes campos.")
    next_step = _("Volte à primeira página e siga por “Mais linhas”.")


def written(query: NamedQuery, bound: Bound, row: Row) -> str:
    values = dict(zip(query.names, row, strict=True))
    place = [str(values[name]) for name in query.key]
    return signing.dumps([_origin(query, bound), place], salt=_SALT, compress=True)


def read(query: NamedQuery, bound: Bound, text: str) -> tuple[Any, ...] | None:
    """The values of the key, as text; None for the first page."""
    if not text:
        return None
    try:
        origin, place = signing.loads(text, salt=_SALT)
    except signing.BadSignature as exc:
        raise ForeignCursorError from exc
    if origin != _origin(query, bound):
        raise ForeignCursorError
    return tuple(place)


def _origin(query: NamedQuery, bound: Bound) -> str:
    named = f"{current_tenant_id()} {query.slug}@{query.version} {bound.query_string}"
    return hashlib.sha256(named.encode()).hexdigest()[:24]
