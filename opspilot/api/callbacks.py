"""Secrets that sign the letters to an agent's callback. Each is derived, none is stored.

A copy of the database holds no secret; the installation's key and the row's number make it again
for every delivery.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac

from django.conf import settings

from opspilot.api.models import Agent

OVERLAP = dt.timedelta(hours=24)  # how long the secret before the last rotation still signs


def secret(*, agent: Agent, number: int) -> str:
    """The secret of that number, in the form Standard Webhooks gives it."""
    message = f"callback:{agent.tenant_id}:{agent.ref}:{number}".encode()
    digest = hmac.new(settings.OPSPILOT_HMAC_KEY.encode(), message, hashlib.sha256).digest()
    return "whsec_" + base64.b64encode(digest).decode()


def signing_secrets(*, agent: Agent, at: dt.datetime) -> list[str]:
    """What a letter is signed with now, the newest first; two during a rotation, none before the
    first secret was made."""
    if agent.callback_number == 0:
        return []
    numbers = [agent.callback_number]
    rotated = agent.callback_rotated_at
    if agent.callback_number > 1 and rotated is not None and at < rotated + OVERLAP:
        numbers.append(agent.callback_number - 1)
    return [secret(agent=agent, number=number) for number in numbers]
