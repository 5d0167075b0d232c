"""The config file: what it may say, what the example says, and what is said about mistakes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from pydantic import BaseModel

from judge.settings import ConfigError, Settings, load_settings

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "config.example.toml"


def written(folder: Path, content: str) -> Path:
    file = folder / "config.toml"
    file.write_text(content, encoding="utf-8")
    return file


def settings_in(folder: Path, content: str, **environment: str) -> Settings:
    return load_settings(written(folder, content), environment)


def mistake_in(folder: Path, content: str) -> str:
    with pytest.raises(ConfigError) as caught:
        settings_in(folder, content)
    return str(caught.value)


def names_and_defaults(model: type[BaseModel]) -> dict[str, object]:
    """Every setting by its dotted name, with its default as TOML has it."""
    found: dict[str, object] = {}
    for name, field in model.model_fields.items():
        default = field.get_default()
        if isinstance(default, BaseModel):
            found |= {f"{name}.{inner}": value for inner, value in names_and_defaults(type(default)).items()}
        else:
            found[name] = (
                list(default) if isinstance(default, tuple) else str(default) if isinstance(default, Path) else default
            )
    return found


def test_the_example_holds_every_setting_with_its_default() -> None:
    content = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    given = {}
    for name, value in content.items():
        given |= {f"{name}.{inner}": one for inner, one in value.items()} if isinstance(value, dict) else {name: value}
    without_default = {name for name, default in names_and_defaults(Settings).items() if default is None}
    shown_as_comments = set(re.findall(r"^# (\w+) = ", EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE))
    assert shown_as_comments == without_default
    assert given == {name: value for name, value in names_and_defaults(Settings).items() if name not in without_default}


def test_the_example_explains_every_setting() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    for name in names_and_defaults(Settings):
        at = next(n for n, line in enumerate(lines) if re.match(rf"(# )?{name.split('.')[-1]} = ", line))
        above = lines[at - 1]
        assert above.startswith("# ") or re.match(r"\w+ = ", above), f"{name} stands without a comment"


def test_the_example_loads_and_changes_nothing(tmp_path: Path) -> None:
    as_shown = settings_in(tmp_path, EXAMPLE.read_text(encoding="utf-8"))
    assert as_shown == settings_in(tmp_path, 'data = "var"')


def test_paths_count_from_the_folder_of_the_config(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, 'data = "here"\nkey_file = "keys/judge.key"')
    assert settings.data == tmp_path / "here"
    assert settings.key_path == tmp_path / "keys/judge.key"
    assert settings.database_url == f"sqlite:///{tmp_path}/here/gamejudge.db"


@pytest.mark.parametrize(
    "address",
    ["judge.example.org", "javascript:alert(1)", "https://", "https://a@b.example", "https://b.example/judge"],
)
def test_an_address_that_would_make_bad_links_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(ConfigError, match=r"web\.address"):
        settings_in(tmp_path, f'[web]\naddress = "{address}"')


def test_an_address_in_capitals_makes_secure_cookies_all_the_same(tmp_path: Path) -> None:
    assert settings_in(tmp_path, '[web]\naddress = "HTTPS://judge.example.org"').address.startswith("https:")


def test_links_use_the_public_address_or_host_and_port(tmp_path: Path) -> None:
    assert settings_in(tmp_path, "").address == "http://127.0.0.1:8000"
    assert settings_in(tmp_path, '[web]\nhost = "::1"\nport = 8080').address == "http://[::1]:8080"
    assert settings_in(tmp_path, '[web]\naddress = "https://judge.example.org/"').address == "https://judge.example.org"


def test_a_missing_config_is_the_defaults_unless_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings(environment={}).web.port == 8000
    with pytest.raises(ConfigError, match=r"there is no such file; copy config\.example\.toml"):
        load_settings(tmp_path / "other.toml", {})
    with pytest.raises(ConfigError, match=r"named\.toml: there is no such file"):
        load_settings(environment={"GAMEJUDGE_CONFIG": str(tmp_path / "named.toml")})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("prot = 80", r"“prot” is not a setting; known here: .*\bdatabase\b.*\bweb\b"),
        ("[web]\nprot = 80", r"“web\.prot” is not a setting; known here: .*\bport\b"),
        ("[web]\nport = 70000", r"web\.port = 70000: .*65535"),
        ('[web]\nport = "eighty"', r"web\.port = 'eighty': .*integer"),
        ("web = 3", r"web = 3: "),
        (
            'zone = "Mars/Olympus"',
            r"zone = 'Mars/Olympus': “Mars/Olympus” is not an IANA time zone such as Europe/Berlin",
        ),
        ('language = "fr"', r"language = 'fr': .*'en' or 'de'"),
        ("[clock]\nreminder_hours = [0]", r"reminder_hours = .*at least 1 hour"),
        ("data = ", r"Invalid value"),
    ],
)
def test_a_mistake_is_told_with_its_key_and_what_would_be_right(tmp_path: Path, content: str, told: str) -> None:
    message = mistake_in(tmp_path, content)
    assert message.startswith(str(tmp_path / "config.toml"))
    assert re.search(told, message), message


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    assert len(mistake_in(tmp_path, 'zone = "x"\n[web]\nport = 0\nhots = ""').splitlines()) == 3


def test_a_config_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"data = '\xff'")
    with pytest.raises(ConfigError, match="utf-8"):
        load_settings(tmp_path / "config.toml", {})


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, "[web]\nport = 8001\nspectators_post = false")
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            "from judge.settings import load_settings as l; s = l(); print(s.web.port, s.web.spectators_post, s.zone)",
        ],
        env={
            **os.environ,
            "GAMEJUDGE_CONFIG": str(file),
            "GAMEJUDGE_WEB__PORT": "8002",
            "GAMEJUDGE_ZONE": "Europe/Berlin",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.split() == ["8002", "False", "Europe/Berlin"]
