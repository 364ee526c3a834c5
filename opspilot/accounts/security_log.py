"""What happens at the door. It has no tenant, so it is no row of the trail.

Never a password, a code, a token or a name that is not an account's: people type passwords into
the wrong field.
"""

from __future__ import annotations

import structlog

log = structlog.get_logger("opspilot.security")
