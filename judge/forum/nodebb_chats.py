"""NodeBB's chats: how a member writes to the judge, and the judge to him.

A chat's lines are short, 1,000 characters unless the forum's operators allow more, so a long letter goes as several of
them, each with the letter's key and its number.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from itertools import takewhile

from judge.forum import DirectMessage, Unknown
from judge.forum.markup import typed_text
from judge.forum.nodebb_api import Api, Config, Message, Room, Sent, Typed, moment
from judge.forum.settled import Settled


class Chats:
    """The chats of one account."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._rooms: dict[str, int] = {}
        self._settled = Settled()

    def messages(self, since: int) -> list[DirectMessage]:
        """What others wrote, the oldest first, from the message with this number on."""
        found = list[DirectMessage]()
        for room in self._api.rooms():
            shown = None if room.teaser is None else room.teaser.timestamp
            newest = self._settled.newest(room.room_id, shown)
            if newest is None:
                newest, theirs = self._theirs(room, since)
                waiting = any(message.message_id > since for message in theirs)
                self._settled.note(room.room_id, shown, newest, waiting=waiting)
                found += [self._received(room, message) for message in theirs if not message.deleted]
            if 0 < newest < since:  # and so are those of all rooms below
                break
        return sorted(found, key=lambda message: int(message.id))

    def tell(self, member: str, text: str, key: str, since: datetime | None) -> str | Unknown:
        """Writes to one member, unless a letter with this key went to him; returns the number of its last message."""
        longest = self._api.read(Config, "/api/config").maximum_chat_message_length
        if (room := self._room(member)) is None:
            opened = self._api.post(Room, "/chats", {"uids": [int(member)]}, lambda: False)
            if isinstance(opened, Unknown):
                return opened
            room = self._rooms[member] = opened.room_id
        fresh = takewhile(lambda one: since is None or moment(one.timestamp) >= since, self._api.messages_back(room))
        there = [one for one in fresh if one.fromuid == self._api.me.uid and not one.deleted]
        parts, last = _parts(text, key, longest), 0
        for number, part in enumerate(parts, start=1):
            label = f"{number}/{len(parts)}" if len(parts) > 1 else key
            if found := next((one for one in there if _holds(one, key, label)), None):
                last = found.message_id
                continue
            answer = self._api.post(Sent, f"/chats/{room}", {"message": part}, partial(self._is_open, room))
            if isinstance(answer, Unknown):
                return answer
            last = answer.message_id
        return str(last)

    def _theirs(self, room: Room, since: int) -> tuple[int, list[Message]]:
        """The number of a chat's newest message, and what others wrote there, from the message `since` on."""
        newest, theirs = 0, list[Message]()
        for message in self._api.messages_back(room.room_id):
            newest = newest or message.message_id
            if message.message_id < since:
                break
            if message.fromuid != self._api.me.uid and not message.system:
                theirs.append(message)
        return newest, theirs

    def _room(self, member: str) -> int | None:
        """The chat with this member alone."""
        if member not in self._rooms:
            for room in self._api.rooms():
                if {user.uid for user in room.users} - {self._api.me.uid} == {member}:
                    self._rooms[member] = room.room_id
                    break
        return self._rooms.get(member)

    def _is_open(self, room: int) -> bool:
        return self._api.get(Room, f"/chats/{room}").can_reply

    def _received(self, room: Room, message: Message) -> DirectMessage:
        typed = self._api.get(Typed, f"/chats/{room.room_id}/messages/{message.message_id}/raw").content
        name = message.from_user.username if message.from_user else ""
        written = moment(message.timestamp)
        return DirectMessage(str(message.message_id), message.fromuid, name, typed, "markdown", written)


def _parts(text: str, key: str, longest: int) -> list[str]:
    """A letter as messages of at most `longest` characters, cut between lines; each says the key and its number."""
    if len(text) <= longest:
        return [text]
    room = longest - len(f"\n\n{key} 99/99")
    lines = [line[at : at + room] for line in text.split("\n") for at in range(0, max(len(line), 1), room)]
    parts = [""]
    for line in lines:
        if len(parts[-1]) + len(line) + 1 > room:
            parts.append("")
        parts[-1] = f"{parts[-1]}\n{line}" if parts[-1] else line
    return [f"{part}\n\n{key} {number}/{len(parts)}" for number, part in enumerate(parts, start=1)]


def _holds(message: Message, key: str, label: str) -> bool:
    words = typed_text(message.content, "html").split()
    return key in words and label in words
