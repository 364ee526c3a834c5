"""Production: TLS in front, every secret from the environment, nothing defaulted open."""

from __future__ import annotations

from opspilot.settings.base import *  # noqa: F403
from opspilot.settings.env import ROOT, env, refuse_wrong_names

ALLOWED_HOSTS = env.required_list("ALLOWED_HOSTS")
OPSPILOT_BASE_URL = env.required("OPSPILOT_BASE_URL")
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
STATIC_ROOT = env.path("OPSPILOT_STATIC_ROOT", ROOT / ".data" / "static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

refuse_wrong_names()
