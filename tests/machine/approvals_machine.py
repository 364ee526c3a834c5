"""The approval life as rules that fire in any order, against a remote that keeps its own log.

Two companies, whose people propose, decide, lose their roles and change their names; policies that
move; deadlines that pass; an owner of the database who rewrites rows. Real commits, real triggers,
real locks: each sequence has two companies of its own, so nothing has to be undone.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

import psycopg
from django.db import connection
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from psycopg.types.json import Jsonb

from approvals import actions, decisions, drafts, expiry, proposals
from approvals.execution import advancing
from approvals.models import AgenteAprovacao
from opspilot.tenancy import selectors
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope
from tests.machine import companies, oracle
from tests.machine.companies import CHANGES, Company, Person
from tests.machine.oracle import Case, Shown, Vote, judge
from tests.machine.remote import Remote
from tests.machine.tally import Tally

MOST_CASES = 3
REASON = "Falta a janela de manutenção."
ALTERATIONS: dict[str, Any] = {
    "title": "Apagar tudo",
    "description": "Outra coisa.",
    "labels": ["runbook"],
    "confidential": True,
}
UNSCOPED = "SELECT count(*) FROM agente_aprovacao"
DUE = """
UPDATE execution SET not_before = clock_timestamp() - interval '1 second',
       next_lookup_at = next_lookup_at - interval '1 day' WHERE approval_id = %s RETURNING id
"""

A_CASE = st.integers(0, MOST_CASES - 1)
A_PERSON = st.integers(0, len(companies.ROLES) - 1)
A_COMPANY = st.integers(0, 1)
A_ROLE = st.sampled_from(["aprovador", "conformidade"])
AN_ALIAS = st.sampled_from(["infra", "nucleo"])
A_FIELD = st.sampled_from(sorted(ALTERATIONS))
WHOSE = ("any", "again", "own", "own, renamed", "foreign")
CLOSINGS = (
    "refuse", "cancel", "expire", "deadline to decide passes", "deadline to execute passes",
)  # fmt: skip
PAST = "clock_timestamp() - interval '1 second'"


class ApprovalsMachine(RuleBasedStateMachine):
    """Subclass with `remote`, `owner`, `users` and `tally` set; see `running`."""

    remote: ClassVar[Remote]
    owner: ClassVar[psycopg.Connection[Any]]
    users: ClassVar[list[list[int]]]
    tally: ClassVar[Tally]

    def __init__(self) -> None:
        super().__init__()
        self.remote.reset()
        self.companies = [companies.founded(n, ids) for n, ids in enumerate(self.users)]
        self.cases: list[Case] = []

    def teardown(self) -> None:
        self.tally.end_of_sequence()

    # What people do. Acts that end or upset things share a rule, so that they leave the others time.

    @initialize(company=A_COMPANY, alias=AN_ALIAS, votes=st.integers(0, 2))
    def propose_first(self, company: int, alias: str, votes: int) -> None:
        """So that most of a sequence is about something that may come to be carried out."""
        self.propose(company, 0, alias)
        for voter in self.companies[company].people[1 : 1 + votes]:
            self._vote("approve", self.cases[0], voter)

    @precondition(lambda self: len(self.cases) < MOST_CASES)
    @rule(company=A_COMPANY, person=A_PERSON, alias=AN_ALIAS)
    def propose(self, company: int, person: int, alias: str) -> None:
        place = self.companies[company]
        self.tally.act("propose", lambda: self._propose(place, place.people[person], alias))

    @rule(case=A_CASE, person=A_PERSON, a_page=st.booleans())
    def look(self, case: int, person: int, *, a_page: bool) -> None:
        """At a proposal's page, or at the table with no tenant set."""
        found = self._case(case)
        reader = found.company.people[person]
        if a_page:
            self.tally.act("open the page", lambda: self._show(found, reader))
        else:
            self.tally.act("look with no tenant", self._look_with_no_tenant)

    @rule(case=A_CASE, then_execute=st.booleans())
    def approve_by_who_could(self, case: int, *, then_execute: bool) -> None:
        """Somebody who may, or might have in time."""
        able = [(found, who) for found in self.cases for who in found.who_could()]
        found, who = able[case % len(able)] if able else (self.cases[0], self.cases[0].requester)
        self._vote("approve: late" if found.late else "approve", found, who)
        if then_execute and found.late and found.ripe:
            self._carry_out(found)

    @rule(case=A_CASE, person=A_PERSON, whose=st.sampled_from(WHOSE))
    def approve(self, case: int, person: int, whose: str) -> None:
        """By whoever comes along, or by somebody who must not."""
        found = self._case(case)
        match whose:
            case "again":
                waiting = [c for c in self.cases if c.votes and not c.ripe] or [found]
                self._vote("approve: again", waiting[0], waiting[0].last_voter or found.requester)
            case "own":
                self._vote("approve: own", found, found.requester)
            case "own, renamed":
                self._rename(found.requester, f"Pessoa {person + len(companies.ROLES)}")
                self._vote("approve: own", found, found.requester)
            case "foreign":
                strangers = self.companies[1 - found.company.number].people
                self._vote("approve: foreign", found, strangers[person])
            case _:
                self._vote("approve", found, found.company.people[person])

    @rule(case=A_CASE, person=A_PERSON, how=st.sampled_from(CLOSINGS), then_execute=st.booleans())
    def close(self, case: int, person: int, how: str, *, then_execute: bool) -> None:
        found = self._case(case)
        match how:
            case "refuse":
                by = found.company.people[person]
                found.closed |= self.tally.act(how, lambda: self._refuse(found, by))
            case "cancel":
                found.closed |= self.tally.act(how, lambda: self._cancel(found))
            case "expire":
                self.tally.act(how, lambda: self._expire(found))
                found.closed |= self._column(found, "estado") == "expirada"
            case "deadline to decide passes":
                found.late = True
                self._alter(how, found, f"expira_em = {PAST}")
            case _:
                found = self._ripe(case)
                found.late_to_execute = True
                self._alter(how, found, f"executar_ate = {PAST}")
        if then_execute and found.ripe:
            self._carry_out(found)

    @rule(company=A_COMPANY, person=A_PERSON, role=A_ROLE)
    def revoke_or_grant_a_role(self, company: int, person: int, role: str) -> None:
        place = self.companies[company]
        somebody = place.people[person]
        what = "revoke role" if role in somebody.roles else "grant role"
        roles = somebody.roles ^ {role}
        self.tally.act(what, lambda: place.set_roles(somebody, roles))

    @rule(
        case=A_CASE,
        change=st.sampled_from(CHANGES),
        name=A_FIELD,
        how=st.integers(0, 2),
        then_execute=st.booleans(),
    )
    def upset(self, case: int, change: str, name: str, how: int, *, then_execute: bool) -> None:
        """Another policy, or other content by SQL, with its hash or without."""
        found = self._ripe(case)
        changed, hash_ = oracle.altered(self._action(found), name, ALTERATIONS[name])
        match how:
            case 0:
                self.tally.act("change policy", lambda: found.company.put_in_force(change))
            case 1:
                self._alter("edit by SQL", found, "proposta = %s", Jsonb(changed))
            case _:
                what = "proposta = %s, acao_hash = %s"
                self._alter("edit by SQL, hash too", found, what, Jsonb(changed), hash_)
        if then_execute and found.ripe:
            self._carry_out(found)

    @rule(case=A_CASE, lost=st.booleans())
    def execute(self, case: int, *, lost: bool) -> None:
        """The worker's step; `lost`: what the remote answers to a creation never arrives."""
        if lost:
            self.tally.act("an answer is lost", self.remote.lose_next_answer)
        self._carry_out(self._ripe(case))

    # How

    def _carry_out(self, case: Case) -> None:
        """What the worker does, and what the remote then says was done."""
        self.tally.act("execute", lambda: self._execute(case))
        case.tried = True
        for created in self.remote.created():
            self.tally.issues += 1
            judge(created, self.cases, self.owner)

    def _case(self, number: int) -> Case:
        return self.cases[number % len(self.cases)]

    def _ripe(self, number: int) -> Case:
        """One that is about to be carried out, more often than not."""
        pool = [case for case in self.cases if case.ripe] + self.cases
        return pool[number % len(pool)]

    def _propose(self, company: Company, person: Person, alias: str) -> None:
        command = actions.parse(
            {
                "alias": alias,
                "title": f"Reiniciar o consumidor {len(self.cases)}",
                "description": "A fila parou.",
                "labels": ("incidente",),
                "assignees": ("plantao-infra",),
            }
        )
        with tenant_scope(company.tenant.pk):
            by = _principal(person)
            draft = drafts.prepare(
                principal=by, run_id=uuid.uuid4(), command=command, coverage=None
            )
            row = proposals.create(
                principal=by,
                draft=draft,
                seen_hash=draft.hash,
                justification="A fila parou e clientes esperam.",
                entity=None,
                evidence=[],
            )
            page = _shown(row)
        made_under = company.outcome(alias)
        assert made_under is not None, "I3: proposed what the policy in force does not allow"
        shown = {reader.user_id: page for reader in company.people}
        self.cases.append(Case(row.pk, company, person, alias, made_under, shown))

    def _rename(self, person: Person, name: str) -> None:
        people = User.objects.filter(pk=person.user_id)
        self.tally.act("rename", lambda: people.update(display_name=name))

    def _show(self, case: Case, reader: Person) -> None:
        with tenant_scope(case.company.tenant.pk):
            case.shown[reader.user_id] = _shown(AgenteAprovacao.objects.get(pk=case.pk))

    def _vote(self, what: str, case: Case, by: Person) -> None:
        """With the page as this person last had it before them."""
        shown = case.shown.get(by.user_id, case.shown[case.requester.user_id])
        lawful = case.is_lawful(by)
        if self.tally.act(what, lambda: self._approve(case, by, shown)):
            case.votes.append(Vote(by.user_id, shown, lawful))

    def _approve(self, case: Case, by: Person, shown: Shown) -> None:
        with tenant_scope(case.company.tenant.pk):
            row = AgenteAprovacao.objects.get(pk=case.pk)
        with tenant_scope(self.companies[by.company].tenant.pk):
            decisions.approve(proposal=row, approver=_principal(by), seen_hash=shown.hash)

    def _refuse(self, case: Case, by: Person) -> None:
        with tenant_scope(case.company.tenant.pk):
            row = AgenteAprovacao.objects.get(pk=case.pk)
            shown = case.shown[by.user_id].hash
            decisions.refuse(proposal=row, approver=_principal(by), seen_hash=shown, reason=REASON)

    def _expire(self, case: Case) -> None:
        expiry.expire_due(tenant_id=case.company.tenant.pk, approval_id=case.pk)

    def _cancel(self, case: Case) -> None:
        with tenant_scope(case.company.tenant.pk):
            row = AgenteAprovacao.objects.get(pk=case.pk)
            decisions.cancel(proposal=row, requester=_principal(case.requester))

    def _alter(self, what: str, case: Case, change: str, *values: Any) -> None:
        """As the owner of the database would: past every check of the product."""
        statement = f"UPDATE agente_aprovacao SET {change} WHERE id = %s"  # noqa: S608 - ours
        self.tally.act(what, lambda: self.owner.execute(statement.encode(), [*values, case.pk]))

    def _action(self, case: Case) -> dict[str, Any]:
        return dict(self._column(case, "proposta"))

    def _column(self, case: Case, name: str) -> Any:
        statement = f"SELECT {name} FROM agente_aprovacao WHERE id = %s"  # noqa: S608 - ours
        row = self.owner.execute(statement.encode(), [case.pk]).fetchone()
        assert row is not None
        return row[0]

    def _execute(self, case: Case) -> None:
        """The worker's own step, with every wait over."""
        for (execution_id,) in self.owner.execute(DUE, [case.pk]).fetchall():
            advancing.advance(
                tenant_id=case.company.tenant.pk,
                execution_id=execution_id,
                tracker=self.remote.tracker,
            )

    def _look_with_no_tenant(self) -> None:
        """On the connection that the last act used, outside of every scope."""
        with connection.cursor() as cursor:
            cursor.execute(UNSCOPED)
            seen = cursor.fetchone()[0]
        assert seen == 0, f"I5: {seen} proposals are seen with no tenant set"


def _principal(person: Person) -> Principal:
    """As the middleware makes it at each request: the roles are those of now."""
    found = selectors.principal(User.objects.get(pk=person.user_id))
    if found is None:
        raise User.DoesNotExist
    return found


def _shown(row: AgenteAprovacao) -> Shown:
    marker = drafts.marker_of(
        tenant_id=row.tenant_id, run_id=row.correlacao_id, action_hash=row.acao_hash
    )
    return Shown(row.acao_hash, dict(row.proposta), marker)
