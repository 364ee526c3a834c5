"""Who can decide what at a moment: the people, the policy and the delegations as they were then."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from pydantic import ValidationError

from approvals import canonical
from approvals.features import PLAIN, TASK
from approvals.models import AgenteAprovacao, Delegation, PolicyVersion
from approvals.policy.policy_document import RISKS, KindRule, PolicyDocument
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people
from opspilot.tenancy.principal import Role
from opspilot.tenancy.selectors import Member

ADMIN_DECIDES = "admin_e_aprovador"
OWNER_DECIDES = "dono_de_agente_que_decide"
ALONE = "sozinho_no_papel"
Owners = Mapping[str, Sequence[str]]
"""Subjects, and the agents each of them owns."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Who decides one kind of action at one risk. `people` = how many hold the role."""

    action: str
    risk: str
    role: str
    then: str  # the role it is given to when nobody decides; '' = none
    quorum: int
    people: int

    @property
    def short(self) -> bool:
        return self.people < self.quorum


@dataclass(frozen=True, slots=True)
class Lent:
    """A power somebody was lent: whose, which roles, until when."""

    giver: str
    giver_name: str
    roles: tuple[str, ...]
    until: dt.datetime


@dataclass(frozen=True, slots=True)
class Person:
    subject: str
    name: str
    roles: tuple[str, ...]
    decides: tuple[tuple[str, str], ...]  # (action, risk) by their own roles
    lent: tuple[Lent, ...]
    agents: tuple[str, ...]
    conflicts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """`policy` None = none was in force; `readable` False = of rules this code does not know."""

    at: dt.datetime
    policy: int | None
    readable: bool
    rules: tuple[Rule, ...]
    people: tuple[Person, ...]

    @property
    def content(self) -> dict[str, Any]:
        """What an attestation is about: everything but the moment it was looked at."""
        return {
            "politica": self.policy,
            "regras": [_rule_content(rule) for rule in self.rules],
            "pessoas": [_person_content(person) for person in self.people],
        }

    @property
    def sha256(self) -> str:
        return canonical.action_hash(self.content)


def now(*, owners: Owners) -> Picture:
    """As it is at this moment; `owners` are the agents registered now."""
    return _picture(clock.now(), people.members_now(), owners)


def foreseen(*, member: Member, owners: Owners) -> Picture:
    """As it would be now if this person had these roles."""
    others = [found for found in people.members_now() if found.subject != member.subject]
    return _picture(clock.now(), [*others, member] if member.roles else others, owners)


def past(*, at: dt.datetime) -> Picture:
    """As it was at `at`. Who owned an agent is known from what the agent had proposed by then."""
    return _picture(at, people.members_at(at), _owners_at(at))


def _picture(at: dt.datetime, members: Sequence[Member], owners: Owners) -> Picture:
    version = _policy_at(at)
    document = _readable(version)
    held = Counter(str(role) for member in members for role in member.roles)
    rules = tuple(_rules(document, held)) if document else ()
    lent = _lent_at(at, members)
    return Picture(
        at=at,
        policy=version.number if version else None,
        readable=version is None or document is not None,
        rules=rules,
        people=tuple(_person(m, rules, lent.get(m.subject, ()), owners, held) for m in members),
    )


def _policy_at(at: dt.datetime) -> PolicyVersion | None:
    return PolicyVersion.objects.filter(activated_at__lte=at).order_by("-number").first()


def _readable(version: PolicyVersion | None) -> PolicyDocument | None:
    try:
        return PolicyDocument.model_validate(version.document) if version else None
    except ValidationError:
        return None


def _rules(document: PolicyDocument, held: Mapping[str, int]) -> Iterator[Rule]:
    for action, rule in _kinds(document):
        then = rule.escalonamento.para_papel if rule.escalonamento else ""
        for risk in RISKS:
            role = rule.approver_of(risk)
            yield Rule(action, risk, role, then, rule.quorum[risk], held.get(role, 0))


def _kinds(document: PolicyDocument) -> Iterator[tuple[str, KindRule]]:
    """The kinds a person decides; what a rule allows by itself is decided by nobody."""
    yield PLAIN, document.issue_criada
    if document.tarefa_executada is not None:
        yield TASK, document.tarefa_executada
    for action, rule in sorted(document.acoes_externas.items()):
        if rule.autorizacao == "humana":
            yield action, rule


def _lent_at(at: dt.datetime, members: Sequence[Member]) -> dict[str, tuple[Lent, ...]]:
    """By receiver; of each only the roles its giver held at that moment."""
    held = {member.subject: {str(role) for role in member.roles} for member in members}
    still = Q(revoked_at=None) | Q(revoked_at__gt=at)
    rows = Delegation.objects.filter(still, created_at__lte=at, starts_at__lte=at, ends_at__gt=at)
    found: dict[str, tuple[Lent, ...]] = {}
    for row in rows.order_by("pk"):
        roles = tuple(sorted(held.get(row.giver, set()) & set(row.roles)))
        if roles:
            lent = Lent(row.giver, row.giver_name, roles, row.ends_at)
            found[row.receiver] = (*found.get(row.receiver, ()), lent)
    return found


def _owners_at(at: dt.datetime) -> Owners:
    rows = AgenteAprovacao.objects.filter(criada_em__lte=at).exclude(agente_dono="")
    pairs = rows.values_list("agente_dono", "agente").distinct()
    found: dict[str, list[str]] = {}
    for owner, agent in sorted(pairs):
        found.setdefault(owner, []).append(agent)
    return found


def _person(
    member: Member,
    rules: Sequence[Rule],
    lent: tuple[Lent, ...],
    owners: Owners,
    held: Mapping[str, int],
) -> Person:
    roles = {str(role) for role in member.roles}
    decides = tuple((rule.action, rule.risk) for rule in rules if rule.role in roles)
    agents = tuple(sorted(owners.get(member.subject, ())))
    return Person(
        subject=member.subject,
        name=member.name,
        roles=tuple(sorted(roles)),
        decides=decides,
        lent=lent,
        agents=agents,
        conflicts=tuple(_conflicts(roles, bool(decides or lent), agents, rules, held)),
    )


def _conflicts(
    roles: set[str],
    decides: bool,
    agents: Sequence[str],
    rules: Sequence[Rule],
    held: Mapping[str, int],
) -> Iterator[str]:
    """What an auditor looks at: powers that two people should hold, or that only one holds."""
    if {Role.ADMIN, Role.APROVADOR} <= roles:
        yield ADMIN_DECIDES
    if agents and decides:
        yield OWNER_DECIDES
    if any(rule.role in roles and held[rule.role] == 1 for rule in rules):
        yield ALONE


def _rule_content(rule: Rule) -> dict[str, Any]:
    return {
        "acao": rule.action,
        "risco": rule.risk,
        "papel": rule.role,
        "depois": rule.then,
        "votos": rule.quorum,
        "pessoas": rule.people,
    }


def _person_content(person: Person) -> dict[str, Any]:
    return {
        "quem": person.subject,
        "nome": person.name,
        "papeis": list(person.roles),
        "decide": [f"{action}:{risk}" for action, risk in person.decides],
        "por_delegacao": [
            {
                "de": lent.giver,
                "nome": lent.giver_name,
                "papeis": list(lent.roles),
                "ate": lent.until.astimezone(dt.UTC).isoformat(),
            }
            for lent in person.lent
        ],
        "agentes": list(person.agents),
        "conflitos": list(person.conflicts),
    }
