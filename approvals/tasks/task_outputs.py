"""What a task printed, kept for whoever reads the run: masked, bounded, and deciding nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from django.db.models.functions import Now

from approvals.models import AgenteAprovacao, Execution, TaskOutput
from audit.masking import mask_whole
from opspilot.connectors.tasks import HostResult, plain

MOST = 256 * 1024  # characters
_HEAD = MOST // 4


def keep(
    proposal: AgenteAprovacao,
    *,
    status: str,
    text: str,
    recap: Mapping[str, HostResult],
    ended: bool,
) -> None:
    """The newest look replaces the one before; one that ended is replaced by nothing.

    Needs the scope of the proposal's company, and the caller's claim on its execution.
    """
    execution = Execution.objects.get(approval=proposal)
    values = {
        "status": status[:40],
        "text": bounded(mask_whole(plain(text))),
        "recap": {host: asdict(result) for host, result in recap.items()},
        "ended": ended,
    }
    _row, made = TaskOutput.objects.get_or_create(
        tenant_id=proposal.tenant_id, execution=execution, defaults=values
    )
    if not made:
        open_ = TaskOutput.objects.filter(execution=execution, ended=False)
        open_.update(seen_at=Now(), **values)


def of(execution: Execution) -> TaskOutput | None:
    return TaskOutput.objects.filter(execution=execution).first()


def bounded(text: str) -> str:
    """The beginning and, where the recap stands, the end."""
    if len(text) <= MOST:
        return text
    return f"{text[:_HEAD]}\n[…]\n{text[_HEAD - MOST :]}"
