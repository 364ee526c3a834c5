"""What the control cases do: ask with a scripted planner, propose, approve, carry out."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from approvals import actions, decisions, drafts, proposals
from approvals.execution import advancing
from approvals.models import AgenteAprovacao, Execution
from opspilot.avaliacao.company import People
from opspilot.avaliacao.state import Connection, Remotes
from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunStep
from opspilot.harness.planning import choosing
from opspilot.harness.planning.port import Choice, FinalAnswer, Planned, Situation
from opspilot.smoke.sandbox import Sandbox
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope

WHY = "A fila parou e clientes esperam."


@dataclass(frozen=True, slots=True)
class Cast:
    own: People
    other: People
    remotes: Remotes
    admin: Connection
    sandbox: Sandbox


@dataclass
class Scripted:
    """Says these calls, one after the other, and then that the answer is to be given."""

    calls: Sequence[Any]
    name: str = "roteiro"
    instruction_hash: str = "0" * 64
    said: int = 0

    def next(self, situation: Situation) -> Choice:
        call = (
            self.calls[self.said] if self.said < len(self.calls) else FinalAnswer(ending="answer")
        )
        self.said += 1
        return Choice(Planned.model_construct(intent="change", call=call))


@dataclass(frozen=True, slots=True)
class Ended:
    run: Run
    steps: list[RunStep] = field(default_factory=list)

    @property
    def codes(self) -> list[str]:
        return [step.code for step in self.steps]


def planned(cast: Cast, planner: Any, *, question: str = "A fila parou no serviço.") -> Ended:
    """A run of the operador to its end, planned by this planner."""
    people = cast.own
    with choosing.standing_in(planner):
        with tenant_scope(people.tenant_id):
            run = services.ask(principal=people.operador, question=question)
        loop.advance(tenant_id=people.tenant_id, run_id=run.pk)
    with tenant_scope(people.tenant_id):
        run.refresh_from_db()
        return Ended(run, list(RunStep.objects.filter(run=run).order_by("number")))


def proposed(cast: Cast, *, by: Principal | None = None, alias: str = "infra") -> AgenteAprovacao:
    """An issue, confirmed by who asks for it."""
    requester = by or cast.own.operador
    command = actions.parse(
        {
            "alias": alias,
            "title": f"Conferir a fila {uuid.uuid4().hex[:8]}",
            "description": "A fila passou do limite.",
            "labels": (),
            "assignees": (),
        }
    )
    with tenant_scope(cast.own.tenant_id):
        draft = drafts.prepare(
            principal=requester, run_id=uuid.uuid4(), command=command, coverage=None
        )
        return proposals.create(
            principal=requester,
            draft=draft,
            seen_hash=draft.hash,
            justification=WHY,
            entity=None,
            evidence=[],
        )


def approved(
    cast: Cast, proposal: AgenteAprovacao, *, by: Principal | None = None, seen: str = ""
) -> AgenteAprovacao:
    """Approved as it stands now, in the company it belongs to."""
    with tenant_scope(cast.own.tenant_id):
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        return decisions.approve(
            proposal=fresh,
            approver=by or cast.own.aprovador,
            seen_hash=seen or fresh.acao_hash,
            authenticated_at=timezone.now(),
        )


def carried_on(cast: Cast, proposal: AgenteAprovacao) -> str:
    """One step of its execution; the state it is in afterwards."""
    with tenant_scope(cast.own.tenant_id):
        key = Execution.objects.get(approval=proposal).pk
    advancing.advance(tenant_id=cast.own.tenant_id, execution_id=key)
    with tenant_scope(cast.own.tenant_id):
        return str(Execution.objects.get(pk=key).state)


def sent(cast: Cast, proposal: AgenteAprovacao) -> int:
    return cast.remotes.count(drafts.marker_for(proposal))


def changed_behind(cast: Cast, query: str, *values: Any) -> None:
    """As somebody would who writes past the product, with every right on the server."""
    with cast.admin.transaction():
        cast.admin.execute("SET LOCAL session_replication_role = replica")
        cast.admin.execute(query.encode(), values)


def refused(error: type[Exception], act: Callable[[], object]) -> bool:
    try:
        act()
    except error:
        return True
    return False
