"""Windows and freezes as they are written one a line in the policy editor, and back.

`seg-sex; 08:00-18:00` and `20/12/2026 18:00; 04/01/2027 08:00; Fim de ano`; then, if it is not about
everything, the kinds of action and the risks, each list with commas: `; tarefa.executada; alto`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from pydantic import BaseModel
from pydantic import ValidationError as Misfit

from approvals.stops.calendar import DAYS, MOST, ChangeWindow, Freeze

_SHOWN, _STORED = "%d/%m/%Y %H:%M", "%Y-%m-%dT%H:%M"
# Asked of what is written now only: a document that is in force is read whatever its years.
_FIRST_YEAR, _LAST_YEAR = "2000", "2200"


def windows(text: str) -> list[dict[str, Any]]:
    """Raises Django's ValidationError naming the line that cannot be read."""
    return [_window(line) for line in _bounded(text)]


def freezes(text: str) -> list[dict[str, Any]]:
    """The same for freezes."""
    return [_freeze(line) for line in _bounded(text)]


def written_windows(rows: Sequence[ChangeWindow]) -> str:
    return "\n".join(
        "; ".join([",".join(row.dias), f"{row.das}-{row.ate}", *_about(row)]) for row in rows
    )


def written_freezes(rows: Sequence[Freeze]) -> str:
    return "\n".join(
        "; ".join([shown(row.inicio), shown(row.fim), row.motivo, *_about(row)]) for row in rows
    )


def shown(local: str) -> str:
    """A stored local moment as people write it."""
    return dt.datetime.fromisoformat(local).strftime(_SHOWN)


def _bounded(text: str) -> list[str]:
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if len(found) > MOST:
        raise ValidationError(_("No máximo %(n)s linhas.") % {"n": MOST})
    return found


def _window(line: str) -> dict[str, Any]:
    days, hours, kinds, risks = _parts(line, 4)
    start, _sign, end = (part.strip() for part in hours.partition("-"))
    made = {"dias": _days(days), "das": start, "ate": end} | _named(kinds, risks)
    words = _("Não dá para ler “%(line)s”. Escreva assim: seg-sex; 08:00-18:00.")
    return _checked(ChangeWindow, made, words % {"line": line[:80]})


def _freeze(line: str) -> dict[str, Any]:
    start, end, reason, kinds, risks = _parts(line, 5)
    words = _(
        "Não dá para ler “%(line)s”. Escreva assim: 20/12/2026 18:00; 04/01/2027 08:00; Fim de ano."
    ) % {"line": line[:80]}
    try:
        moments = [_stored(part) for part in (start, end)]
    except ValueError as exc:
        raise ValidationError(words) from exc
    if not all(_FIRST_YEAR <= moment[:4] <= _LAST_YEAR for moment in moments):
        raise ValidationError(
            _("Em “%(line)s”, o ano precisa ficar entre 2000 e 2200.") % {"line": line[:80]}
        )
    made = {"inicio": moments[0], "fim": moments[1], "motivo": reason} | _named(kinds, risks)
    return _checked(Freeze, made, words)


def _stored(text: str) -> str:
    # The zone is the calendar's own: this is what its clock on the wall shows.
    return dt.datetime.strptime(f"{text} +0000", f"{_SHOWN} %z").strftime(_STORED)


def _parts(line: str, most: int) -> list[str]:
    """The parts of a line, trimmed; those left out are empty. One part too many spoils the last."""
    parts = [part.strip() for part in line.split(";", most - 1)]
    return parts + [""] * (most - len(parts))


def _days(text: str) -> list[str]:
    """`seg-sex` or `seg,qua`; what is not a day stays, and is refused with the line."""
    text = _unaccented(text)
    first, sign, last = (part.strip() for part in text.partition("-"))
    if sign and first in DAYS and last in DAYS:
        return list(DAYS[DAYS.index(first) : DAYS.index(last) + 1])
    return _list(text)


def _named(kinds: str, risks: str) -> dict[str, list[str]]:
    """Absent when it says nothing, as everywhere in the document."""
    found = {"tipos": _list(kinds), "riscos": _list(_unaccented(risks))}
    return {name: value for name, value in found.items() if value}


def _unaccented(text: str) -> str:
    """The pages write “sáb” and “médio”, and so may whoever copies from them."""
    return text.lower().replace("sáb", "sab").replace("médio", "medio")


def _list(text: str) -> list[str]:
    return list(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))


def _about(row: ChangeWindow | Freeze) -> list[str]:
    parts = [",".join(row.tipos), ",".join(row.riscos)]
    while parts and not parts[-1]:
        parts.pop()
    return parts


def _checked(model: type[BaseModel], made: dict[str, Any], words: str) -> dict[str, Any]:
    """The document's own rules, so that an error stands at its field."""
    try:
        model.model_validate(made)
    except Misfit as exc:
        raise ValidationError(words) from exc
    return made
