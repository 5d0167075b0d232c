"""The command line as a whole: help, languages, exit codes, errors without tracebacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from judge.cli.terminal import terminal_language
from tests.at_the_command_line import CommandLine, environment

COMMANDS = (
    "run",
    "tick",
    "demo",
    "new-game",
    "games",
    "link",
    "forum",
    "rewind",
    "seal",
    "keys",
    "replay",
    "export",
    "import",
    "verify",
    "bots",
    "check",
)


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def test_help_lists_every_command_in_one_line_each(judge: CommandLine) -> None:
    shown = judge("--help")
    assert shown.code == 0
    listed = shown.out.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)
    assert "Exit codes: 0 done; 1 refused or failed" in shown.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_and_its_options(judge: CommandLine, command: str) -> None:
    shown = judge(command, "-h")
    assert shown.code == 0
    assert shown.out.startswith(f"Usage: judge {command} ")
    options = [line for line in shown.out.splitlines() if line.startswith("  -")]
    assert options
    assert all(len(line.split("  ")) > 2 or line.rstrip().count(" ") <= 4 for line in options)


def test_all_help_is_spoken_in_german_where_the_terminal_is(tmp_path: Path) -> None:
    """Nothing English is left but names of options and commands."""
    script = f"from judge.cli import main\nfor command in {['', *COMMANDS]}: main([*command.split(), '--help'])"
    shown = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment("de_DE.UTF-8"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.count("Aufruf: judge") == 1 + len(COMMANDS)
    words = {word.strip(".,;:()").lower() for word in shown.split()}
    assert not words & {"the", "and", "usage", "options", "show", "required", "default", "arguments", "is", "of"}


def test_help_and_a_mistyped_command_do_not_wait_for_what_commands_need(tmp_path: Path) -> None:
    """Listing the commands imports none of their modules: neither database nor web server."""
    script = (
        "import sys\n"
        "from judge.cli import main\n"
        "for typed in (['--help'], ['forum', '--help'], ['frobnicate']): main(typed)\n"
        "heavy = ('sqlalchemy', 'fastapi', 'uvicorn', 'rulesets')\n"
        "print([name for name in sys.modules if name.split('.')[0] in heavy])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment("C.UTF-8"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.splitlines()[-1] == "[]"
    assert "  replay    Play a playthrough file.\n" in shown.stdout


def test_no_command_shows_the_help(judge: CommandLine) -> None:
    shown = judge()
    assert shown.code == 2
    assert "Commands:" in shown.err


def test_the_version_is_told(judge: CommandLine) -> None:
    assert judge("--version").out.startswith("judge 0.")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("frobnicate", "There is no command frobnicate; there are: run, tick,"),
        ("bot", "There is no command bot. Did you mean bots?"),
        ("--frob", "There is no option --frob."),
        ("games --frob", "There is no option --frob."),
        ("games now", "That is more than this command takes: now"),
        ("replay", "FILE is missing."),
        ("new-game", "--seats is missing."),
        ("run --port", "The option --port lacks its value"),
        ("run --port http", "--port: A whole number from 1 to 65535 is needed; “http” was read."),
        ("run --port 70000", "--port: A whole number from 1 to 65535 is needed; “70000” was read."),
        ("new-game --seats bot,bot --language fr", "--language: “fr” was read; possible: en, de."),
        ("new-game --seats bot,bot --deadline noon", "--deadline: “noon” is no deadline: write none, or hours"),
        ("new-game --seats bot,bot --deadline 25:00", "“25:00” is no deadline"),
        ("new-game --seats bot,bot --deadline 0h", "“0h” is no deadline"),
        ("link somewhere", "Name either a seat or --host."),
    ],
)
def test_a_wrong_call_is_told_and_ends_with_2(judge: CommandLine, typed: str, told: str) -> None:
    ran = judge(*typed.split())
    assert ran.code == 2
    assert told in ran.err
    assert ran.out == ""


def test_a_wrong_call_says_where_its_help_is(judge: CommandLine) -> None:
    assert judge("games", "--frob").err.endswith("Help: judge games --help\n")


def test_a_wrong_call_is_told_in_german(judge: CommandLine) -> None:
    ran = judge.process("run", "--port", "http", language="de_AT.UTF-8")
    assert ran.code == 2
    assert (
        ran.err == "--port: Nötig ist eine ganze Zahl von 1 bis 65535; gelesen wurde „http“.\nHilfe: judge run --help\n"
    )


def test_a_wrong_key_in_the_config_is_told_with_the_known_ones(judge: CommandLine) -> None:
    judge.config("[web]\nprot = 80\n")
    ran = judge.process("games")
    assert ran.code == 2
    assert ran.err == (
        "config.toml: “web.prot” is not a setting; known here: "
        "address, host, max_request_kb, new_games, port, spectators_post, trusted_proxies\n"
    )


def test_a_config_that_is_not_there_is_told(judge: CommandLine) -> None:
    ran = judge("--config", "elsewhere.toml", "games")
    assert ran.code == 2
    assert "elsewhere.toml: there is no such file; copy config.example.toml to start one" in ran.err


def test_the_config_option_names_another_file(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('data = "other"', encoding="utf-8")
    assert judge("--config", "other.toml", "games").code == 0
    assert (tmp_path / "other" / "gamejudge.db").exists()


def test_an_error_that_nobody_foresaw_is_one_line_and_a_way_to_see_more(judge: CommandLine, tmp_path: Path) -> None:
    """A folder where the config file should be, say: no traceback unless it is asked for."""
    (tmp_path / "gamejudge.db").mkdir()
    judge.config('data = "."')
    short, whole = judge("games"), judge("--debug", "games")
    assert (short.code, whole.code) == (1, 1)
    assert "Traceback" not in short.err
    assert len(short.err.splitlines()) == 1
    assert "Traceback" in whole.err


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "den_CA"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_CH.UTF-8"}, "de"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "fr:de:en"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "en_GB:en"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": ""}, "de"),
    ],
)
def test_the_language_is_that_of_the_environment(environment: dict[str, str], language: str) -> None:
    assert terminal_language(environment) == language
