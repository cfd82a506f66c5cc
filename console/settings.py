"""Every setting, read from the environment; README.md lists the variables. Nothing else reads the environment.

Imported by Django alone: other modules use `django.conf.settings`.
"""

import os
import secrets
import sys
from pathlib import Path

from celery.schedules import crontab
from django.utils.csp import CSP

from console import broker
from console.database.places import data_directory, place
from console.environment import Environment
from console.keeping import keep_once
from console.logs import without_traceback_of_refusals
from drafts.gateways.mail import Post

env = Environment(os.environ)
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = data_directory(os.environ)
TESTING = "pytest" in sys.modules
os.environ.setdefault("MPLCONFIGDIR", str(DATA_DIR / "charts"))  # where matplotlib keeps its list of fonts

# Who and where
DEBUG = env.flag("DEBUG")
HTTPS = env.flag("COUNTERSIGN_HTTPS")
SECRET_KEY = env.text("SECRET_KEY", "") or keep_once(DATA_DIR / "secret_key", lambda: secrets.token_urlsafe(50))
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *env.words("ALLOWED_HOSTS")]
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
ROOT_URLCONF = "console.urls"
WSGI_APPLICATION = "console.wsgi.application"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "ledger",
    "drafts",
    "console",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "console.middleware.LogInFirst",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

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
            ],
        },
    },
]

# Database: migrations act as the owner of the tables, everything else as the run-time role (console/database/roles.py)
DATABASE_PLACE = place(os.environ)
_role = DATABASE_PLACE.owner if env.text("COUNTERSIGN_DATABASE_ROLE", "app") == "owner" else DATABASE_PLACE.app
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": _role["dbname"],
        "USER": _role.get("user", ""),
        "PASSWORD": _role.get("password", ""),
        "HOST": _role.get("host", ""),
        "PORT": _role.get("port", ""),
        "OPTIONS": {
            "client_encoding": "UTF8",
            "connect_timeout": 10,
            **{key: value for key, value in _role.items() if key not in {"dbname", "user", "password", "host", "port"}},
        },
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The organisation's calendar
USE_TZ = True
TIME_ZONE = env.zone("ORGANISATION_TIME_ZONE", "UTC")
ORGANISATION_HOURS = env.hours("ORGANISATION_HOURS", "Mon-Fri 09:00-18:00")
ORGANISATION_HOLIDAYS = env.days("ORGANISATION_HOLIDAYS")
LANGUAGE_CODE = "en-gb"
USE_I18N = False

# Replies on their way out. The outbox in the database is the truth; the broker only wakes workers (console/celery.py)
UNDO_SECONDS = env.number("UNDO_SECONDS", 15, at_most=600)
PRIVATE_DESTINATIONS = env.words("PRIVATE_DESTINATIONS")
CELERY_BROKER_URL = "memory://" if TESTING else env.text("CELERY_BROKER_URL", "filesystem://localhost")
CELERY_BROKER_TRANSPORT = broker.transport_of(CELERY_BROKER_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(CELERY_BROKER_URL, DATA_DIR / "broker")
CELERY_BROKER_CONNECTION_TIMEOUT = 2  # seconds; people wait for it
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "countersign"
CELERY_TASK_DEFAULT_QUEUE_TYPE, CELERY_TASK_DEFAULT_EXCHANGE_TYPE = broker.queue_options(CELERY_BROKER_URL)
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = CELERY_TASK_REJECT_ON_WORKER_LOST = True  # a task may run twice: fences make that harmless
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 15.0
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "drafts.sweep", "schedule": 5.0, "options": {"expires": 5.0}},
    "seal": {"task": "ledger.seal", "schedule": 60.0, "options": {"expires": 60.0}},
    "audit": {"task": "drafts.audit", "schedule": 300.0, "options": {"expires": 300.0}},
    "drift": {"task": "drafts.drift_sweep", "schedule": 5.0, "options": {"expires": 5.0}},
    "mail": {"task": "drafts.mail", "schedule": 10.0, "options": {"expires": 10.0}},
    "remind": {"task": "drafts.remind", "schedule": 60.0, "options": {"expires": 60.0}},
    "conflicts": {"task": "drafts.find_conflicts", "schedule": crontab(minute="20"), "options": {"expires": 600.0}},
}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # keeps nothing in a file: a few seconds need no memory

# Mails: through MAIL_HOST, or into a folder where none is set; links lead to PUBLIC_URL
PUBLIC_URL = env.address("PUBLIC_URL", f"http://localhost:{env.text('PORT', '8000')}")
MAIL = Post(
    server=env.mail_server(),
    folder=DATA_DIR / "mail",
    sender=env.text("MAIL_FROM", "Countersign <countersign@localhost>"),
    public_url=PUBLIC_URL,
)

# What is signed: checkpoints of the ledger by workers, evidence by the web. Unset, a key is made in DATA_DIR
CHECKPOINT_KEY_FILE = env.text("CHECKPOINT_KEY_FILE", "")
EVIDENCE_KEY_FILE = env.text("EVIDENCE_KEY_FILE", "")
CHECKPOINT_DIR = env.text("CHECKPOINT_DIR", str(DATA_DIR / "checkpoints"))

# The audit: run every night from this hour of the organisation's clock on, once
AUDIT_HOUR = env.number("AUDIT_HOUR", 3, at_most=23)

# Signing in
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"
SESSION_COOKIE_AGE = 8 * 60 * 60
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher" if TESTING else "django.contrib.auth.hashers.PBKDF2PasswordHasher"
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]

# Browsers
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "console.views.errors.csrf_failed"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
DATA_UPLOAD_MAX_MEMORY_SIZE = 300 * 1024  # a draft is at most 256 kB; the rest is form encoding
FILE_UPLOAD_HANDLERS = [
    "console.uploads.UpToTheLimit",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Files
STATIC_URL = "/static/"
STATIC_ROOT = None if TESTING else BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
_storage = "whitenoise.storage.CompressedManifestStaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG or TESTING else _storage
    },
}
WHITENOISE_USE_FINDERS = DEBUG or TESTING
WHITENOISE_AUTOREFRESH = DEBUG or TESTING

# Logs go to standard error, one line each
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "filters": {"brief": {"()": "django.utils.log.CallbackFilter", "callback": without_traceback_of_refusals}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["brief"]}},
    "root": {"handlers": ["stderr"], "level": env.text("LOG_LEVEL", "INFO").upper()},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "celery": {"level": "WARNING"},  # below, it tells of every single task
    },
}
