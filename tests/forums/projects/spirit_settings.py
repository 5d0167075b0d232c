"""Spirit as its own project template has it for development, on one SQLite file."""

import os

from spirit.extra.project_template.project_name.settings.dev import *  # noqa: F403 - as its documentation says

FOLDER = os.environ["FORUM_FOLDER"]
DEBUG = False
ROOT_URLCONF = "spirit.extra.project_template.project_name.urls"
WSGI_APPLICATION = None
STATIC_ROOT, MEDIA_ROOT = f"{FOLDER}/static", f"{FOLDER}/media"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": f"{FOLDER}/forum.sqlite3",
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF",
        },
    }
}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
ST_RATELIMIT_ENABLE = os.environ["FORUM_THROTTLE"] == "True"
