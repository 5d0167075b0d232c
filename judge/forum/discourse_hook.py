"""What a Discourse says of its own accord: that something happened in a topic.

Its webhook only shortens the wait: whoever is told looks by the API, since words that come with it may be old or lost.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping

from judge.core.text import Text
from judge.forum import Refused

SIGNATURE = "x-discourse-event-signature"
"""The header that holds the signature."""


def called(secret: str, headers: Mapping[str, str], body: bytes) -> str | None:
    """The topic that an event is about, None if it is about none; raises Refused unless the forum signed it."""
    if not signed(secret, body, headers.get(SIGNATURE, "")):
        raise Refused(Text.of("This was not signed with the secret of the forum."))
    return topic_of(body)


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
