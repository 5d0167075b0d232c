"""Typer, in the terminal's language: help and usage errors.

Typer asks gettext for some of its words and has others in English only.  What a command group or command says is put
in here; what is wrong with a call is said anew in `usage_error`.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import typer
from typer import core

from judge.cli.terminal import VOICE, _
from judge.core.text import Text

# Typer looks its `_` up at each use, so that this is the door for a catalogue that is not a compiled file.
vars(core)["_"] = _
TYPERS_OWN_WORDS = (_("Arguments"), _("Options"), _("Commands"), _("default: {default}"), _("required"))

OPTIONS = _("[OPTIONS]")
COMMAND = _("COMMAND [ARGUMENTS]")


COMMANDS: dict[str, tuple[str, str]] = {}
"""Each command: the module and function behind it, and what it does.

A group of commands has neither module nor function; its own are named after it: "forum", "forum add".
"""


class _Speaking:
    """The two places in a command's help that are English only."""

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix=_("Usage: "))

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]  # Typer's command class stands beside this one
        if option is not None:
            option.help = _("Show this text and do nothing else.")
        return option


class Command(_Speaking, core.TyperCommand):
    """One command."""


class Commands(_Speaking, core.TyperGroup):
    """All commands, or those of one group, in the order in which they are needed."""

    group = ""
    """The words before the names of its commands, such as "forum "."""

    def list_commands(self, ctx: Any) -> list[str]:
        names = [name.removeprefix(self.group) for name in COMMANDS if name.startswith(self.group)]
        return [name for name in names if " " not in name]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        whole = self.group + cmd_name
        if cmd_name not in self.list_commands(ctx):
            return None
        place, about = COMMANDS[whole]
        if not place:
            return _group(whole, about)
        module, name = place.split(":")
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        function = getattr(import_module(f"judge.cli.{module}"), name)
        alone.command(cmd_name, cls=Command, help=about, options_metavar=OPTIONS)(function)
        return typer.main.get_command(alone)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Each command's first sentence, as Typer has it, but without importing what the commands need."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        listed = [(name, Command(name, help=COMMANDS[self.group + name][1])) for name in names]
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, command.get_short_help_str(room)) for name, command in listed])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = self.list_commands(ctx)
        if args[0] not in known:
            near = get_close_matches(args[0], known, n=1)
            if near:
                ctx.fail(
                    VOICE.say(Text.of("There is no command {name}. Did you mean {near}?", name=args[0], near=near[0]))
                )
            ctx.fail(
                VOICE.say(
                    Text.of("There is no command {name}; there are: {known}.", name=args[0], known=", ".join(known))
                )
            )
        return super().resolve_command(ctx, args)


def _group(name: str, about: str) -> Commands:
    """The commands that are named after a group."""
    group = Commands(
        name=name,
        help=about,
        no_args_is_help=True,
        options_metavar=OPTIONS,
        subcommand_metavar=COMMAND,
        rich_markup_mode=None,
    )
    group.group = f"{name} "
    return group


def usage_error(error: typer.TyperException) -> str:
    """What is wrong with a call, and where its help is."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return error.format_message()
    context = getattr(error, "ctx", None)
    command = "judge" if context is None else context.command_path
    return f"{_mistake(error)}\n" + VOICE.say(Text.of("Help: {command} --help", command=command))


def _mistake(error: typer.TyperException) -> str:
    """By the kind of Typer's error; kinds that are none of these are told in Typer's words."""
    name = getattr(error, "option_name", "") or _name_of(getattr(error, "param", None))
    match type(error).__name__:
        case "MissingParameter":
            return VOICE.say(Text.of("{name} is missing.", name=name))
        case "NoSuchOption":
            return VOICE.say(Text.of("There is no option {name}.", name=name))
        case "BadOptionUsage":
            return VOICE.say(Text.of("The option {name} lacks its value, or takes none.", name=name))
        case "BadParameter" if name:
            return VOICE.say(Text.of("{name}: {problem}", name=name, problem=error.message))
    message = error.format_message()
    if extra := re.fullmatch(r"Got unexpected extra argument.*? \((.*)\)", message):
        return VOICE.say(Text.of("That is more than this command takes: {extra}", extra=extra[1]))
    return message


def _name_of(parameter: Any) -> str:
    """As it is typed: --option, or an argument's place in the usage line."""
    if parameter is None:
        return ""
    long = [name for name in parameter.opts if name.startswith("--")]
    return str(long[0] if long else parameter.metavar or parameter.name)
