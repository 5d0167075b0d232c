"""Misago as the development project in its own package has it, on a PostgreSQL cluster of its own."""

import os

from devproject.settings import *  # noqa: F403 - the package's documented starting point
from misago.conf.defaults import MISAGO_POSTING_MIDDLEWARES

FOLDER = os.environ["FORUM_FOLDER"]
SECRET_KEY = "only ever served on a loopback address"
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
WSGI_APPLICATION = None
STATIC_ROOT, MEDIA_ROOT = f"{FOLDER}/static", f"{FOLDER}/media"
MISAGO_USER_DATA_DOWNLOADS_WORKING_DIR = MISAGO_AVATAR_GALLERY = None
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "postgres",
        "USER": "forum",
        "HOST": "127.0.0.1",
        "PORT": os.environ["FORUM_DATABASE_PORT"],
    }
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
# Nobody works off this queue: without it the first reply that notifies somebody waits for a broker and fails.
CELERY_BROKER_URL = "memory://"
if os.environ["FORUM_THROTTLE"] != "True":
    MISAGO_POSTING_MIDDLEWARES = [name for name in MISAGO_POSTING_MIDDLEWARES if "FloodProtection" not in name]
