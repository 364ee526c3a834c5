"""The console on one machine, as `python3 manage.py up` runs it: loopback only, no TLS."""

from __future__ import annotations

from opspilot.settings.base import *  # noqa: F403
from opspilot.settings.env import refuse_wrong_names

ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
STYLE_PAGE = True
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

refuse_wrong_names()
