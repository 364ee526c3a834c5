"""What every deployment shares. Secrets have no default; each name is listed in `.env.example`."""

from __future__ import annotations

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from opspilot.settings.env import ROOT, databases, env

SECRET_KEY = env.str("SECRET_KEY")
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])
DEBUG = False
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", [])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])

# Keys the product itself needs.
OPSPILOT_HMAC_KEY = env.str(
    "OPSPILOT_HMAC_KEY"
)  # document look-ups and markers; losing it loses both
OPSPILOT_GITLAB_URL = env.str("OPSPILOT_GITLAB_URL", "")
OPSPILOT_GITLAB_TOKEN = env.str("OPSPILOT_GITLAB_TOKEN", "")
OPSPILOT_GITLAB_TIMEOUT = env.float("OPSPILOT_GITLAB_TIMEOUT", 20.0)  # seconds, whole request
OPSPILOT_LEASE_SECONDS = env.float("OPSPILOT_LEASE_SECONDS", 60.0)
OPSPILOT_EMBEDDER = env.str("OPSPILOT_EMBEDDER", "bundled")
OPSPILOT_EMBEDDINGS_URL = env.str("OPSPILOT_EMBEDDINGS_URL", "")
OPSPILOT_EMBEDDINGS_KEY = env.str("OPSPILOT_EMBEDDINGS_KEY", "")
OPSPILOT_EMBEDDINGS_MODEL = env.str("OPSPILOT_EMBEDDINGS_MODEL", "")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "csp",
    "allauth",
    "allauth.account",
    "procrastinate.contrib.django",
    "opspilot.tenancy",
    "opspilot.presentation",
    "audit",
    "grounding",
    "approvals",
    "opspilot.harness",
    "opspilot.worker",
    "opspilot.operations",
    "opspilot.smoke",
]

MIDDLEWARE = [
    "opspilot.probes.ProbeMiddleware",
    "opspilot.request_id.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "opspilot.middleware.RefusalMiddleware",
    "opspilot.tenancy.middleware.TenantMiddleware",
]

ROOT_URLCONF = "opspilot.urls"
WSGI_APPLICATION = "opspilot.wsgi.application"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "opspilot.shell.shell",
            ],
            "builtins": ["opspilot.presentation.templatetags.opspilot"],
        },
    }
]

DATABASES = databases()
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "tenancy.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "opspilot.tenancy.adapter.ClosedAccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_PREVENT_ENUMERATION = True

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 60 * 60
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "opspilot.middleware.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = env.str("LANGUAGE_CODE", "pt-br")
LANGUAGES = [("pt-br", _("Português")), ("en", _("Inglês"))]
LOCALE_PATHS = [ROOT / "opspilot" / "locale"]
TIME_ZONE = env.str("TIME_ZONE", "America/Sao_Paulo")
USE_TZ = True
USE_I18N = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [ROOT / "static"]
# Files above 2.5 MB spool to disk; the limit per file is the grounding app's own rule.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 100
FORM_RENDERER = "django.forms.renderers.DjangoTemplates"

# Whoever owns the cited text renders it for the approvals app.
OPSPILOT_EVIDENCE_READER = "grounding.evidence.quotes"

PROCRASTINATE_AUTODISCOVER_MODULE_NAME = "tasks"

LOG_LEVEL = env.str("LOG_LEVEL", "INFO")
LOG_FORMAT = env.str("LOG_FORMAT", "json")
LOGGING_CONFIG = "opspilot.logs.configure"
LOGGING = {"level": LOG_LEVEL, "format": LOG_FORMAT}
