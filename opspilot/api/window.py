"""How many requests of an agent fit in a minute. A row in the database: it holds over processes."""

from __future__ import annotations

from django.conf import settings
from django.db import connection

from opspilot.api.errors import StillTooManyRequestsError, TooManyRequestsError
from opspilot.errors import OpsPilotError
from opspilot.tenancy.scope import current_tenant_id

# A clock that stepped back must not open a second window.
_COUNT = """
INSERT INTO agent_window AS w (tenant_id, agent_id, started_at, used)
VALUES (%s, %s, date_trunc('minute', clock_timestamp()), 1)
ON CONFLICT (tenant_id, agent_id) DO UPDATE
   SET used = CASE WHEN excluded.started_at <= w.started_at THEN w.used + 1 ELSE 1 END,
       started_at = greatest(w.started_at, excluded.started_at)
RETURNING used, ceil(extract(epoch FROM
                started_at + interval '1 minute' - clock_timestamp()))::integer
"""


def count(*, agent_id: int) -> OpsPilotError | None:
    """Count one request; the refusal when the minute is full."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [current_tenant_id(), agent_id])
        used, seconds = cursor.fetchone()
    over = used - settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE
    if over <= 0:
        return None
    retry_after = max(1, seconds)
    if over == 1:
        return TooManyRequestsError(retry_after=retry_after)
    return StillTooManyRequestsError(retry_after=retry_after)
