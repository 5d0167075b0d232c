"""What a host can set, read from `config.toml` and the environment.

Every setting has a default, so the judge runs without any file.  A key that is not known here is an error: a typing
mistake must not quietly leave a default in force.  `GAMEJUDGE_WEB__PORT=9000` in the environment wins over the file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

ENVIRONMENT = "GAMEJUDGE_"


class ConfigError(Exception):
    """The configuration cannot be used; the message says which key, what was read and what would be right."""


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Web(Section):
    """Where the pages are served and who may open games."""

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    address: str = ""
    """The address players use ("https://judge.example.org"); empty = http://host:port.  https makes cookies secure."""
    new_games: Literal["anyone", "command-line"] = "anyone"
    spectators_post: bool = True
    max_request_kb: int = Field(default=256, ge=16, le=10_000)
    trusted_proxies: str = "127.0.0.1"
    """Proxies whose X-Forwarded headers are believed, comma-separated."""

    @field_validator("address")
    @classmethod
    def _whole_address(cls, address: str) -> str:
        """Links and cookies depend on it, so a half or mistyped address is refused."""
        if not address:
            return address
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise ValueError("an address such as https://judge.example.org is needed")
        if parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError("the judge needs a host name of its own; nothing can follow it")
        return f"{parts.scheme}://{parts.netloc}"


class Clock(Section):
    """How often the judge looks for work.  The last order wakes it at once, whatever stands here."""

    tick_seconds: int = Field(default=20, ge=1, le=3600)
    reminder_hours: tuple[int, ...] = (24, 4)
    """How long before the deadline those who have not posted are reminded, once each."""

    @field_validator("reminder_hours")
    @classmethod
    def _positive(cls, hours: tuple[int, ...]) -> tuple[int, ...]:
        if any(hour < 1 for hour in hours):
            raise ValueError("a reminder must come at least 1 hour before the deadline")
        return tuple(sorted(set(hours), reverse=True))


class Letters(Section):
    """How long the judge waits before it tries again to post a letter, in seconds."""

    retry_seconds: tuple[float, ...] = (30, 60, 120, 300, 900, 3600)
    """After the first failure in a row, the second, …; the last also where a forum refuses.  Where a forum names a time
    itself, that counts."""
    unsure_seconds: float = Field(default=120, gt=0, le=3600)
    """From the beginning of a try whose end is not known (an answer was lost, or the judge was killed): longer than a
    whole try takes."""

    @field_validator("retry_seconds")
    @classmethod
    def _in_order(cls, seconds: tuple[float, ...]) -> tuple[float, ...]:
        if not seconds or min(seconds) <= 0 or list(seconds) != sorted(seconds):
            raise ValueError("waits such as [30, 60, 3600] are needed, each at least as long as the one before")
        return seconds


class Reading(Section):
    """How often the judge looks into the topics of games that are played on forums, in seconds."""

    poll_seconds: float = Field(default=60, ge=1, le=3600)
    near_seconds: float = Field(default=15, ge=1, le=3600)
    """In the last five minutes before a deadline."""
    settle_seconds: float = Field(default=30, ge=0, le=3600)
    """A turn whose time is up closes on a reading that began so long after its deadline."""


class Settings(BaseSettings):
    """All settings.  Paths that are not absolute count from the folder of the config file, or from where one stands."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT,
        env_nested_delimiter="__",
        frozen=True,
        extra="forbid",
        nested_model_default_partial_update=True,
    )

    data: Path = Path("var")
    """The folder for the database and, unless `key_file` says otherwise, the key file."""
    database: str = ""
    """An SQLAlchemy URL; empty = SQLite in the data folder.  PostgreSQL: postgresql+psycopg://…"""
    key_file: Path | None = None
    language: Literal["en", "de"] = "en"
    zone: str = "UTC"
    """The IANA zone proposed for new games."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    web: Web = Web()
    clock: Clock = Clock()
    letters: Letters = Letters()
    reading: Reading = Reading()

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError) as unknown:
            raise ValueError(f"“{zone}” is not an IANA time zone such as Europe/Berlin") from unknown
        return zone

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file (which arrives as init arguments)."""
        return env_settings, init_settings

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.data / 'gamejudge.db'}"

    @property
    def key_path(self) -> Path:
        return self.key_file or self.data / "gamejudge.key"

    @property
    def address(self) -> str:
        """The address in links, without a slash at the end."""
        host = f"[{self.web.host}]" if ":" in self.web.host else self.web.host
        return (self.web.address or f"http://{host}:{self.web.port}").rstrip("/")


def load_settings(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from a file: the given one, else `GAMEJUDGE_CONFIG`, else ./config.toml if it is there, else defaults.

    Raises ConfigError with one line a mistake.
    """
    named = path or (Path(environment[f"{ENVIRONMENT}CONFIG"]) if f"{ENVIRONMENT}CONFIG" in environment else None)
    file = named or Path("config.toml")
    content: dict[str, Any] = {}
    if file.exists():
        try:
            content = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as unreadable:
            raise ConfigError(f"{file}: {unreadable}") from unreadable
    elif named:
        raise ConfigError(f"{file}: there is no such file; copy config.example.toml to start one")
    for key in ("data", "key_file"):
        if isinstance(content.get(key), str):
            content[key] = file.parent / Path(content[key]).expanduser()
    try:
        return Settings(**content)
    except ValidationError as error:
        raise ConfigError("\n".join(_mistake(detail, file) for detail in error.errors())) from error
    except ValueError as error:  # an environment value that is no JSON where JSON is needed
        raise ConfigError(f"environment: {error}") from error


def _mistake(detail: Any, file: Path) -> str:
    key = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        section: Any = Settings
        for part in detail["loc"][:-1]:
            section = section.model_fields[str(part)].annotation
        known = ", ".join(sorted(section.model_fields))
        return f"{file}: “{key}” is not a setting; known here: {known}"
    return f"{file}: {key} = {detail['input']!r}: {detail['msg'].removeprefix('Value error, ')}"
