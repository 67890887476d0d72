"""Settings. There is one file for every machine: all variation comes from the environment.

With nothing set, a checkout runs by itself: SQLite, tasks in-process, mail shown on a page. Each
of DATABASE_URL, REDIS_URL and EMAIL_URL brings the real thing. A secret can come from a file:
SECRET_KEY_FILE=/run/secrets/key. Bad combinations are found by `duels.checks`.
"""

import sys
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF

from spellcaster.keys import generated_keys

env = environ.FileAwareEnv()

BASE_DIR = Path(__file__).resolve().parent.parent
# What the site itself writes on the embedded default: database, keys, mail.
VAR_DIR = Path(env.str("VAR_DIR", default="") or BASE_DIR / "var")
VAR_DIR.mkdir(parents=True, exist_ok=True)

DATABASE_URL = env.str("DATABASE_URL", default="")
REDIS_URL = env.str("REDIS_URL", default="")
EMAIL_URL = env.str("EMAIL_URL", default="")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[])

# Whoever names a real service or a public host means to be seen by others.
DEBUG = env.bool("DEBUG", default=not (DATABASE_URL or REDIS_URL or EMAIL_URL or ALLOWED_HOSTS))
# Off only where the site is tried out without a certificate.
HTTPS = env.bool("HTTPS", default=not DEBUG)
# Links in mails begin with it, since workers see no request; so do those of what is shared.
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")

# Keys

SECRET_KEY = env.str("SECRET_KEY", default="")
SEAL_KEYS = env.list("SEAL_KEYS", default=[])  # Fernet keys; the first one encrypts
KEYS_FILE = VAR_DIR / "keys.json"
SECRET_KEY_GENERATED = not SECRET_KEY
SEAL_KEYS_GENERATED = not SEAL_KEYS
if SECRET_KEY_GENERATED:
    SECRET_KEY = generated_keys(KEYS_FILE).secret_key
if SEAL_KEYS_GENERATED:
    SEAL_KEYS = list(generated_keys(KEYS_FILE).seal_keys)

# Applications

INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "duels",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Below it, for pages only. Its random padding and the masked tokens are against BREACH.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "duels.preferences.ReadingMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "spellcaster.urls"
WSGI_APPLICATION = "spellcaster.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "spellcaster.mailbox.mail_page",
                "duels.preferences.reading",
                "duels.guests.visiting",
            ],
        },
    },
]

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

# Database

SQLITE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": VAR_DIR / "spellcaster.sqlite3",
}
# Writers queue up instead of failing half-way: a transaction takes the write lock when it begins.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL",
}
POSTGRESQL_OPTIONS = {"connect_timeout": 5}

database: dict[str, Any] = env.db("DATABASE_URL") if DATABASE_URL else SQLITE
EMBEDDED_DATABASE = database["ENGINE"] == SQLITE["ENGINE"]
DATABASES = {
    "default": {
        # The development server has a new thread, and so a new connection, for each request.
        "CONN_MAX_AGE": 0 if EMBEDDED_DATABASE else 60,
        "CONN_HEALTH_CHECKS": True,
        **database,
        "OPTIONS": {
            **(SQLITE_OPTIONS if EMBEDDED_DATABASE else POSTGRESQL_OPTIONS),
            **database.get("OPTIONS", {}),
        },
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Cache: holds the counts of the rate limits, so it is shared where there is more than one process.

REDIS_TIMEOUTS = {"socket_connect_timeout": 1, "socket_timeout": 1}  # seconds

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": REDIS_TIMEOUTS,
        "KEY_PREFIX": "spellcaster",
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}

# Tasks: a message only nudges, the rows are the truth. So a broker that is away or silent costs a
# request one short wait and never an error, and the sweep finds what was missed.

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
BROKER_PATIENCE = {**REDIS_TIMEOUTS, "max_retries": 0}
CELERY_BROKER_TRANSPORT_OPTIONS = BROKER_PATIENCE if REDIS_URL else {}
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker for as long as it takes
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Celery would hang up after every task. A worker keeps its connection to the database as long as a
# web process does, and looks whether it still stands: see `spellcaster.celery`.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "duels.tasks.sweep", "schedule": 60.0}}

# Mail: in real use by SMTP; on the embedded default kept in a folder and shown on a page.

MAILBOX_FOLDER = VAR_DIR / "mail"
MAILBOX_SHOWN = DEBUG and not EMAIL_URL
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Spellcaster <spellcaster@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
mail: dict[str, Any] = (
    env.email_url("EMAIL_URL")
    if EMAIL_URL
    else {"EMAIL_BACKEND": "spellcaster.mailbox.MailboxBackend"}
)
EMAIL_BACKEND = mail["EMAIL_BACKEND"]
EMAIL_HOST = mail.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = mail.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = mail.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = mail.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = mail.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10

# Accounts

AUTH_USER_MODEL = "duels.User"
AUTHENTICATION_BACKENDS = ["spellcaster.backends.UserWithWizard"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

SESSION_ENGINE = "spellcaster.sessions"
ACCOUNT_ADAPTER = "spellcaster.accounts.Accounts"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = "spellcaster.accounts.wizards_name"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "duels.forms.SignupForm"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# Beside allauth's own: new guests, and new practice duels. A school has one address.
ACCOUNT_RATE_LIMITS = {"guest": "30/h/ip", "practice": "120/h/ip"}
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = SITE_URL.partition(":")[0]
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Spellcaster"

# How many proxies stand before the site and write X-Forwarded-For and X-Forwarded-Proto.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Security

SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_TRUSTED_ORIGINS = [SITE_URL] if HTTPS else []
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],  # the QR code of an authenticator app is a data: image
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

SILENCED_SYSTEM_CHECKS = [
    # auth.W004: e-mail is unique, by a constraint on Lower(email), which this check does not know.
    "auth.W004",
    # security.W005, W021: what HTTPS means for sub-domains and for browsers' preload lists is for
    # the owner of the domain to say, not for one site on it.
    "security.W005",
    "security.W021",
]

# Static files

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default="") or BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "spellcaster.storage.HashedFiles"},
}
WHITENOISE_USE_FINDERS = DEBUG  # a checkout serves its files without collecting them first
WHITENOISE_AUTOREFRESH = DEBUG

# Logging: to standard error. No line may hold a request's body or a mail's text.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_polls": {"()": "spellcaster.polls.NoPolls"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        # The development server's line for each request.
        "django.server": {
            **{"handlers": ["stderr"], "level": "INFO", "propagate": False},
            "filters": ["no_polls"],
        },
        "duels": {"level": "INFO"},
    },
}
