"""`judge forum`: accounts on forums at the command line, on a server that answers as NodeBB documents it."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.bootstrap import connector
from judge.registry import forum_settings, forums
from judge.store import Store, Vault, unseal
from judge.store.forum_tables import ForumRow
from tests.at_the_command_line import COMMAND, CommandLine, environment, free_port
from tests.forums import LiveForum, start
from tests.odd_forum import Answer, odd_forum


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    line = CommandLine(tmp_path)
    line.config(f"[web]\nport = {free_port()}\n")
    return line


@pytest.fixture(scope="module")
def forum() -> Iterator[LiveForum]:
    with start("documented.nodebb") as live:
        yield live


def token(forum: LiveForum, who: str = "Judge") -> str:
    return f"{forum.accounts[who].password}\n"


def added(judge: CommandLine, forum: LiveForum, *arguments: str) -> str:
    ran = judge(
        *("forum", "add", "club", "--kind", "nodebb", f"url={forum.url}", f"category={forum.category}", *arguments),
        stdin=token(forum),
    )
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def listed(judge: CommandLine) -> list[dict[str, Any]]:
    return json.loads(judge("forum", "list", "--json").out)


def kept_secret(judge: CommandLine) -> Any:
    folder = judge.folder / "var"
    store = Store(f"sqlite:///{folder / 'gamejudge.db'}", Vault.open_file(folder / "gamejudge.key"))
    with store.read() as session:
        opened = unseal(session, session.get_one(ForumRow, "club").sealed_settings)
    store.close()
    return opened


def test_adding_a_forum_logs_in_and_says_what_games_are_like_there(judge: CommandLine, forum: LiveForum) -> None:
    said = added(judge, forum)
    for sentence in (
        "club: the judge is logged in as Judge (account",
        "private messages were read.",
        "Plain orders in a post are public there.",
        "each receipt goes to its sender alone",
        "The judge reads what was typed.",
        "Edits: ",
        "Two posts of the judge are at least 10 seconds apart.",
        "is split into several posts",
        "Everything is in order.",
    ):
        assert sentence in said
    [row] = listed(judge)
    assert (row["name"], row["kind"], row["games"]) == ("club", "nodebb", [])
    assert row["settings"] == {"url": forum.url, "category": forum.category}


def test_a_check_reads_a_topic_as_it_was_typed(judge: CommandLine, forum: LiveForum) -> None:
    topic = forum.acts.start_topic("Anna", "Shall we play?", "Who joins?")
    forum.acts.post("Ben", topic, "I do!")
    added(judge, forum)
    said = judge("forum", "check", "club", "--topic", topic).out
    assert "The topic “Shall we play?” can be read: 2 posts." in said
    assert "The 2 newest posts were read as typed." in said
    gone = judge("forum", "check", "club", "--topic", "4711")
    assert gone.code == 1
    assert "The topic cannot be read. " in gone.out
    assert "Is the number or address of the topic right" in gone.out


def test_the_commands_of_the_readme_work_as_printed(judge: CommandLine, forum: LiveForum) -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Play on your forum")[1].split("\n## ")[0]
    commands = section.split("```sh\n")[1].split("```")[0].replace("https://forum.example.org", forum.url)
    for command in commands.splitlines():
        program, *arguments = shlex.split(command)
        assert program == ".venv/bin/judge"
        ran = judge(*arguments, stdin=token(forum))
        assert (ran.code, ran.err) == (0, ""), command
    [row] = listed(judge)
    assert len(row["games"]) == 1


def test_a_secret_is_kept_sealed_and_shown_by_nothing(judge: CommandLine, forum: LiveForum) -> None:
    said = added(judge, forum)
    secret = token(forum).strip()
    for arguments in (["list"], ["list", "--json"], ["check"], ["change", "club"], ["change", "club", "retry=30"]):
        ran = judge("--debug", "forum", *arguments)
        said += ran.out + ran.err
    assert secret not in said
    assert kept_secret(judge) == {"token": secret}
    for file in (judge.folder / "var").iterdir():
        assert secret.encode() not in file.read_bytes()


def test_a_secret_is_no_argument(judge: CommandLine, forum: LiveForum) -> None:
    ran = judge("forum", "add", "club", "--kind", "nodebb", f"url={forum.url}", "token=hush")
    assert ran.code == 2
    assert "token is secret and no argument" in ran.err
    assert listed(judge) == []


def test_a_secret_may_stand_in_the_environment(
    judge: CommandLine, forum: LiveForum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMEJUDGE_FORUM_TOKEN", token(forum).strip())
    assert judge("forum", "add", "club", "--kind", "nodebb", f"url={forum.url}").code == 0
    assert kept_secret(judge) == {"token": token(forum).strip()}


def test_at_a_terminal_a_secret_is_asked_for_without_an_echo(judge: CommandLine, forum: LiveForum) -> None:
    """A real terminal: what is typed there does not appear on it."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, "forum", "add", "club", "--kind", "nodebb", f"url={forum.url}", "--unchecked"]
    ran = subprocess.Popen(
        ["setsid", "--ctty", *command],
        cwd=judge.folder,
        env=environment("C.UTF-8"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while b"token (" not in shown:
        shown += os.read(ours, 1000)
    os.write(ours, token(forum).encode())
    while chunk := _read(ours):
        shown += chunk
    assert ran.wait(timeout=60) == 0, shown
    os.close(ours)
    assert token(forum).strip().encode() not in shown
    assert kept_secret(judge) == {"token": token(forum).strip()}


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1000)
    except OSError:  # Linux says so when the other side has gone
        return b""


def test_everything_that_is_wrong_with_an_account_is_told_at_once(judge: CommandLine) -> None:
    ran = judge("forum", "add", "my club", "--kind", "misago", "url=forum", "category=Games", "colour=red", stdin="\n")
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "NAME: “my club” is no name for a forum: letters, digits, dots and hyphens are allowed, at most 40.",
        "url: An address such as https://forum.example.org is needed, “forum” was read.",
        "category: A whole number is needed, “Games” was read.",
        "colour: “colour” is no setting of such a forum; there are: url, category, user, password, timeout, retry.",
        "The setting “user” is missing: the name of the judge's account there.",
        "The setting “password” is missing: the password of the judge's account.",
    ]


@pytest.mark.parametrize(
    "url", ["ftp://x", "https://", "https://a:b@c", "https://x:port", "https://[::1", "http://x:99999"]
)
def test_an_odd_address_is_refused_in_a_sentence(judge: CommandLine, url: str) -> None:
    ran = judge("forum", "add", "club", "--kind", "misago", f"url={url}", "user=J", "--unchecked", stdin="x\n")
    assert (ran.code, ran.err) == (
        2,
        f"url: An address such as https://forum.example.org is needed, “{url}” was read.\n",
    )


@pytest.mark.parametrize("name", ["board", "by-hand", "club"])
def test_a_name_is_given_once(judge: CommandLine, forum: LiveForum, name: str) -> None:
    added(judge, forum)
    ran = judge("forum", "add", name, "--kind", "nodebb", f"url={forum.url}", stdin=token(forum))
    assert ran.code == 2
    assert f"There is a forum “{name}” already" in ran.err


def test_without_a_kind_every_kind_is_listed_with_what_it_needs(judge: CommandLine) -> None:
    ran = judge("forum", "add", "club")
    assert ran.code == 2
    assert "--kind misago: url=…, user=…, password\n" in ran.err
    assert "--kind nodebb: url=…, token\n" in ran.err
    assert judge("forum", "add", "club", "--kind", "nodebbb").code == 2
    assert "Nothing needs to be set up for “board”." in judge("forum", "add", "x", "--kind", "board").err


def test_every_kind_of_forum_says_what_it_must_be_told() -> None:
    for kind in forums():
        for setting in forum_settings(kind):
            assert setting.name.isidentifier()
            assert setting.about.text
            assert setting.secret == (setting.name in {"password", "token", "secret"})
    assert connector("by-hand") == forums()["board"]


def test_what_does_not_work_is_told_with_what_to_do(judge: CommandLine, forum: LiveForum) -> None:
    added(judge, forum)
    assert judge("forum", "change", "club", "token", stdin="wrong\n").code == 0
    ran = judge("forum", "check", "club")
    assert ran.code == 1
    assert "BAD      club: the judge cannot log in. " in ran.out
    assert "change them: judge forum change club" in ran.out
    forum.go_away()
    try:
        away = judge("forum", "check").out
    finally:
        forum.come_back()
    assert "The forum cannot be reached: " in away
    assert "the judge does so by itself" in away
    assert judge("forum", "change", "club", "token", stdin=token(forum)).code == 0
    assert judge("forum", "check").code == 0


def test_another_kind_of_forum_is_noticed(judge: CommandLine) -> None:
    with odd_forum() as odd:
        odd.answers["/api/self"] = Answer(body=b"<html>no NodeBB</html>")
        arguments = ("forum", "add", "club", "--kind", "nodebb", f"url={odd.url}")
        ran = judge(*arguments, stdin="x\n")
    assert ran.code == 1
    assert "Either this is another kind of forum" in ran.out
    assert len(listed(judge)) == 1, "it can be mended with change"


def test_a_game_is_opened_in_a_topic_that_is_there(judge: CommandLine, forum: LiveForum) -> None:
    added(judge, forum)
    topic = forum.acts.start_topic("Anna", "Commodities", "Let us play.")
    arguments = ("new-game", "--ruleset", "commodity-market", "--seats", "Anna,Ben", "--forum", "club", "--thread")
    assert judge(*arguments, topic, "--json").code == 0
    again = judge(*arguments, topic)
    assert again.code == 2
    assert again.err.startswith("thread: Another game is played in this topic: ")
    gone = judge(*arguments, "4711")
    assert gone.code == 2
    assert gone.err.startswith("thread: The topic cannot be used: ")
    board = judge("new-game", "--ruleset", "commodity-market", "--seats", "Anna,Ben", "--thread", topic)
    assert board.err == (
        "thread: The topic cannot be used: "
        "Only on a forum with an account can a game go on in a topic that is there already.\n"
    )
    [row] = listed(judge)
    assert len(row["games"]) == 1


def test_a_forum_is_kept_while_a_game_is_played_there(judge: CommandLine, forum: LiveForum) -> None:
    added(judge, forum)
    judge("new-game", "--ruleset", "commodity-market", "--seats", "Anna,Ben", "--forum", "club", "--title", "Ring")
    ran = judge("forum", "remove", "club")
    assert ran.code == 1
    assert ran.err.startswith("A game is still played on “club”: Ring (")
    assert len(listed(judge)) == 1


def test_a_forum_without_games_is_forgotten(judge: CommandLine, forum: LiveForum) -> None:
    added(judge, forum)
    assert judge("forum", "remove", "clbu").err == "There is no forum “clbu”. Did you mean “club”?\n"
    assert judge("forum", "remove", "club").out == "The judge has no account on “club” any more.\n"
    assert judge("forum", "list").out == ("There is no account on a forum yet. `judge forum add --help` tells how.\n")


def test_the_doctor_logs_in_on_forums_only_if_asked(judge: CommandLine, forum: LiveForum) -> None:
    added(judge, forum)
    forum.go_away()
    try:
        assert judge("check").code == 0
        asked = judge("check", "--forums")
    finally:
        forum.come_back()
    assert asked.code == 1
    assert "BAD      club: the judge cannot log in. The forum cannot be reached: " in asked.out
    assert "club: the judge is logged in as Judge" in judge("check", "--forums").out


def test_the_group_of_commands_helps_and_corrects(judge: CommandLine) -> None:
    helped = judge("forum", "--help")
    assert [line.split()[0] for line in helped.out.split("Commands:\n")[1].strip().splitlines()] == [
        *("add", "check", "list", "change", "remove")
    ]
    wrong = judge("forum", "chek")
    assert (wrong.code, wrong.err) == (
        2,
        "There is no command chek. Did you mean check?\nHelp: judge forum --help\n",
    )
