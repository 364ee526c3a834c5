"""A list of who decides what as rows and words. Drawn from its stored content, so the list of now
and one attested years ago are one shape."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals.deciders import access
from approvals.deciders.access_changes import action_word, role_word
from opspilot.presentation import risks
from opspilot.presentation.formats import short_text

Content = dict[str, Any]
_CONFLICTS: dict[str, Promise] = {
    access.ADMIN_DECIDES: gettext_lazy("admin e aprovador na mesma pessoa"),
    access.OWNER_DECIDES: gettext_lazy("dono de agente e decide"),
    access.ALONE: gettext_lazy("única pessoa do papel"),
}


@dataclass(frozen=True, slots=True)
class RuleRow:
    action: str
    risk: str
    role: str
    then: str
    quorum: int
    people: int

    @property
    def short(self) -> bool:
        return self.people < self.quorum


@dataclass(frozen=True, slots=True)
class PersonRow:
    """`decides` and `lent`: one text a line."""

    subject: str
    name: str
    roles: str
    decides: tuple[str, ...]
    lent: tuple[str, ...]
    agents: str
    conflicts: tuple[str, ...]

    @property
    def number(self) -> str:
        """The person's own number, as their page's address has it."""
        return self.subject.rpartition(":")[2]


def rules(content: Content) -> list[RuleRow]:
    return [
        RuleRow(
            action=action_word(item["acao"]),
            risk=item["risco"],
            role=role_word(item["papel"]),
            then=role_word(item["depois"]) if item["depois"] else "",
            quorum=item["votos"],
            people=item["pessoas"],
        )
        for item in content["regras"]
    ]


def people(content: Content) -> list[PersonRow]:
    """Who decides something first, then the others; each by name."""
    rows = [_person(item) for item in content["pessoas"]]
    return sorted(rows, key=lambda row: not (row.decides or row.lent))


def conflict_words(codes: Iterable[str]) -> list[str]:
    return [str(_CONFLICTS.get(code, code)) for code in codes]


def period_words(period: str) -> str:
    """A quarter as people say it: "2026-T4" reads "4º trimestre de 2026"."""
    year, _sign, number = period.partition("-T")
    return _("%(number)sº trimestre de %(year)s") % {"number": number, "year": year}


def conflicts(content: Content) -> int:
    """How many people have one."""
    return sum(bool(item["conflitos"]) for item in content["pessoas"])


def deciders(content: Content) -> int:
    return sum(bool(item["decide"] or item["por_delegacao"]) for item in content["pessoas"])


def _person(item: Content) -> PersonRow:
    return PersonRow(
        subject=item["quem"],
        name=item["nome"],
        roles=", ".join(role_word(name) for name in item["papeis"]),
        decides=tuple(_decides(item["decide"])),
        lent=tuple(_lent(loan) for loan in item["por_delegacao"]),
        agents=", ".join(item["agentes"]),
        conflicts=tuple(str(_CONFLICTS.get(code, code)) for code in item["conflitos"]),
    )


def _decides(pairs: list[str]) -> list[str]:
    """The kinds with their risks: "Issue criada: baixo, médio"."""
    found: dict[str, list[str]] = {}
    for pair in pairs:
        action, _colon, risk = pair.rpartition(":")
        found.setdefault(action, []).append(risks.word(risk))
    return [f"{action_word(action)}: {', '.join(levels)}" for action, levels in found.items()]


def _lent(item: Content) -> str:
    at = localtime(dt.datetime.fromisoformat(item["ate"]))
    until = short_text(at, now=localtime(), language=get_language() or "pt-br")
    words = _("%(roles)s, por delegação de %(who)s, até %(until)s")
    roles = ", ".join(role_word(name) for name in item["papeis"])
    return words % {"roles": roles, "who": item["nome"], "until": until}
