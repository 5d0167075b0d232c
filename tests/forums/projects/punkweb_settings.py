"""PunkwebBB as its README says: an ordinary Django project with the forum in it, on one SQLite file."""

import os

FOLDER = os.environ["FORUM_FOLDER"]
SECRET_KEY = "only ever served on a loopback address"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "punkweb_urls"
USE_TZ, TIME_ZONE = True, "UTC"
STATIC_URL, MEDIA_URL, MEDIA_ROOT = "/static/", "/media/", f"{FOLDER}/media"
LOGIN_URL = "punkweb_bb:login"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
PUNKWEB_BB = {"PARSER": "bbcode", "SHOUTBOX_ENABLED": False}
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "punkweb_bb",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "punkweb_bb.middleware.ProfileOnlineCacheMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "punkweb_bb.context_processors.punkweb_bb",
            ]
        },
    }
]
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
