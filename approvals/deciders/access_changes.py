"""What changed between two lists of who decides what, in words. Reads stored content, so that an
attestation of years ago can still be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from approvals.features import TASK
from audit.vocabulary import ACTIONS
from opspilot.presentation import risks
from opspilot.tenancy.principal import Role

Content = dict[str, Any]


def changes(before: Content, after: Content) -> list[str]:
    """One sentence a difference, people first; empty when the two lists say the same."""
    return [*_people(before, after), *_policy(before, after)]


def _people(before: Content, after: Content) -> Iterator[str]:
    old = {item["quem"]: item for item in before.get("pessoas", [])}
    new = {item["quem"]: item for item in after.get("pessoas", [])}
    for subject in sorted(old.keys() | new.keys()):
        if subject not in old:
            words = _("Entrou %(who)s, com %(roles)s.")
            yield words % {"who": new[subject]["nome"], "roles": _roles(new[subject])}
        elif subject not in new:
            words = _("Saiu %(who)s, que tinha %(roles)s.")
            yield words % {"who": old[subject]["nome"], "roles": _roles(old[subject])}
        else:
            yield from _person(old[subject], new[subject])


def _person(old: Content, new: Content) -> Iterator[str]:
    who = new["nome"]
    if old["nome"] != who:
        yield _("%(before)s agora se chama %(who)s.") % {"before": old["nome"], "who": who}
    if set(old["papeis"]) != set(new["papeis"]):
        words = _("%(who)s: papéis de %(before)s para %(after)s.")
        yield words % {"who": who, "before": _roles(old), "after": _roles(new)}
    if old.get("por_delegacao", []) != new.get("por_delegacao", []):
        words = _("%(who)s: as delegações recebidas mudaram de %(before)s para %(after)s.")
        yield words % {"who": who, "before": _lent(old), "after": _lent(new)}
    if old.get("agentes", []) != new.get("agentes", []):
        words = _("%(who)s: os agentes mudaram de %(before)s para %(after)s.")
        yield words % {"who": who, "before": _agents(old), "after": _agents(new)}


def _policy(before: Content, after: Content) -> Iterator[str]:
    if before.get("politica") != after.get("politica"):
        words = _("A política passou da versão %(before)s para a %(after)s.")
        yield words % {
            "before": before.get("politica") or _("nenhuma"),
            "after": after.get("politica") or _("nenhuma"),
        }
    old, new = (_deciders(content) for content in (before, after))
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key):
            words = _("%(what)s, risco %(risk)s: decidia %(before)s, decide %(after)s.")
            yield words % {
                "what": action_word(key[0]),
                "risk": risks.word(key[1]),
                "before": old.get(key) or _("ninguém"),
                "after": new.get(key) or _("ninguém"),
            }


def _deciders(content: Content) -> dict[tuple[str, str], str]:
    """What each rule asks for; how many people hold the role follows from the people."""
    return {
        (rule["acao"], rule["risco"]): _("%(role)s, votos: %(votes)s")
        % {"role": role_word(rule["papel"]), "votes": rule["votos"]}
        for rule in content.get("regras", [])
    }


def _roles(person: Content) -> str:
    return ", ".join(role_word(name) for name in person["papeis"]) or _("nenhum")


def _lent(person: Content) -> str:
    names = [item["nome"] for item in person.get("por_delegacao", [])]
    return ", ".join(names) or _("nenhuma")


def _agents(person: Content) -> str:
    return ", ".join(person.get("agentes", [])) or _("nenhum")


def action_word(name: str) -> str:
    """A kind of action in words; one this version does not know stays as it was stored."""
    if name == TASK:
        return _("Tarefa executada")
    return str(ACTIONS[name].words) if name in ACTIONS else name


def role_word(name: str) -> str:
    """A role in words; one this version does not know stays as it was stored."""
    return str(Role(name).label) if name in Role.values else name
