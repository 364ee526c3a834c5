"""The secret that signs what goes to a destination: derived, never stored.

A copy of the database holds no secret; the installation's key and the row's `ref` make it again for
every delivery. Another secret is another destination.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from django.conf import settings

from opspilot.notices.models import Destination


def secret(destination: Destination) -> str:
    """In the form Standard Webhooks gives it."""
    message = f"webhook:{destination.tenant_id}:{destination.ref}".encode()
    digest = hmac.new(settings.OPSPILOT_HMAC_KEY.encode(), message, hashlib.sha256).digest()
    return "whsec_" + base64.b64encode(digest).decode()
