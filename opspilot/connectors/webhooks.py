"""The one door of webhooks and callbacks: signed, to listed places, by the address that was checked.

No redirect is followed, no answer is read beyond a few bytes, and the whole exchange, the look-up of
the name included, has one deadline, however slowly the other side speaks.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.conf import settings
from standardwebhooks import Webhook

from opspilot.connectors import egress, http
from opspilot.connectors.errors import RefusedByRemoteError

WHOLE = 10.0  # seconds, from the name to the last byte read
GONE = 410


def send(*, url: str, message_id: str, body: str, secrets: Sequence[str], at: dt.datetime) -> None:
    """Post one signed message. `message_id` is the same at every try, so the other side can tell.

    Raises NotAllowedError and NotSentError (nothing left), RefusedByRemoteError (any answer but
    2xx, with its status) or OutcomeUnknownError (no answer that can be read).
    """
    wanted = egress.place(url, allowed=settings.OPSPILOT_EGRESS_HTTP)
    headers = signed(message_id=message_id, body=body, secrets=secrets, at=at)
    status = http.post_once(wanted, headers=headers, body=body.encode(), whole=WHOLE)
    if not 200 <= status < 300:
        raise RefusedByRemoteError("the destination did not accept the message", status)


def signed(
    *, message_id: str, body: str, secrets: Sequence[str], at: dt.datetime
) -> dict[str, str]:
    """The headers of Standard Webhooks; during a rotation one signature by each secret."""
    moment = at.astimezone(dt.UTC)
    signatures = [Webhook(secret).sign(message_id, moment, body) for secret in secrets]
    return {
        "content-type": "application/json",
        "user-agent": "OpsPilot",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
