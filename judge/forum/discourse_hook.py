"""What a Discourse says of its own accord: that something happened in a topic.

Its webhook only shortens the wait: whoever is told looks by the API, since words that come with it may be old or lost.
"""

from __future__ import annotations

import hashlib
import hmac
import json

SIGNATURE = "X-Discourse-Event-Signature"
"""The header that holds the signature."""


def signed(secret: str, body: bytes, header: str) -> bool:
    """Whether the forum that shares the secret sent exactly these bytes; nobody shares an empty one."""
    expected = f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
    return bool(secret) and hmac.compare_digest(expected.encode(), header.strip().encode())


def topic_of(body: bytes) -> str | None:
    """The topic in which a post or the topic itself was made, changed or deleted; None for every other event."""
    try:
        event = json.loads(body)
        number = event["post"]["topic_id"] if "post" in event else event["topic"]["id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return str(number) if isinstance(number, int) and not isinstance(number, bool) else None
