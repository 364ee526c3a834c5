"""The console on one machine, as `python3 manage.py up` runs it: loopback only, no TLS."""

from __future__ import annotations

from opspilot.settings.base import *  # noqa: F403

ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
