"""Attempts and look-ups of a run, many alike in a row, told as one line that says how many; and an
act on the registry, which is a row of each entry it touched, told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from audit.story.lines import TrailEntry, entry
from audit.story.queries import TrailLine
from opspilot.presentation.formats import clock_text, moment_text

_ALIKE = {
    "execucao.procurada",
    "execucao.adiada",
    "execucao.reenviada",
    "execucao.retomada",
    "aprovacao.comentada",
}
_ONE_ACT = {"entidade.unida", "entidade.separada", "entidade.apagada"}


def entries(oldest_first: Sequence[TrailLine]) -> list[TrailEntry]:
    """The rows as lines of a timeline; neighbours that say the same are one."""
    groups = groupby(oldest_first, key=_key)
    return [_folded(list(group)) for _same, group in groups]


def _key(line: TrailLine) -> object:
    return (line.action, line.result) if line.action in _ALIKE | _ONE_ACT else line.id


def _folded(group: list[TrailLine]) -> TrailEntry:
    first, count = entry(group[0]), len(group)
    if count == 1 or group[0].action in _ONE_ACT:
        return first
    last, begun = localtime(group[-1].at), localtime(group[0].at)
    same_day = last.date() == begun.date()
    until = clock_text(last) if same_day else moment_text(last, language=get_language() or "pt-br")
    words = _("%(what)s, %(count)s vezes") % {"what": first.text, "count": count}
    ended = _("a última: %(moment)s") % {"moment": until}
    return replace(first, text=words, sub=" · ".join(part for part in (first.sub, ended) if part))
