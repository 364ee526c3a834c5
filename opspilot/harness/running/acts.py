"""What a person does with a run that is not theirs to wait for: stop it, try it anew, take it over.

Each is a row of the trail. None of them decides or sends anything.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from audit import trail
from opspilot.errors import RefusedError
from opspilot.harness.models import Run, RunState
from opspilot.harness.running import ends, steps
from opspilot.queue import wake
from opspilot.tenancy import lease
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import TAKERS

OPEN = (RunState.QUEUED, RunState.RUNNING)
TRIED_ANEW = (RunState.FAILED, RunState.REVIEW)
WITH_PEOPLE = (RunState.HANDOVER, RunState.REVIEW)


class NothingToStopError(RefusedError):
    code = "rodada_ja_terminou"
    title = _("Esta rodada já terminou")
    what = _("Não há mais nada para parar. Nada foi mudado.")
    next_step = _("Abra a rodada e veja como ela terminou.")


class NothingToTryAnewError(RefusedError):
    code = "rodada_sem_nova_tentativa"
    title = _("Esta rodada não pode ser tentada de novo")
    what = _("Ela não parou por falha, ou o texto do pedido já foi apagado. Nada foi mudado.")
    next_step = _("Faça o pedido de novo em Perguntar.")


class NothingToTakeError(RefusedError):
    code = "rodada_sem_repasse"
    title = _("Ninguém espera por uma pessoa aqui")
    what = _("Esta rodada não foi repassada, ou já está com outra pessoa. Nada foi mudado.")
    next_step = _("Abra a rodada e veja com quem ela está.")


def may_stop(principal: Principal, run: Run) -> bool:
    """Who asked, and an admin."""
    return run.requester == principal.subject or principal.has(Role.ADMIN)


def stop(*, principal: Principal, run: Run) -> None:
    """At once while no worker has it; else its worker ends it before the next step. Raises
    NothingToStopError for one that has ended, or that is being stopped already."""
    rows = Run.objects.filter(pk=run.pk, state__in=OPEN, stop_by="")
    is_free = Q(state=RunState.QUEUED) | Q(claim_token=None) | lease.ended()
    ended = rows.filter(is_free).update(
        state=RunState.STOPPED,
        code=ends.STOPPED_CODE,
        stop_by=principal.signature,
        finished_at=Now(),
        **lease.RELEASED,
    )
    if not ended and not rows.update(stop_by=principal.signature):
        raise NothingToStopError(correlation_id=run.ref)
    _record(principal, run, "rodada.parada")


def try_anew(*, principal: Principal, run: Run, embedded: bool) -> None:
    """Queue it again, for good or by the embedded rules. After an outage it goes on from its steps;
    after a bound it begins anew. Raises NothingToTryAnewError."""
    if run.requester != principal.subject:
        raise NothingToTryAnewError(correlation_id=run.ref)
    queue_anew(run=run, embedded=embedded)
    how = "em modo embutido" if embedded else "como antes"
    _record(principal, run, "rodada.retomada", saida_resumo=how)


def queue_anew(*, run: Run, embedded: bool = False) -> None:
    """The same whoever asks for it, and without its row of the trail: an admin's act has its own. It
    waits from now on, not from when it was asked. Raises NothingToTryAnewError."""
    rows = Run.objects.filter(pk=run.pk).exclude(question="")
    queued = rows.filter(state__in=TRIED_ANEW).update(
        state=RunState.QUEUED,
        code="",
        attempts=0,
        steps_from=_begin_after(run),
        embedded=embedded,
        try_after=None,
        stop_by="",
        held_by="",
        finished_at=None,
        claim_token=None,
        lease_until=Now(),
    )
    if not queued:
        raise NothingToTryAnewError(correlation_id=run.ref)
    wake("run")


def take(*, principal: Principal, run: Run) -> None:
    """From now on this person has it, and the page says so. Raises NothingToTakeError."""
    waiting: QuerySet[Run, Run] = Run.objects.filter(pk=run.pk, state__in=WITH_PEOPLE, held_by="")
    if not waiting.update(held_by=principal.signature):
        raise NothingToTakeError(correlation_id=run.ref)
    _record(principal, run, "repasse.assumido")


def may_take(principal: Principal, run: Run) -> bool:
    return principal.has(*TAKERS) and run.state in WITH_PEOPLE and not run.held_by


def _begin_after(run: Run) -> int:
    if run.state == RunState.REVIEW:
        return run.steps_from
    rows = steps.of(run)
    return rows[-1].number if rows else 0


def _record(principal: Principal, run: Run, action: str, **values: str) -> None:
    trail.record_act(principal, action, correlacao_id=run.ref, **values)
