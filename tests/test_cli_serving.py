"""`judge run` and `judge tick` as real processes: where they serve, how they stop, what they write to the log."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.at_the_command_line import SECONDS, CommandLine, free_port, read_until


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def answer(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def stopped(started: subprocess.Popen[str], by: signal.Signals) -> tuple[str, str]:
    started.send_signal(by)
    return started.communicate(timeout=SECONDS)


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_where_it_says_until_it_is_stopped(judge: CommandLine, by: signal.Signals) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    with judge.running("run", "--port", address.rsplit(":", 1)[1]) as started:
        assert read_until(started, "serves at") == f"The judge serves at {address} (stop it with Ctrl+C).\n"
        assert answer(f"{address}/")[0] == 200
        assert json.loads(answer(f"{address}/healthz")[1]) == {"status": "ok"}
        out, _ = stopped(started, by)
        assert out == "Stopped. Everything that was handed in is stored.\n"
        assert started.returncode == 0


def test_the_port_is_the_configured_one_and_the_command_line_wins(judge: CommandLine) -> None:
    configured, typed = free_port(), free_port()
    judge.config(f"[web]\nport = {configured}\n")
    with judge.running("run") as started:
        assert f":{configured} " in read_until(started, "serves at")
        stopped(started, signal.SIGTERM)
    with judge.running("run", "--port", str(typed)) as started:
        assert f":{typed} " in read_until(started, "serves at")
        stopped(started, signal.SIGTERM)


def test_a_port_in_use_is_told_with_what_to_do(judge: CommandLine, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for command in (["run"], ["demo", "--serve"]):
            ran = judge.process(*command, "--port", str(port))
            assert (ran.code, ran.out) == (1, "")
            assert f"Port {port} on 127.0.0.1 is in use, perhaps by another judge." in ran.err
            assert f"--port {port + 1}" in ran.err
            assert "Traceback" not in ran.err
    assert not (tmp_path / "var").exists()


def test_an_address_of_another_machine_is_told(judge: CommandLine) -> None:
    ran = judge.process("run", "--host", "192.0.2.1", "--port", str(free_port()))
    assert (ran.code, ran.out) == (1, "")
    assert "The judge cannot serve on 192.0.2.1" in ran.err


def test_a_judge_at_work_resolves_turns_and_never_logs_a_link(judge: CommandLine) -> None:
    """The token in a personal link's address is in no log line, nor is what was ordered."""
    port = free_port()
    judge.config(f'log_level = "debug"\n[web]\nport = {port}\n')
    opened = json.loads(
        judge("new-game", "--ruleset", "commodity-market", "--seats", "Anna,bot", "--start", "--json").out
    )
    link = opened["seats"]["Anna"]
    with judge.running("run") as started:
        read_until(started, "serves at")
        assert answer(link)[0] == 200
        assert answer(f"http://127.0.0.1:{port}/seat/no-such-link")[0] == 404
        assert "running and well" in judge("check").out
        _, log = stopped(started, signal.SIGTERM)
    token = link.rsplit("/", 1)[1]
    assert token not in log
    assert "no-such-link" not in log


def test_a_tick_does_one_round_and_says_how_much_was_due(judge: CommandLine) -> None:
    judge("new-game", "--ruleset", "commodity-market", "--seats", "Anna,free")
    ran = judge.process("tick")
    assert (ran.code, ran.out) == (0, "0 things were due and have been done.\n")


def test_a_judge_and_a_tick_may_work_on_one_database(judge: CommandLine) -> None:
    with judge.running("run", "--port", str(free_port())) as started:
        read_until(started, "serves at")
        assert judge.process("tick").code == 0
        opened = judge.process(
            "new-game",
            "--ruleset",
            "commodity-market",
            "--seats",
            "bot,bot",
            "--option",
            "months=1",
            "--start",
            "--json",
        )
        assert opened.code == 0
        assert json.loads(judge("games", "--json").out)[0]["status"] == "over"
        stopped(started, signal.SIGTERM)
        assert started.returncode == 0
