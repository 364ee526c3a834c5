"""A proposal with a secret or a document number in it is refused before it exists.

Nothing has happened yet, so nothing is lost by saying no; and what is stored as a proposal is shown,
hashed and kept like the trail itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from audit.guard import secret_shapes
from audit.guard.folding import folded
from audit.guard.kinds import REFUSED, Kind
from audit.guard.looking import spans
from opspilot.errors import InvalidInputError

_NAME = 60  # characters of a field's name that an answer repeats
_EARLIEST = 10**9  # a smaller number is no document
_FRAME = frozenset(
    {"type", "value", "fields"}
)  # of an action's own form: what it is about is above


class ForbiddenContentError(InvalidInputError):
    """A text carries a secret, a CPF, a CNPJ or a card. `fields` names where, never what."""

    code = "conteudo_proibido"
    title = gettext_lazy("Há um segredo ou documento no texto")
    what = gettext_lazy("Um campo traz um segredo, um documento ou um cartão. Nada foi gravado.")
    next_step = gettext_lazy(
        "Tire o número ou o segredo do campo indicado e envie de novo: um id interno basta."
    )


def refuse(values: Mapping[str, Any], **facts: Any) -> None:
    """Raise ForbiddenContentError when a key or value in them, at any depth, must not be kept.

    `facts` are the error's own: of which run, of which entity.
    """
    found = {name: kind for name, kind in _inside("", values) if kind in REFUSED}
    if not found:
        return
    names = [name if not any(_kinds(name)) else "…" for name in found]
    kinds = ", ".join(sorted({str(kind.label) for kind in found.values()}))
    detail = _("Nada foi gravado: %(kinds)s em %(fields)s.") % {
        "kinds": kinds,
        "fields": ", ".join(names),
    }
    raise ForbiddenContentError(detail, fields=names, **facts)


def _inside(name: str, value: Any) -> Iterator[tuple[str, Kind]]:
    """What is found in a value and in the keys inside it, each under the name nearest to it."""
    if value and not isinstance(value, int) and secret_shapes.is_name(name):
        yield name[:_NAME], Kind.SEGREDO
    if isinstance(value, Mapping):
        for key, item in value.items():
            near = name if key in _FRAME else str(key)
            yield from ((near[:_NAME], kind) for kind in _kinds(str(key)))
            yield from _inside(near, item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _inside(name, item)
    else:
        yield from ((name[:_NAME], kind) for kind in _kinds(_written(value)))


def _written(value: Any) -> str:
    """A whole number of as many digits as a document has, written like one; nothing for others."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= _EARLIEST:
        return str(value).rjust(11, "0")
    return value if isinstance(value, str) else ""


def _kinds(text: str) -> Iterator[Kind]:
    read = folded(text)
    for start, end, kind in spans(read):
        if kind != Kind.SEGREDO or secret_shapes.is_written_out(read[start:end]):
            yield kind
