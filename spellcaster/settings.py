"""Settings for all machines, which differ only in their environment variables.

Without any variables, a checkout needs no services: it uses SQLite, runs tasks in its own process,
and shows emails on a page. DATABASE_URL, REDIS_URL and EMAIL_URL (or EMAIL_SERVICE) each enable a
real service. A secret can be read from a file: SECRET_KEY_FILE=/run/secrets/key. `duels.checks`
reports settings that contradict each other.
"""

import re
import sys
from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from kombu import Exchange, Queue

from spellcaster.email_services import chosen_service
from spellcaster.keys import generated_keys
from spellcaster.redis_urls import next_database_url

env = environ.FileAwareEnv()

BASE_DIR = Path(__file__).resolve().parent.parent
# Folder for files that the site writes if no services are set: database, keys, email.
VAR_DIR = Path(env.str("VAR_DIR", default="") or BASE_DIR / "var")
VAR_DIR.mkdir(parents=True, exist_ok=True)

DATABASE_URL = env.str("DATABASE_URL", default="")
REDIS_URL = env.str("REDIS_URL", default="")
# A separate database for the cache, so that the cache and the broker cannot evict each other's
# data.
CACHE_URL = env.str("CACHE_URL", default="") or next_database_url(REDIS_URL)
EMAIL_URL = env.str("EMAIL_URL", default="")
EMAIL_SERVICE = env.str("EMAIL_SERVICE", default="")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[])

# DEBUG is off by default if the site has a real service or a public host.
REAL_MAIL = bool(EMAIL_URL or EMAIL_SERVICE)
DEBUG = env.bool("DEBUG", default=not (DATABASE_URL or REDIS_URL or REAL_MAIL or ALLOWED_HOSTS))
# Set HTTPS=off only to try the site without a certificate.
HTTPS = env.bool("HTTPS", default=not DEBUG)
# Base of links in emails (because workers have no request) and of links that players share.
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")

# Keys

SECRET_KEY = env.str("SECRET_KEY", default="")
SEAL_KEYS = env.list("SEAL_KEYS", default=[])  # Fernet keys; the first key encrypts
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
    "spellcaster.apps.OperatorsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "anymail",
    "csp",
    "django_htmx",
    "spellcaster.processes",
    "duels",
    "duels.post",
    "duels.push",
    "duels.replies",
    "duels.referees",
    "duels.referees.desk",
    "duels.ratings",
    "duels.feeds",
    "duels.archive",
    "duels.matching",
    "duels.messages",
    "duels.webhooks",
]

MIDDLEWARE = [
    "spellcaster.health.HealthMiddleware",
    "spellcaster.metrics.MetricsMiddleware",
    "spellcaster.logs.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "spellcaster.odd_requests.MalformedRequestMiddleware",
    "spellcaster.response_headers.ResponseHeadersMiddleware",
    "duels.screens.presence.views.PollMiddleware",
    # This is after PollMiddleware, so that polls are not compressed. Random padding and masked
    # tokens prevent BREACH.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "duels.accounts.preferences.ReadingMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "duels.requests.access.RefusalMiddleware",
    "spellcaster.not_found.DebugNotFoundMiddleware",
    "spellcaster.startup.ProcessCheckMiddleware",
]

ROOT_URLCONF = "spellcaster.urls"
WSGI_APPLICATION = "spellcaster.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "builtins": [
                "duels.templatetags.addresses",
                "duels.templatetags.form_keys",
                "duels.templatetags.moments",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "spellcaster.templates.IncludeInliningLoader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "spellcaster.mailbox.mailbox_link_context",
                "duels.accounts.preferences.reading_context",
                "duels.sign_in.guests.guest_context",
                "duels.screens.parts.next_duel.header_context",
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
# Transactions take the write lock when they begin, so writers wait for each other instead of
# failing half-way.
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
        # The development server uses a new thread, and so a new connection, for each request.
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

# Caches. All processes share both caches, which store JSON in Redis. The default cache stores the
# counters of the rate limits and uses the database while Redis is down. The second cache stores
# data that can be lost: answers to polls, and pictures.

REDIS_TIMEOUTS = {"socket_connect_timeout": 1, "socket_timeout": 1}  # seconds


def cache_settings(backend: str, prefix: str) -> dict[str, Any]:
    """Return the settings of a cache at CACHE_URL, or in this process if there is none."""
    if not CACHE_URL:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": prefix,
            "OPTIONS": {"MAX_ENTRIES": 10_000},
        }
    serializer = "spellcaster.shared_cache.JsonSerializer"
    return {
        "BACKEND": backend,
        "LOCATION": CACHE_URL,
        "OPTIONS": {**REDIS_TIMEOUTS, "serializer": serializer},
        "KEY_PREFIX": prefix,
    }


CACHES = {
    "default": cache_settings("spellcaster.shared_cache.SharedCache", "shared"),
    "volatile": cache_settings("spellcaster.shared_cache.RedisCache", "volatile"),
}

# Tasks. A message only prompts a worker to look at the database, whose rows contain the work.
# If the broker does not respond, a request waits for it briefly but does not fail. If a message is
# lost, the sweep does the work later.

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
BROKER_TIMEOUTS = {**REDIS_TIMEOUTS, "max_retries": 0}
CELERY_BROKER_TRANSPORT_OPTIONS = BROKER_TIMEOUTS if REDIS_URL else {}
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker without a time limit
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Without this, Celery would disconnect from the database after every task. A worker keeps its
# connection as long as a web process does, and checks that the connection still works: see
# `spellcaster.celery`.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TIMEZONE = TIME_ZONE
# Post has its own workers (`-Q post`), because a slow mail server can block a worker for a minute
# at a time. The sweep has its own queue, which the workers for turns also serve
# (`-Q turns,sweep`): they take messages from the two queues alternately, so the sweep does not wait
# behind a backlog.
QUEUES = ("turns", "sweep", "post")
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in QUEUES]
CELERY_TASK_DEFAULT_QUEUE = "turns"
POST_TASKS = (
    "duels.archive.tasks.*",
    "duels.post.tasks.*",
    "duels.push.tasks.*",
    "duels.tasks.tell_operators",
    "duels.webhooks.tasks.*",
)
CELERY_TASK_ROUTES = {
    "duels.tasks.sweep": {"queue": "sweep"},
    **{task: {"queue": "post"} for task in POST_TASKS},
}
CELERY_TASK_TIME_LIMIT = 300  # seconds; rounds and tasks of the post have shorter limits
# Skip a round that has not begun within two minutes. The clocks of beat and of a worker may differ
# by a minute (30 seconds each), so with a shorter time every round could expire.
EVERY_MINUTE = {"schedule": 60.0, "options": {"expires": 120}}
HOUR_SECONDS = 3600
CELERY_BEAT_SCHEDULER = "spellcaster.beat:CheckedScheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "duels.tasks.sweep", **EVERY_MINUTE},
    "post": {"task": "duels.post.tasks.deliver_due", **EVERY_MINUTE},
    "push": {"task": "duels.push.tasks.deliver_due", **EVERY_MINUTE},
    "webhooks": {"task": "duels.webhooks.tasks.deliver_due", **EVERY_MINUTE},
    "alarms": {"task": "duels.tasks.tell_operators", **EVERY_MINUTE},
    "pairing": {"task": "duels.matching.tasks.pair_wizards", **EVERY_MINUTE},
    # Daily work is attempted every hour, so that it is only late if a task is lost.
    "daily duel": {
        "task": "duels.archive.tasks.choose_daily_duel",
        "schedule": crontab(minute="5"),
        "options": {"expires": HOUR_SECONDS},
    },
    "records": {
        "task": "duels.archive.tasks.write_download",
        "schedule": crontab(minute="17"),
        "options": {"expires": HOUR_SECONDS},
    },
}

# Email: in production by SMTP or a service, otherwise stored in a folder and shown on a page.

# Whether an email is sent immediately after the change that it reports. With a mail server but
# without workers, the request would have to wait for the server, so the next round of the post
# sends the email instead.
POST_SENT_IMMEDIATELY = bool(REDIS_URL) or not REAL_MAIL
# Domain of the reply addresses in emails. Players can send orders to these addresses. If this is
# empty, emails have no reply address.
REPLY_DOMAIN = env.str("REPLY_DOMAIN", default="")
# Domain that receives bounced emails sent by SMTP, so that the site can turn off addresses that
# do not work. If this is empty, bounces go to DEFAULT_FROM_EMAIL.
BOUNCE_DOMAIN = env.str("BOUNCE_DOMAIN", default="")
# Whether to accept replies from addresses that the wizard has not verified here. The token
# identifies the wizard, so players with several addresses need not verify each.
REPLIES_FROM_OTHER_ADDRESSES = env.bool("REPLIES_FROM_OTHER_ADDRESSES", default=True)
# Names of the site's own mail servers in Authentication-Results headers. An email that fails DMARC
# according to them is treated as forged.
REPLY_AUTHENTICATION_SERVERS = env.list("REPLY_AUTHENTICATION_SERVERS", default=[])
# Number of days until sent, abandoned and dropped notices are deleted.
NOTICES_KEPT_DAYS = env.int("NOTICES_KEPT_DAYS", default=90)
MAILBOX_FOLDER = VAR_DIR / "mail"
MAILBOX_SHOWN = DEBUG and not REAL_MAIL
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Spellcaster <spellcaster@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Addresses that are notified of problems that only an operator can fix.
ADMINS = [("Operator", address) for address in env.list("ADMINS", default=[])]
EMAIL_SUBJECT_PREFIX = ""
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
# Timeout in seconds for each step of a connection to the mail server.
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=10)
# A service that django-anymail supports, used instead of a mail server, with its options.
MAIL_SERVICE = chosen_service(EMAIL_SERVICE, lambda name: env.str(name, default=""))
ANYMAIL: dict[str, Any] = {
    **(MAIL_SERVICE.options if MAIL_SERVICE else {}),
    "REQUESTS_TIMEOUT": EMAIL_TIMEOUT,
    # Send an email even if the service does not support all of its features.
    "IGNORE_UNSUPPORTED_FEATURES": True,
}
if EMAIL_SERVICE:
    EMAIL_BACKEND = f"anymail.backends.{EMAIL_SERVICE}.EmailBackend"
    # Services send incoming emails complete, with all attachments.
    DATA_UPLOAD_MAX_MEMORY_SIZE = 20_000_000

# Web Push: notifications on devices. `manage.py make_push_keys` prints the first two settings.
# Without them, the site does not offer notifications.

VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")
VAPID_CONTACT = env.str("VAPID_CONTACT", default="")  # mailto: or https: address
# Push services in addition to those of the usual browsers (`duels.push.endpoints`).
PUSH_SERVICES = env.list("PUSH_SERVICES", default=[])
PUSH_TIMEOUT = env.int("PUSH_TIMEOUT", default=10)  # seconds for each step of a connection
# Whether a notification is sent immediately after the change that it reports. Without workers, a
# request would have to wait for it.
PUSH_SENT_IMMEDIATELY = bool(REDIS_URL)

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
ACCOUNT_ADAPTER = "spellcaster.accounts.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = "spellcaster.accounts.user_display_name"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "duels.forms.SignupForm"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# Confirming signs users in only in the browser in which they signed up, within 15 minutes.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
# Limits in addition to those of allauth. In all of them, a /64 IPv6 network is one address:
# - new guests from one address (a school has only one) and from one browser;
# - new practice duels;
# - seals, and challenges;
# - wrong passwords: from a known browser, and from all others together;
# - codes and links requested for one address: from a known browser, from one network, and from all
#   networks together (`spellcaster.accounts`).
ACCOUNT_RATE_LIMITS = {
    "guest": "600/h/ip",
    "guest_browser": "10/h/key",
    "practice": "600/h/ip",
    "guest_mail": "6/h/ip",  # emails to guests; the next limit is per email address
    "guest_mail_to": "3/d/key",
    "seal": "60/m/key",  # this limit and the next one are per wizard
    "challenge": "40/h/key",
    "unsent": "20/m/ip",  # forms that are stored while a user signs in again
    "export": "6/h/user",
    "login_failed_known": "10/5m/key",
    "login_failed_anywhere": "300/d/key",
    "request_login_code": "20/m/ip",
    "reset_password": "20/m/ip",
    "mail_known": "10/h/key",
    "mail": "3/m/key,10/d/key",
    "mail_anywhere": "30/d/key",
    "confirm_email": "1/3m/key,20/d/key",
}
ACCOUNT_FORMS = {
    "login": "spellcaster.forms.LoginForm",
    "signup": "spellcaster.forms.SignupForm",
    "add_email": "spellcaster.forms.AddressForm",
    "change_password": "spellcaster.forms.ChangePasswordForm",
    "set_password": "spellcaster.forms.SetPasswordForm",
    "reset_password_from_key": "spellcaster.forms.NewPasswordForm",
    "request_login_code": "spellcaster.forms.RateLimitedCodeForm",
    "confirm_login_code": "spellcaster.forms.EmailedCodeForm",
    "reset_password": "spellcaster.forms.LostPasswordForm",
}
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True  # emails about changes also go to the previous address
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = 64
# Maximum number of open duels and challenges per wizard.
MOST_DUELS_AT_ONCE = env.int("MOST_DUELS_AT_ONCE", default=200)
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = SITE_URL.partition(":")[0]
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# MFA_PASSKEY_SIGNUP_ENABLED is not set, because it needs
# ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED: a code that must be typed in the browser that signed
# up. On this site, a link verifies the address in any browser.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers accept http: only on localhost
MFA_ADAPTER = "spellcaster.accounts.MfaAdapter"
MFA_FORMS = {
    "add_webauthn": "spellcaster.forms.PasskeyForm",
    "authenticate": "spellcaster.forms.SecondFactorForm",
    "reauthenticate": "spellcaster.forms.ReauthenticationForm",
    "activate_totp": "spellcaster.forms.AuthenticatorAppForm",
}
MFA_TOTP_ISSUER = "Spellcaster"

# Number of proxies in front of the site that add to X-Forwarded-For and set X-Forwarded-Proto.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Security

SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "duels.requests.unsent.csrf_failure"
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
    # auth.W004: a constraint on Lower(email) makes addresses unique, but the check does not see it.
    "auth.W004",
    # security.W005, W021: HTTPS on sub-domains and preload lists are a decision for the owner of
    # the domain, not for a site on it.
    "security.W005",
    "security.W021",
]

# Static files

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default="") or BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "spellcaster.storage.HashedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG  # a checkout serves static files without collectstatic
WHITENOISE_AUTOREFRESH = DEBUG

# Metrics for Prometheus, which sends this token. Without the token, metrics are off.

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")

# Logging: to standard error. Log lines, error pages and emails to the operators must not contain
# the body of a request or the text of an email.

LOG_JSON = env.bool("LOG_JSON", default=False)  # write each line as a JSON object, with ids
DEFAULT_EXCEPTION_REPORTER_FILTER = "spellcaster.error_reports.RedactingReportFilter"
DEFAULT_EXCEPTION_REPORTER = "spellcaster.error_reports.TracebackWithoutValues"

# Open pages send these requests every few seconds.
SUCCESSFUL_POLL_PATTERN = re.compile(r'"\w+ [^ ?]*/(poll|waiting)[ ?].*" (200|304) ')

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "no_polls": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: not SUCCESSFUL_POLL_PATTERN.match(record.getMessage()),
        },
        "outages": {"()": "spellcaster.outages.OutageFilter"},
        "secret_paths": {"()": "spellcaster.error_reports.SecretPathFilter"},
        "task_errors": {"()": "spellcaster.error_reports.TaskErrorFilter"},
    },
    "formatters": {
        "line": {
            "()": "spellcaster.error_reports.FormatterWithoutValues",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        },
        "json": {"()": "spellcaster.logs.JsonFormatter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_JSON else "line",
            "filters": ["secret_paths", "task_errors"],
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "django.request": {"filters": ["outages"]},
        "django.db.backends.base": {"filters": ["outages"]},  # errors in callbacks after a commit
        "celery.app.trace": {"filters": ["outages"]},  # errors in tasks
        # The development server's log line for each request.
        "django.server": {
            **{"handlers": ["stderr"], "level": "INFO", "propagate": False},
            "filters": ["no_polls"],
        },
        "duels": {"level": "INFO"},
    },
}
