"""What an agent proposes: the same request twice is one proposal, another one in its run is refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from approvals import drafts, links, proposals
from approvals.actions import AgentFacts, Command, IssueCommand
from approvals.agents import unattended
from approvals.agents.agent_errors import RunConflictError
from approvals.drafts import Draft
from approvals.errors import AlreadyProposedError, NothingToAskAgainError
from approvals.models import AgenteAprovacao
from approvals.policy import stored
from approvals.stops import schedule
from approvals.tasks.task_command import TaskCommand
from audit.models import Entity
from opspilot.tenancy.principal import AgentPrincipal


@dataclass(frozen=True, slots=True)
class Asked:
    """What an agent asks for, in a run of its own. `anterior` is the closed proposal it says it
    asks again; without one, the last closed one of exactly this content is found.

    Of `facts` who asks and who owns it are not taken: the agent is known.
    """

    run_id: UUID
    command: Command
    justification: str
    facts: AgentFacts
    coverage: str | None = None
    entity: Entity | None = None
    evidence: Sequence[dict[str, Any]] = ()
    anterior: AgenteAprovacao | None = None
    execute_from: dt.datetime | None = None


def propose(*, agent: AgentPrincipal, asked: Asked) -> tuple[AgenteAprovacao, bool]:
    """Freeze the agent's command, which is its confirmation. True = it was made by this call.

    The same command in the same run gives the first proposal again, decided or not, also when the
    policy has moved on; any other raises RunConflictError. In a new run it is a new proposal, linked
    to the one before that was refused, sent back, cancelled or never carried out.
    """
    first = _of_run(asked.run_id)
    if first is not None:
        return _same(first, agent, asked), False
    draft = drafts.prepare(
        principal=agent,
        run_id=asked.run_id,
        command=asked.command,
        coverage=asked.coverage,
        execute_from=asked.execute_from,
    )
    try:
        proposal = _create(agent, draft, asked)
    except AlreadyProposedError:  # the same agent, started twice, was here at the same instant
        winner = _of_run(asked.run_id)
        if winner is None:
            raise
        return _same(winner, agent, asked), False
    if stored.is_external(proposal.proposta):
        proposal = unattended.decide(proposal)
    return proposal, True


def refused_before(draft: Draft) -> AgenteAprovacao | None:
    """The newest closed proposal of exactly this content, if nobody has asked it again yet."""
    alike = AgenteAprovacao.objects.filter(acao_hash=draft.hash).order_by("-pk")[:1]
    last = alike.first()
    if last is None or AgenteAprovacao.objects.filter(anterior=last).exists():
        return None
    return last if proposals.can_be_asked_again(last) else None


def _create(agent: AgentPrincipal, draft: Draft, asked: Asked) -> AgenteAprovacao:
    if asked.anterior is not None:
        return _freeze(agent, draft, asked, asked.anterior)
    try:
        return _freeze(agent, draft, asked, refused_before(draft))
    except NothingToAskAgainError:  # another run of the same agent asked it again first
        return _freeze(agent, draft, asked, None)


def _freeze(
    agent: AgentPrincipal, draft: Draft, asked: Asked, anterior: AgenteAprovacao | None
) -> AgenteAprovacao:
    return proposals.create(
        principal=agent,
        draft=draft,
        seen_hash=draft.hash,
        justification=asked.justification,
        entity=asked.entity,
        evidence=asked.evidence,
        anterior=anterior,
        agent=replace(asked.facts, slug=agent.slug, owner=agent.owner),
    )


def _of_run(run_id: UUID) -> AgenteAprovacao | None:
    return AgenteAprovacao.objects.filter(correlacao_id=run_id).first()


def _same(first: AgenteAprovacao, agent: AgentPrincipal, asked: Asked) -> AgenteAprovacao:
    """The proposal of this run, if it is this agent's and of exactly this command and moment."""
    try:
        is_same = _is_of(asked.command, stored.command_of(first.proposta))
        is_same = is_same and schedule.of(first.proposta) == schedule.kept(asked.execute_from)
    except (KeyError, TypeError, ValueError):  # altered in the table: nobody's command any more
        is_same = False
    if not is_same or first.solicitante != agent.subject:
        raise RunConflictError(correlation_id=first.correlacao_id)
    return first


def _is_of(asked: Command, resolved: Command) -> bool:
    """A template is asked for by its alias or by its number, and resolved to both."""
    if isinstance(asked, TaskCommand) and isinstance(resolved, TaskCommand):
        return asked.is_of(resolved)
    if isinstance(asked, IssueCommand) and isinstance(resolved, IssueCommand):
        return _unlinked(asked) == _unlinked(resolved)
    return asked == resolved


def _unlinked(command: IssueCommand) -> IssueCommand:
    """Without any link at all: which of them stayed was the word of the policy of that time."""
    words = {name: links.inert(getattr(command, name), ()) for name in ("title", "description")}
    return command.model_copy(update=words)
