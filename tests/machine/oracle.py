"""What must be true of every issue at the remote, judged from the remote's own log.

Nothing here asks the product whether something was allowed: who acted, on what they were shown and
when, is noted by the machine as it happens.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tests.machine.companies import Company, Outcome, Person
from tests.machine.remote import Created

APPROVED_BY_MARKER = """
SELECT a.id, a.estado, a.acao_hash FROM execution e
  JOIN agente_aprovacao a ON a.tenant_id = e.tenant_id AND a.id = e.approval_id
 WHERE e.marker = %s
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """A proposal's page as somebody had it before them."""

    hash: str
    action: dict[str, Any]
    marker: str

    def is_of(self, created: Created) -> bool:
        """The issue is this page's content, field by field, and its hash is really its hash."""
        issue, action = created.issue, self.action
        return (
            _hash(action) == self.hash
            and created.project_id == action["target"]["project_id"]
            and issue["title"] == action["title"]
            and issue["description"] == f"{action['description']}\n\n{self.marker}"
            and sorted(issue["labels"]) == sorted(action["labels"])
            and issue["assignee_ids"] == [item["id"] for item in action["assignees"]]
            and issue["confidential"] == action["confidential"]
        )


@dataclass(frozen=True, slots=True)
class Vote:
    """An approval the product let through. `lawful`: by the right person, in time."""

    user_id: int
    shown: Shown
    lawful: bool


@dataclass
class Case:
    pk: int
    company: Company
    requester: Person
    alias: str
    made_under: Outcome
    shown: dict[int, Shown]
    votes: list[Vote] = field(default_factory=list)
    late: bool = False
    late_to_execute: bool = False
    closed: bool = False
    issues: int = 0
    tried: bool = False

    @property
    def ripe(self) -> bool:
        """Has votes enough to be carried out, and nobody tried yet."""
        return len(self.votes) >= self.made_under.quorum and not self.tried

    @property
    def last_voter(self) -> Person | None:
        voters = {person.user_id: person for person in self.company.people}
        return voters.get(self.votes[-1].user_id) if self.votes else None

    def is_lawful(self, person: Person) -> bool:
        """Whether this person may approve now: another one, of the company, with the role, in time."""
        return self.could(person) and not self.late

    def could(self, person: Person) -> bool:
        """The same, whatever the clock says."""
        now = self.company.outcome(self.alias)
        return (
            now is not None
            and person.user_id != self.requester.user_id
            and person.company == self.company.number
            and now.role in person.roles
            and not self.closed
        )

    def who_could(self) -> list[Person]:
        voted = {vote.user_id for vote in self.votes}
        return [p for p in self.company.people if self.could(p) and p.user_id not in voted]


def judge(created: Created, cases: list[Case], owner: psycopg.Connection[Any]) -> None:
    """Raise AssertionError naming every promise this issue breaks."""
    rows = owner.execute(APPROVED_BY_MARKER, [created.marker]).fetchall()
    assert len(rows) == 1, f"I1: {len(rows)} approvals stand behind one issue"
    pk, state, stored_hash = rows[0]
    case = next(case for case in cases if case.pk == pk)
    case.issues += 1
    broken = [words for words, holds in _promises(case, created, state, stored_hash) if not holds]
    assert not broken, "; ".join(broken)


def _promises(case: Case, created: Created, state: str, stored_hash: str) -> list[tuple[str, bool]]:
    now = case.company.outcome(case.alias)
    lawful = [vote for vote in case.votes if vote.lawful]
    informed = [vote for vote in lawful if vote.shown.is_of(created)]
    voters, people = ({vote.user_id for vote in votes} for votes in (lawful, informed))
    still = {p.user_id for p in case.company.people if case.made_under.role in p.roles}
    needed = case.made_under.quorum
    return [
        ("I4: a second issue of one approval", case.issues == 1),
        ("I1: not approved, or closed before", state == "aprovada" and not case.closed),
        ("I1: not enough other people approved in time", len(voters) >= needed),
        ("I2: not what enough approvers were shown", len(people) >= needed),
        ("I1: an approver had lost the role since", len(voters & still) >= needed),
        ("I2: not the hash that was approved", {v.shown.hash for v in informed} <= {stored_hash}),
        ("I1: carried out after its deadline", not case.late_to_execute),
        ("I3: the policy had moved", now == case.made_under),
        ("I5: another company's project", created.project_id == case.made_under.project_id),
    ]


def _hash(action: dict[str, Any]) -> str:
    text = json.dumps(action, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def altered(action: dict[str, Any], name: str, value: Any) -> tuple[dict[str, Any], str]:
    """Another action and its hash: what somebody with the keys could store."""
    changed = action | {name: value}
    return changed, _hash(changed)
