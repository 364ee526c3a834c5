"""Two companies of a sequence: their people, their policies and what each policy allows."""

from __future__ import annotations

import copy
import uuid
from dataclasses import dataclass, field
from typing import Any

from approvals import policies
from opspilot.tenancy.models import Membership, Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant, grant_roles
from tests.factories import POLICY

# The same words stand for other projects in the other company.
PROJECTS: tuple[dict[str, tuple[int, str]], ...] = (
    {"infra": (412, "aurora/infra"), "nucleo": (414, "aurora/nucleo")},
    {"infra": (512, "boreal/infra"), "nucleo": (514, "boreal/nucleo")},
)
ROLES: tuple[tuple[Role, ...], ...] = (
    (Role.OPERADOR, Role.APROVADOR),
    (Role.APROVADOR, Role.CONFORMIDADE),
    (Role.APROVADOR,),
    (Role.OPERADOR, Role.CONFORMIDADE),
)
RISKS = {"infra": "baixo", "nucleo": "medio"}
QUORUM = {"baixo": 1, "medio": 2, "alto": 3}
CHANGES = ("none", "project dropped", "risk raised", "more approvers", "other role", "other wait")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a policy makes of an issue in one project, worked out here and not by the product."""

    project_id: int
    path: str
    risk: str
    quorum: int
    role: str


@dataclass(slots=True)
class Person:
    user_id: int
    company: int
    roles: set[str]

    @property
    def subject(self) -> str:
        return f"usuario:{self.user_id}"


@dataclass
class Company:
    number: int
    tenant: Tenant
    people: list[Person]
    policy: dict[str, Any] = field(default_factory=dict)

    def put_in_force(self, change: str) -> None:
        self.policy = document(self.number, change)
        with tenant_scope(self.tenant.pk):
            policies.install(document=self.policy, by="admin 1")

    def outcome(self, alias: str) -> Outcome | None:
        project = self.policy["projects"].get(alias)
        if project is None:
            return None
        rule, risk = self.policy["issue_criada"], project["risk"]
        return Outcome(
            project["project_id"],
            project["path"],
            risk,
            rule["quorum"][risk],
            rule["approver_role"],
        )

    def set_roles(self, person: Person, roles: set[str]) -> None:
        grant_roles(
            tenant=self.tenant,
            user=User.objects.get(pk=person.user_id),
            roles=[Role(role) for role in roles],
        )
        person.roles = roles


def document(company: int, change: str) -> dict[str, Any]:
    """The company's policy with one thing changed from the first one."""
    found = copy.deepcopy(POLICY)
    found["projects"] = {
        alias: {
            "project_id": id_,
            "path": path,
            "labels": ["incidente", "runbook"],
            "assignees": {"plantao-infra": 319},
            "risk": RISKS[alias],
        }
        for alias, (id_, path) in PROJECTS[company].items()
    }
    rule = found["issue_criada"]
    rule["quorum"] = dict(QUORUM)
    match change:
        case "project dropped":
            del found["projects"]["infra"]
        case "risk raised":
            found["projects"]["infra"]["risk"] = "medio"
        case "more approvers":
            rule["quorum"] |= {"baixo": 2}
        case "other role":
            rule["approver_role"] = "conformidade"
        case "other wait":
            rule["expires_minutes"] = 241
    return found


def users() -> list[list[int]]:
    """The people of both companies, made once; each sequence gives them its own roles."""
    tag = uuid.uuid4().hex[:8]
    return [
        [
            User.objects.create(username=f"m-{tag}-{company}{n}", display_name=f"Pessoa {n}").pk
            for n in range(len(ROLES))
        ]
        for company in range(len(PROJECTS))
    ]


def founded(number: int, user_ids: list[int]) -> Company:
    """A company that did not exist before, with the first policy in force."""
    tenant = create_tenant(slug=f"m-{uuid.uuid4().hex[:20]}", name=f"Empresa {number}")
    people = [
        Person(user_id, number, {str(role) for role in roles})
        for user_id, roles in zip(user_ids, ROLES, strict=True)
    ]
    # People outlive a sequence, and so would the names it gave them.
    for n, user_id in enumerate(user_ids):
        User.objects.filter(pk=user_id).update(display_name=f"Pessoa {n}")
    with tenant_scope(tenant.pk):
        Membership.objects.bulk_create(
            Membership(tenant=tenant, user_id=person.user_id, roles=sorted(person.roles))
            for person in people
        )
    company = Company(number, tenant, people)
    company.put_in_force("none")
    return company
