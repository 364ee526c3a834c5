"""Settings of the test run: the real database as the runtime role, no outside world."""

from __future__ import annotations

import os

# Static analysis and `makemigrations --check` read the settings with no server at hand.
os.environ.setdefault("SECRET_KEY", "only-for-tests-0123456789abcdefghijklmnopqrstuvwxyz")
os.environ.setdefault("OPSPILOT_HMAC_KEY", "only-for-tests")
os.environ.setdefault("DATABASE_URL", "postgresql://opspilot_app@127.0.0.1:1/opspilot")

from opspilot.settings.base import *  # noqa: F403
from opspilot.settings.env import env, refuse_wrong_names

ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STYLE_PAGE = True
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
OPSPILOT_GITLAB_URL = os.environ.get("OPSPILOT_GITLAB_URL", "http://127.0.0.1:1")
OPSPILOT_GITLAB_TOKEN = "token-of-the-tests"
OPSPILOT_EGRESS_PRIVATE = ["127.0.0.1"]
# One breaker for all tests: it opens only for those that say so, by a connector of their own.
OPSPILOT_BREAKER_FAILURES = 1_000_000
OPSPILOT_SEMAPHORE_URL = os.environ.get("OPSPILOT_SEMAPHORE_URL", "http://127.0.0.1:1")
OPSPILOT_SEMAPHORE_TOKEN = "token-of-the-tests"
# Where a worker of a crash test dies (approvals.execution.points); no other settings read it.
OPSPILOT_KILL_POINT = env.str("OPSPILOT_KILL_POINT", "")

refuse_wrong_names()
