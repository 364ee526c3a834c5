"""A notice that did not leave gets its attempts again."""

from __future__ import annotations

from uuid import UUID

from django.db.models.functions import Now

from opspilot.errors import NotFoundError
from opspilot.notices.models import Notice, NoticeState
from opspilot.queue import wake
from opspilot.tenancy import lease


def begin_again(*, ref: UUID) -> Notice:
    """It is written and checked anew when it is sent: what is no news by then is dropped. Raises
    NotFoundError for one that did not fail."""
    found = Notice.objects.filter(ref=ref, state=NoticeState.FALHOU).update(
        state=NoticeState.PENDENTE,
        outcome="",
        attempts=0,
        next_at=Now(),
        settled_at=None,
        **lease.RELEASED,
    )
    if not found:
        raise NotFoundError
    wake("notice")
    return Notice.objects.select_related("approval").get(ref=ref)
