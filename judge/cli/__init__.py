"""The command `judge`: each command reads what was typed, calls a use case, and says in a line or two what came of it.

Exit codes: 0 done; 1 refused or failed, with a message on stderr; 2 asked wrongly, or with input that cannot be read.
Nobody sees a traceback unless he asks for it with `--debug`.

A command's module is imported when the command is called, not when it is listed, so that help and `replay` need not
wait for the database's libraries.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated

import typer

from judge.cli.speaking import COMMAND, COMMANDS, OPTIONS, Commands, usage_error
from judge.cli.terminal import Call, FailureError, _, say, tell
from judge.core.text import Text
from judge.registry import NotInstalledError
from judge.settings import ConfigError

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        tell(f"judge {installed_version('gamejudge')}")
        raise typer.Exit


@app.callback(
    help=_("Judges board games that are played by posts: takes sealed orders, resolves turns, publishes results."),
    epilog=_(
        "Exit codes: 0 done; 1 refused or failed, with the reason; 2 asked wrongly, or input that cannot be read."
    ),
    options_metavar=OPTIONS,
    subcommand_metavar=COMMAND,
)
def _before_the_command(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=_("The config file; otherwise GAMEJUDGE_CONFIG, else ./config.toml.")),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help=_("Show where in the program an error comes from."))] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help=_("Print the version."))
    ] = False,
) -> None:
    call: Call = context.obj
    call.config, call.debug = config, debug


COMMANDS.update(
    {
        "run": ("serving:run", _("Run the judge. It serves its pages and resolves turns when they are due.")),
        "tick": ("serving:tick", _("Do what is due now, once. For cron, and for a judge that serves no pages.")),
        "demo": (
            "demo:demo",
            _("Play the beginning of a demo of each game. Then bots take all seats but one: yours."),
        ),
        "new-game": ("games:new_game", _("Open a game and print its personal links. They are shown this once only.")),
        "games": ("games:games", _("List all games, what they wait for and until when.")),
        "link": ("games:link", _("Make a new personal link. The old one and the seat's unopened orders become void.")),
        "forum": ("", _("Keep accounts on forums, so that games can be played there.")),
        "forum add": ("forum:add", _("Keep an account on a forum, and log in there.")),
        "forum check": ("forum:check", _("Log in, and tell what the judge can and cannot do on a forum.")),
        "forum list": ("forum:list_forums", _("List all accounts and how many games are played there.")),
        "forum change": ("forum:change", _("Change what the judge was told of a forum, a password too.")),
        "forum remove": ("forum:remove", _("Forget an account. Refused while a game is played there.")),
        "rewind": ("rewinding:rewind", _("Take turns back, in public: nothing is erased. They are played anew.")),
        "seal": ("sealing:seal", _("Seal orders for a public thread. Needs nothing but the judge's public key.")),
        "keys": ("keys:keys", _("List the judge's own keys. `judge keys rotate` replaces them all.")),
        "replay": ("replay:replay", _("Play a playthrough file. It is printed with the judge's lines filled in.")),
        "export": ("proofs:export", _("Write all that is public of a game. Anybody can verify the file.")),
        "import": ("moving:import_game", _("Take in a game that another judge exported with --private.")),
        "verify": (
            "proofs:verify_export",
            _(
                "Check an export without database or network. Seals and dice are checked, and the game is played "
                "again. "
                "Exit codes: 0 it holds; 1 it does not; 2 it is no export; "
                "3 what was checked holds, but the game's rules are not installed here to play it again."
            ),
        ),
        "bots": ("bots:bots", _("Let bots play whole games and show how they end.")),
        "check": (
            "doctor:check",
            _("Look at all that the judge needs. What is wrong is told with what to do."),
        ),
    }
)


def main(arguments: Sequence[str] | None = None) -> int:
    """The entry point: carries out what was typed (`sys.argv`, unless given) and returns the exit code."""
    call = Call()
    try:
        code = app(arguments, prog_name="judge", standalone_mode=False, obj=call)
    except Exception as error:
        code = _answer(error)
        if call.debug:
            traceback.print_exception(error)
    return code if isinstance(code, int) else 0


def _answer(error: Exception) -> int:
    """Says to people what went wrong, and with which exit code."""
    match error:
        case typer.TyperException():
            tell(usage_error(error), error=True)
            return error.exit_code
        case FailureError():
            tell(say(error.text), error=True)
            return error.code
        case NotInstalledError():
            tell(say(error.text), error=True)
            return 2
        case _ if hasattr(error, "problems"):  # of service.table: Invalid
            for problem in error.problems:
                tell(f"{problem.field}: {say(problem.text)}" if problem.field else say(problem.text), error=True)
            return 2
        case _ if hasattr(error, "text"):  # Refusal, StoreError, KeyFileError
            tell(say(error.text), error=True)
            return 1
        case ConfigError():
            tell(str(error), error=True)
            return 2
        case _:
            text = Text.of(
                "The judge failed in a way that it should not ({kind}). Nothing was stored by this command. "
                "The same command as “judge --debug …” shows where; please report that.",
                kind=type(error).__name__,
            )
            tell(say(text), error=True)
            return 1
