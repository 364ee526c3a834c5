"""Whether what is asked for can still be started: windows against the time a proposal has."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.utils.translation import gettext as _

from approvals.policy.policy_document import RISKS, KindRule, PolicyDocument, Risk
from approvals.stops import calendar, calendar_words
from approvals.stops.calendar import Calendar
from audit.vocabulary import ACTIONS
from opspilot.presentation import risks


def unreachable(document: PolicyDocument, *, at: dt.datetime) -> list[str]:
    """A sentence for each kind and risk of which some proposals end before a window opens. Empty
    where every one that is asked for from now on finds an opening within its time."""
    windows = document.calendario
    if windows is None:
        return []
    return [
        words
        for kind in _kinds(document)
        for rule in [document.rule_of(kind)]
        if rule is not None
        for words in _of_kind(windows, kind, rule, at)
    ]


def _kinds(document: PolicyDocument) -> list[str]:
    """All that ask the calendar before they start, also what an agent carries out itself."""
    tasks = ["tarefa.executada"] if document.tarefa_executada else []
    return ["issue.criada", *tasks, *document.acoes_externas]


def _of_kind(windows: Calendar, kind: str, rule: KindRule, at: dt.datetime) -> Iterator[str]:
    """Risks of which the same is true are named together."""
    time = dt.timedelta(minutes=rule.expires_minutes + rule.execute_within_minutes)
    found: dict[str, list[Risk]] = {}
    for risk in RISKS:
        words = _stretch(windows, kind, risk, time, at)
        if words:
            found.setdefault(words, []).append(risk)
    for words, named in found.items():
        level = ", ".join(risks.word(risk) for risk in named)
        about = _("%(kind)s, risco %(risk)s") % {"kind": ACTIONS[kind].words, "risk": level}
        yield f"{about}: {words}"


def _stretch(windows: Calendar, kind: str, risk: Risk, time: dt.timedelta, at: dt.datetime) -> str:
    closed = calendar.longest_closed(windows, kind=kind, risk=risk, at=at)
    if closed is None:
        return ""
    start, opens = closed
    if opens is None:
        return _("nenhuma janela se abre; o que for aprovado não começa")
    if opens - start <= time:
        return ""
    said = {
        "hours": _hours(time),
        "from": calendar_words.opening(start, windows),
        "until": calendar_words.opening(opens, windows),
    }
    words = _("fechado de %(from)s até %(until)s, e uma proposta tem %(hours)s até o fim")
    return words % said


def _hours(time: dt.timedelta) -> str:
    hours, minutes = divmod(int(time.total_seconds()) // 60, 60)
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
