"""What every deployment shares. Secrets have no default; each name is listed in `.env.example`."""

from __future__ import annotations

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from opspilot.settings.email import email
from opspilot.settings.env import ROOT, databases, env, json_object
from opspilot.settings.providers import planner, providers

SECRET_KEY = env.required("SECRET_KEY")
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])
DEBUG = False
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", [])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])

# Keys the product itself needs.
OPSPILOT_HMAC_KEY = env.required(
    "OPSPILOT_HMAC_KEY"
)  # document look-ups and markers; losing it loses both
# Ed25519, one or more in PEM: the first seals the trail, the others only present it. The worker's.
OPSPILOT_SEAL_KEY = env.str("OPSPILOT_SEAL_KEY", "")
# Where people reach the console: links in letters start with it. Production demands it.
OPSPILOT_BASE_URL = env.str("OPSPILOT_BASE_URL", "") or "http://127.0.0.1:8000"
OPSPILOT_TRUSTED_PROXIES: list[str] = env.list("OPSPILOT_TRUSTED_PROXIES", [])
OPSPILOT_OIDC_ISSUER = env.str("OPSPILOT_OIDC_ISSUER", "")
OPSPILOT_OIDC_CLIENT_ID = env.str("OPSPILOT_OIDC_CLIENT_ID", "")
OPSPILOT_OIDC_CLIENT_SECRET = env.str("OPSPILOT_OIDC_CLIENT_SECRET", "")
OPSPILOT_OIDC_GROUPS_CLAIM = env.str("OPSPILOT_OIDC_GROUPS_CLAIM", "") or "groups"
OPSPILOT_OIDC_ROLE_MAP = json_object(
    "OPSPILOT_OIDC_ROLE_MAP", env.str("OPSPILOT_OIDC_ROLE_MAP", "")
)
OPSPILOT_OIDC_TENANT = env.str("OPSPILOT_OIDC_TENANT", "")
OPSPILOT_GITLAB_URL = env.str("OPSPILOT_GITLAB_URL", "")
OPSPILOT_GITLAB_TOKEN = env.str("OPSPILOT_GITLAB_TOKEN", "")
OPSPILOT_GITLAB_TIMEOUT = env.float("OPSPILOT_GITLAB_TIMEOUT", 20.0)  # seconds, whole request
OPSPILOT_SEMAPHORE_URL = env.str("OPSPILOT_SEMAPHORE_URL", "")  # empty: tasks cannot be executed
OPSPILOT_SEMAPHORE_TOKEN = env.str("OPSPILOT_SEMAPHORE_TOKEN", "")
OPSPILOT_SEMAPHORE_TIMEOUT = env.float("OPSPILOT_SEMAPHORE_TIMEOUT", 20.0)  # seconds, whole request
# Exact places webhooks may be sent to (see connectors.egress), and domains letters may go to.
OPSPILOT_EGRESS_HTTP = env.parts("OPSPILOT_EGRESS_HTTP")
OPSPILOT_EGRESS_MAIL = env.parts("OPSPILOT_EGRESS_MAIL")
# Hosts and networks that are not public and that connectors may connect to all the same.
OPSPILOT_EGRESS_PRIVATE = env.parts("OPSPILOT_EGRESS_PRIVATE")
# Faults in a row after which a connector is left alone, and for how many seconds.
OPSPILOT_BREAKER_FAILURES = env.int("OPSPILOT_BREAKER_FAILURES", 5)
OPSPILOT_BREAKER_SECONDS = env.float("OPSPILOT_BREAKER_SECONDS", 30.0)
OPSPILOT_CONNECTOR_SLOTS = env.int("OPSPILOT_CONNECTOR_SLOTS", 8)  # calls of one at a time
# A question that waited so many seconds is pressure in full: agents' consults stay outside; 0: never.
OPSPILOT_SHED_SECONDS = env.float("OPSPILOT_SHED_SECONDS", 30.0)
# Seconds between two checks of a connector by the worker; 0: only when somebody asks.
OPSPILOT_CHECK_SECONDS = env.float("OPSPILOT_CHECK_SECONDS", 900.0)
# Executions of one worker at a time: a remote that is slow holds back so many, and not all.
OPSPILOT_EXECUTION_LANES = env.int("OPSPILOT_EXECUTION_LANES", 2)
# Clean look-ups must lie this far apart before a lost request is sent again by itself, and this many
# requests may have left before a person is asked.
OPSPILOT_GRACE_SECONDS = env.float("OPSPILOT_GRACE_SECONDS", 180.0)
OPSPILOT_MAX_SENDS = env.int("OPSPILOT_MAX_SENDS", 2)
OPSPILOT_LEASE_SECONDS = env.float("OPSPILOT_LEASE_SECONDS", 60.0)
# How far a run goes: steps, seconds of work, and outputs of a planner that are no plan.
OPSPILOT_RUN_STEPS = env.int("OPSPILOT_RUN_STEPS", 6)
OPSPILOT_RUN_SECONDS = env.float("OPSPILOT_RUN_SECONDS", 120.0)
OPSPILOT_RUN_INVALID_OUTPUTS = env.int("OPSPILOT_RUN_INVALID_OUTPUTS", 2)
# Days after which the text of a request is emptied; 0: it is kept.
OPSPILOT_QUESTION_DAYS = env.int("OPSPILOT_QUESTION_DAYS", 90)
# Where the worker puts what people ask to take along, and the console reads it; empty: nobody may ask.
OPSPILOT_EXPORT_DIR = env.str("OPSPILOT_EXPORT_DIR", "")
# Where the months of the trail are archived before they go; empty: no month ever goes.
OPSPILOT_ARCHIVE_DIR = env.str("OPSPILOT_ARCHIVE_DIR", "")
# Below it each company has a folder of its short name, with what its collections are kept from.
OPSPILOT_SYNC_ROOT = env.str("OPSPILOT_SYNC_ROOT", "")
# Requests of one agent in a minute; the next ones are asked to wait.
OPSPILOT_AGENT_REQUESTS_PER_MINUTE = env.int("OPSPILOT_AGENT_REQUESTS_PER_MINUTE", 120)
# Where `up` serves agents that speak the Model Context Protocol; 0: nowhere.
OPSPILOT_MCP_PORT = env.int("OPSPILOT_MCP_PORT", 0)
OPSPILOT_EMBEDDER = env.str("OPSPILOT_EMBEDDER", "bundled")
OPSPILOT_EMBEDDINGS_URL = env.str("OPSPILOT_EMBEDDINGS_URL", "")
OPSPILOT_EMBEDDINGS_KEY = env.str("OPSPILOT_EMBEDDINGS_KEY", "")
OPSPILOT_EMBEDDINGS_MODEL = env.str("OPSPILOT_EMBEDDINGS_MODEL", "")
# Passages from which a company's vectors get a partition with an approximate index; 0 = never.
OPSPILOT_APPROXIMATE_FROM = env.int("OPSPILOT_APPROXIMATE_FROM", 50_000)
# Models that answer and plan, in order; none: the embedded rules alone. Their keys are in it.
OPSPILOT_PROVIDERS = providers(env.str("OPSPILOT_PROVIDERS", ""))
# Who proposes a run's next step: the embedded rules, or those models.
OPSPILOT_PLANNER = planner(env.str("OPSPILOT_PLANNER", "") or "rules", OPSPILOT_PROVIDERS)

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
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "axes",
    "procrastinate.contrib.django",
    "opspilot.tenancy",
    "opspilot.resilience",
    "opspilot.accounts",
    "opspilot.api",
    "opspilot.presentation",
    "audit",
    "grounding",
    "opspilot.budgets",
    "approvals",
    "opspilot.harness",
    "opspilot.notices",
    "opspilot.conectores",
    "opspilot.worker",
    "opspilot.mcp",
    "opspilot.operations",
    "opspilot.smoke",
    "opspilot.bench",
    "opspilot.avaliacao",
]

MIDDLEWARE = [
    "opspilot.probes.ProbeMiddleware",
    "opspilot.request_id.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "opspilot.api.door.DoorMiddleware",
    "opspilot.body_limit.BodyLimitMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "opspilot.accounts.activity.SessionActivityMiddleware",
    "opspilot.preferences.middleware.PreferencesMiddleware",
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
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
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
ACCOUNT_ADAPTER = "opspilot.accounts.adapter.AccountAdapter"
ACCOUNT_USER_DISPLAY = str
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"
ACCOUNT_FORMS = {
    "reset_password": "opspilot.accounts.forms.ResetForm",
    "change_password": "opspilot.accounts.forms.PasswordForm",
}
# Failed passwords are counted by axes; `login_failed` is what limits codes of the second factor.
# Resets are limited by address here, and by person in `accounts.outbox`: a limit by what was typed
# would let anybody keep the owner from theirs.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": "5/5m/key", "reset_password": "20/h/ip"}
PASSWORD_RESET_TIMEOUT = 60 * 60

MFA_ADAPTER = "opspilot.accounts.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "activate_totp": "opspilot.accounts.forms.AppForm",
    "edit_webauthn": "opspilot.accounts.forms.RenameKeyForm",
    "authenticate": "opspilot.accounts.forms.CodeForm",
    "reauthenticate": "opspilot.accounts.forms.ConfirmCodeForm",
    "add_webauthn": "opspilot.accounts.forms.AddKeyForm",
    "authenticate_webauthn": "opspilot.accounts.forms.KeyForm",
    "reauthenticate_webauthn": "opspilot.accounts.forms.ConfirmKeyForm",
}
MFA_TOTP_ISSUER = "OpsPilot"
MFA_TOTP_TOLERANCE = 1  # one step of 30 s before and after: clocks differ
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an admin wrote the address, nobody signs up with a stranger's

SOCIALACCOUNT_ADAPTER = "opspilot.accounts.sso.SsoAdapter"
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5

AXES_HANDLER = "opspilot.accounts.lockout.LockoutHandler"
AXES_LOCKOUT_PARAMETERS = ["username", "ip_address"]  # for axes' own check; the handler decides
AXES_CLIENT_IP_CALLABLE = "opspilot.accounts.address.counted_address"
AXES_LOCKOUT_CALLABLE = "opspilot.middleware.locked_out"
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_VERBOSE = False

# Counters of the door (codes tried, codes used). In the database: they hold over all processes.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "door_counter",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

EMAIL = email(env.str("EMAIL_URL", ""))
EMAIL_BACKEND = EMAIL.backend
EMAIL_FILE_PATH = EMAIL.folder
EMAIL_HOST, EMAIL_PORT = EMAIL.host, EMAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = EMAIL.user, EMAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL.starttls, EMAIL.tls
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "") or "opspilot@localhost"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
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
        "font-src": [SELF],
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
FORMAT_MODULE_PATH = "opspilot.formats"

# The page of all pieces, for whoever works on them.
STYLE_PAGE = False
STATIC_URL = "/static/"
STATICFILES_DIRS = [ROOT / "static"]
# Files above 2.5 MB spool to disk; the limit per file is the grounding app's own rule.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000  # the policy editor of sixty projects and thirty templates
DATA_UPLOAD_MAX_NUMBER_FILES = 100
FORM_RENDERER = "opspilot.presentation.widgets.Renderer"

# Whoever owns the cited text renders it for the approvals app.
OPSPILOT_EVIDENCE_READER = "grounding.evidence.quotes"

# The same for the runbooks of a task's template; and the other way, which templates there are.
OPSPILOT_RUNBOOK_READER = "grounding.evidence.runbooks"
OPSPILOT_TEMPLATE_READER = "opspilot.rodadas.known_templates.templates"

# Whoever carries proposals out tells the trail what was tried.
OPSPILOT_ATTEMPT_READER = "approvals.inbox.tried.attempts"

# Whoever stands above runs and proposals tells the knowledge room who cites a document.
OPSPILOT_CITATION_READER = "opspilot.rodadas.citing"

PROCRASTINATE_AUTODISCOVER_MODULE_NAME = "tasks"

LOG_LEVEL = env.str("LOG_LEVEL", "INFO")
LOG_FORMAT = env.str("LOG_FORMAT", "json")
LOGGING_CONFIG = "opspilot.logs.configure"
LOGGING = {"level": LOG_LEVEL, "format": LOG_FORMAT}
