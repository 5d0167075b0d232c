"""Makes the accounts and the category of a fresh Spirit; reads what is wanted, and prints the ids, as JSON."""

import json
import sys

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - Django must be set up first
from spirit.category.models import Category  # noqa: E402

wanted = json.load(sys.stdin)
accounts = {}
for name, password in wanted["passwords"].items():
    user = get_user_model().objects.create_user(name, f"{name.lower()}@forum.invalid", password)
    user.st.is_verified = True
    user.st.is_moderator = name in wanted["moderators"]
    user.st.save()
    accounts[name] = user.pk
category = Category.objects.create(title="Games")
json.dump({"accounts": accounts, "category": category.pk}, sys.stdout)
