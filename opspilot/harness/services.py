"""Opens runs: a question for the worker, or an explicit command that needs no model.

The harness can search, prepare one proposal, or answer. It has no path to a decision or an effect
(I6): the import contracts fail the build if it gains one.
"""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals import actions, drafts, proposals
from approvals.actions import Command, IssueCommand
from approvals.drafts import Draft
from approvals.errors import AlreadyProposedError, NothingToAskAgainError
from approvals.inbox import selectors as approvals
from approvals.models import AgenteAprovacao
from approvals.stops import schedule
from approvals.tasks import task_command
from audit import entities
from audit.guard import refusing
from audit.models import Entity
from grounding.pages import selectors as knowledge
from opspilot.errors import InvalidInputError, NotFoundError
from opspilot.harness import evidence
from opspilot.harness.models import SCHEMA_VERSION, Run, RunKind, RunState
from opspilot.presentation.normal_form import nfc
from opspilot.queue import wake
from opspilot.resilience import shedding
from opspilot.resilience.shedding import Work
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal

MAX_QUESTION = 4_000
MIN_JUSTIFICATION = 10
# One without a basis is refused by the policy, with a code of its own.
_PROPOSABLE = (
    RunState.ANSWERED,
    RunState.ABSTAINED,
    RunState.PREPARED,
    RunState.ASKS,
    RunState.COMMAND,
)


class EmptyQuestionError(InvalidInputError):
    code = "pergunta_vazia"
    what = _("A pergunta veio vazia.")
    next_step = _("Escreva a pergunta e envie de novo.")


class QuestionTooLongError(InvalidInputError):
    code = "pergunta_longa"
    what = _("A pergunta passa de 4.000 caracteres.")
    next_step = _(
        "Envie só a parte do texto que importa; um log pode ser cortado ao trecho do erro."
    )


class NotProposableError(InvalidInputError):
    code = "rodada_sem_comando"
    what = _("Esta rodada ainda não tem um comando para confirmar.")
    next_step = _("Preencha a proposta a partir da resposta e revise de novo.")


class UnansweredError(InvalidInputError):
    """A proposal starts from an answer or from a command, never from an open or failed question."""

    code = "rodada_sem_resposta"
    what = _("Esta pergunta ainda não tem resposta; dela não sai proposta.")
    next_step = _("Espere a resposta, ou registre um comando explícito.")


class JustificationRequiredError(InvalidInputError):
    code = "justificativa_exigida"
    what = _("Diga por que isto precisa ser feito, com pelo menos 10 caracteres.")


def ask(*, principal: Principal, question: str, collections: Sequence[str] = ()) -> Run:
    """Queue a question over these collections (all that they may read when none is named)."""
    text = nfc(question.replace("\r\n", "\n").replace("\x00", "")).strip()
    if not text:
        raise EmptyQuestionError
    if len(text) > MAX_QUESTION:
        raise QuestionTooLongError
    shedding.admit(Work.QUESTION)
    run = _open(principal, RunKind.QUESTION, RunState.QUEUED, question=text)
    run.collections = knowledge.collection_ids(who=principal, slugs=collections)
    run.versao_esquema = SCHEMA_VERSION  # a worker that plans nothing would only look and answer
    run.save()
    wake("run")
    return run


def fill_in(
    *, principal: Principal, run: Run, data: dict[str, Any], justification: str, document: str
) -> Draft:
    """Parse and resolve a command for the run; the requester confirms it on the next page.

    Calls no model. `document` is the customer's CPF or CNPJ, kept only as an internal id.
    """
    check_justification(justification)
    hold(run)
    command = actions.parse(data)
    draft = drafts.prepare(
        principal=principal, run_id=run.ref, command=command, coverage=run.coverage
    )
    words = {"fields": as_stored(command, draft), "justification": written(justification)}
    keep(run, words | customer(document))
    return draft


def keep(run: Run, words: dict[str, Any]) -> None:
    """What its requester filled in: a run that asked for it has a command now. Where the request's
    text went by its term, what is new goes in its turn."""
    run.command |= words
    run.text_gone_at = None
    if run.state == RunState.ASKS:
        run.state = RunState.PREPARED
    run.save(update_fields=["command", "state", "text_gone_at"])


def as_stored(command: IssueCommand, draft: Draft) -> dict[str, Any]:
    """The words as they will be frozen: a link that leads nowhere is none here either."""
    words = {name: draft.action[name] for name in ("title", "description")}
    return command.model_dump(mode="json") | words


def open_command(
    *, principal: Principal, data: dict[str, Any], justification: str, document: str
) -> Run:
    """A run that starts from an explicit command: no search, no model (seeds/004)."""
    run = opened(principal)
    fill_in(principal=principal, run=run, data=data, justification=justification, document=document)
    return run


def ask_again(*, principal: Principal, run: Run) -> Run:
    """A run of its own for what this one proposed and did not get done: the same question and
    answer, the same command to confirm or change, linked to the proposal before it.

    Raises NotFoundError for somebody else's run, NothingToAskAgainError while the proposal is
    open, is being carried out, was, or was asked again already. Asked once more at confirmation.
    """
    before = approvals.proposal_of_run(run_id=run.ref)
    if run.requester != principal.subject:
        raise NotFoundError
    if before is None or approvals.following(proposal=before) is not None:
        raise NothingToAskAgainError(correlation_id=run.ref)
    if not proposals.can_be_asked_again(before):
        raise NothingToAskAgainError(correlation_id=run.ref)
    again = _open(principal, RunKind(run.kind), RunState(run.state), question=run.question)
    again.collections, again.answer, again.coverage = run.collections, run.answer, run.coverage
    again.finished_at = run.finished_at
    kept = {name: value for name, value in run.command.items() if name != schedule.FIELD}
    again.command = kept | {"anterior": str(before.ref)}
    again.save()
    return again


def draft_of(*, principal: Principal, run: Run) -> Draft:
    """The command as it stands under the policy of now, for the confirmation page."""
    if not run.command.get("justification"):
        raise NotProposableError
    return drafts.prepare(
        principal=principal,
        run_id=run.ref,
        command=_command_of(run),
        coverage=run.coverage,
        execute_from=_chosen(run),
        undoes=_proposal_named(run, "undoes"),
    )


def _chosen(run: Run) -> dt.datetime | None:
    """The moment it is not to be carried out before; one that is over says nothing any more."""
    moment = schedule.of(run.command)
    return moment if moment is not None and moment > clock.now() else None


def _command_of(run: Run) -> Command:
    if "task" in run.command:
        return task_command.read(run.command["task"])
    return actions.parse_json(json.dumps(run.command["fields"]))


def confirm(*, principal: Principal, run: Run, seen_hash: str) -> AgenteAprovacao:
    """The requester's act: what the page showed becomes the frozen proposal."""
    hold(run)
    draft = draft_of(principal=principal, run=run)
    entity = _registered(principal, run)
    return proposals.create(
        principal=principal,
        draft=draft,
        seen_hash=seen_hash,
        justification=run.command["justification"],
        entity=entity,
        evidence=evidence.of(run),
        anterior=_proposal_named(run, "anterior"),
    )


def _proposal_named(run: Run, name: str) -> AgenteAprovacao | None:
    ref = run.command.get(name)
    return approvals.proposal(ref=uuid.UUID(ref)) if ref else None


def hold(run: Run) -> None:
    """Lock the run, as it is now, until the transaction ends: what is proposed from it is frozen
    once. Raises UnansweredError or AlreadyProposedError."""
    run.refresh_from_db(from_queryset=Run.objects.select_for_update())
    if run.state not in _PROPOSABLE:
        raise UnansweredError(correlation_id=run.ref)
    if approvals.proposal_of_run(run_id=run.ref) is not None:
        raise AlreadyProposedError(correlation_id=run.ref)


def client_of(run: Run) -> str:
    """The masked title of the customer the command is about; empty without one."""
    new = run.command.get("customer")
    known = entities.title_of(type_=entities.CUSTOMER, ref=run.command.get("entity"))
    return str(new["title"]) if new else known


def opened(principal: Principal) -> Run:
    """A stored run for an explicit command, still to be filled in."""
    run = _open(principal, RunKind.COMMAND, RunState.COMMAND, question="")
    run.save()
    return run


def written(text: str) -> str:
    """What a field of several lines holds: a browser ends each of them with two signs."""
    return text.replace("\r\n", "\n").strip()


def check_justification(text: str) -> None:
    if len(text.strip()) < MIN_JUSTIFICATION:
        raise JustificationRequiredError
    refusing.refuse({"justificativa": text})


def _open(principal: Principal, kind: RunKind, state: RunState, *, question: str) -> Run:
    return Run(
        tenant_id=principal.tenant_id,
        kind=kind,
        state=state,
        requester=principal.subject,
        requester_name=principal.name,
        question=question,
    )


def customer(document: str) -> dict[str, Any]:
    """Whose CPF or CNPJ this is, as a run keeps it: an entry of the registry by its id, or what makes
    one of somebody new. Nothing is registered before the confirmation."""
    if not document.strip():
        return {"entity": None, "customer": None}
    read = entities.parse_document(document)
    found = entities.find(document=read)
    if found is not None:
        return {"entity": str(found.ref), "customer": None}
    return {
        "entity": None,
        "customer": {"hash": entities.document_hash(read), "title": read.masked},
    }


def _registered(principal: Principal, run: Run) -> Entity | None:
    """The customer's entry, made now for somebody new. Then the run keeps the id alone: what makes an
    entry would bring an erased identity back."""
    new, reference = run.command.get("customer"), run.command["entity"]
    if not new:
        return (
            entities.get(type_=entities.CUSTOMER, ref=uuid.UUID(reference)) if reference else None
        )
    entity = entities.register(
        principal=principal, named=entities.Named(**new), correlation_id=run.ref
    )
    run.command |= {"entity": str(entity.ref), "customer": None}
    run.save(update_fields=["command"])
    return entity
