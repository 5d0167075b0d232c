"""Makes the accounts and the categories of a fresh Misago; reads what is wanted, and prints the ids, as JSON.

The judge and the moderator are of the forum's team.  In the category "Held" everybody else's posts wait for approval;
who may approve in any category waits in none.
"""

import json
import sys

import django

django.setup()

from misago.acl.models import Role  # noqa: E402 - Django must be set up first
from misago.cache.versions import invalidate_all_caches  # noqa: E402
from misago.categories.models import Category, CategoryRole, RoleCategoryACL  # noqa: E402
from misago.users.models import Rank, User  # noqa: E402

wanted = json.load(sys.stdin)
moderator = Role.objects.get(name="Moderator")
# What the throttle is for: the team feels it too, or no test could show the judge meeting it.
moderator.permissions["misago.threads.permissions.threads"]["can_omit_flood_protection"] = False
moderator.save()
games = Category.objects.get(slug="first-category")
games.name, games.slug = "Games", "games"
games.save()
held = Category(name="Held", slug="held", require_threads_approval=True, require_replies_approval=True)
held.insert_at(Category.objects.root_category(), position="last-child", save=True)
for role, category_role in (
    (moderator, "Moderator"),
    (Role.objects.get(special_role="authenticated"), "Start and reply threads"),
    (Role.objects.get(special_role="anonymous"), "Read only"),
):
    RoleCategoryACL.objects.create(role=role, category=held, category_role=CategoryRole.objects.get(name=category_role))
accounts = {}
for name, password in wanted["passwords"].items():
    rank = Rank.objects.get(slug="forum-team" if name in wanted["moderators"] else "members")
    accounts[name] = User.objects.create_user(
        name,
        f"{name.lower()}@forum.invalid",
        password,
        rank=rank,
        avatars=[{"size": size, "url": "/static/misago/img/blank-avatar.png"} for size in (400, 200, 100)],
    ).pk
invalidate_all_caches()
json.dump({"accounts": accounts, "category": games.pk, "held_category": held.pk}, sys.stdout)
