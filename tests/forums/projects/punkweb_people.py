"""Makes the accounts and the subcategory of a fresh PunkwebBB; reads what is wanted, and prints the ids, as JSON."""

import json
import sys

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - Django must be set up first
from django.contrib.auth.models import Permission  # noqa: E402
from punkweb_bb.models import Category, Subcategory  # noqa: E402

wanted = json.load(sys.stdin)
accounts = {}
for name, password in wanted["passwords"].items():
    user = get_user_model().objects.create_user(name, password=password)
    if name in wanted["moderators"]:
        user.user_permissions.set(Permission.objects.filter(content_type__app_label="punkweb_bb"))
    accounts[name] = user.pk
category = Category.objects.create(name="Table", slug="table")
games = Subcategory.objects.create(category=category, name="Games", slug="games")
json.dump({"accounts": accounts, "category": games.slug}, sys.stdout)
