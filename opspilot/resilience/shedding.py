"""What waits outside while there is more to do than is being done, the least urgent first.

    shedding.admit(Work.CONSULT)     raises, or lets it in
    shedding.rests(Work.BACKGROUND)  for work that comes back by itself

An explicit command, a decision and an effect have no name here: they are never kept outside.
Nothing that was let in is dropped; what is refused was not stored, and the answer says when to come
back.
"""

from __future__ import annotations

import math
from enum import IntEnum

import structlog
from django.utils.translation import gettext_lazy as _

from opspilot.errors import LaterError
from opspilot.resilience import pressure

log = structlog.get_logger(__name__)
SOONEST, LATEST = 10, 120  # seconds after which it is said to come back


class Work(IntEnum):
    """By the level from which on it waits. `BACKGROUND`: evaluation, shadow, new vectors, near-copies;
    `CONSULT`: an agent's, of the runbooks; `QUESTION`: a person's."""

    BACKGROUND = 1
    CONSULT = 2
    QUESTION = 3


class BusyError(LaterError):
    code = "muito_trabalho"
    title = _("Há trabalho demais na fila agora")
    what = _("As perguntas estão esperando muito. Esta não foi gravada; o texto continua no campo.")
    next_step = _(
        "Envie de novo em um ou dois minutos. Comandos explícitos e decisões seguem como sempre."
    )


class BusyForAgentsError(BusyError):
    what = _("Há trabalho demais na fila; perguntas de pessoas vêm antes. Nada foi consultado.")
    next_step = _("Repita o pedido depois do tempo do cabeçalho Retry-After.")


def admit(work: Work) -> None:
    """Raises BusyError while this kind of work waits outside."""
    level, oldest = pressure.standing()
    if level < work:
        return
    log.info("work kept outside", work=work.name.lower(), level=level)
    wait = max(SOONEST, min(LATEST, math.ceil(oldest)))
    if work is Work.QUESTION:
        raise BusyError(retry_after=wait)
    raise BusyForAgentsError(retry_after=wait)


def rests(work: Work) -> bool:
    """Whether it waits now."""
    return pressure.standing()[0] >= work
