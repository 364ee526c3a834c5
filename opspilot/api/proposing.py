"""An agent's request becomes a proposal like a person's: same rules, same freezing, same inbox."""

from __future__ import annotations

import json
import uuid

from approvals import actions
from approvals.actions import ISSUE_CREATED, AgentFacts, Command
from approvals.agents import agent_proposals, external_command
from approvals.agents.agent_errors import RunConflictError
from approvals.agents.agent_proposals import Asked
from approvals.models import AgenteAprovacao
from approvals.tasks import preflights, task_command
from approvals.tasks.task_command import TASK_RUN
from approvals.tasks.task_refusals import PreflightPendingError
from grounding.retrieval import receipts
from opspilot.api import agents, reading, whose_runs
from opspilot.api.contract import ProposalIn
from opspilot.api.entry import Visitor


def propose(*, visitor: Visitor, data: ProposalIn) -> tuple[AgenteAprovacao, bool]:
    """The proposal, and whether it is new; raises whatever the policy or the run refuses.

    PreflightPendingError leaves a reading of the template in the queue: the caller must not roll
    the transaction back.
    """
    principal = visitor.principal
    _check_run(visitor, data.correlacao_id)
    before = reading.own(principal=principal, ref=data.anterior) if data.anterior else None
    facts = AgentFacts(
        slug=principal.slug,
        owner=principal.owner,
        model=data.modelo or visitor.model,
        instruction_hash=data.instrucao_hash or visitor.instruction_hash,
        barred=visitor.issuers | agents.lately_behind(agent_id=visitor.agent_id),
    )
    receipt = receipts.own(who=principal, ref=data.recibo) if data.recibo else None
    asked = Asked(
        run_id=data.correlacao_id or uuid.uuid4(),
        command=_command(data),
        justification=data.justificativa,
        facts=facts,
        coverage=receipt.coverage if receipt else None,
        evidence=receipts.evidence(receipt) if receipt else (),
        anterior=before,
        execute_from=data.executar_de,
    )
    try:
        return agent_proposals.propose(agent=principal, asked=asked)
    except PreflightPendingError as exc:
        preflights.want(project=exc.facts["project"], template=exc.facts["template"])
        raise


def _check_run(visitor: Visitor, run_id: uuid.UUID | None) -> None:
    """A person's run is theirs, also while nothing was proposed in it: the one proposal it may have
    is not the agent's to take. The refusal's row stands in no run."""
    if run_id and whose_runs.others_among({run_id}, visitor.principal):
        raise RunConflictError


def _command(data: ProposalIn) -> Command:
    """JSON has lists where a command has tuples: an issue is read from JSON again."""
    if data.acao == ISSUE_CREATED:
        return actions.parse_json(json.dumps(data.comando))
    if data.acao == TASK_RUN:
        return task_command.read(data.comando)
    return external_command.read(kind=data.acao, fields=data.comando)
