"""Where the judge's own files lie that are not Python: one function a kind.

In a checkout the templates stand at the top, in an installed judge inside the package; the rest is in the same place in
both.  All are real folders: a judge inside a zip file is not supported.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def templates_folder() -> Path:
    """Jinja2 templates: `reports/` and `pages/`."""
    installed = PACKAGE / "templates"
    return installed if installed.is_dir() else PACKAGE.parent / "templates"


def locale_folder() -> Path:
    """The judge's own gettext catalogues, `<language>/LC_MESSAGES/messages.po`."""
    return PACKAGE / "locale"


def migrations_folder() -> Path:
    """Alembic's script folder."""
    return PACKAGE / "store" / "migrations"


def static_folder() -> Path:
    """Style sheet, scripts and pictures that browsers fetch."""
    return PACKAGE / "web" / "static"


def fairness_folder() -> Path:
    """`FAIRNESS.md` and its translations: how players know that nobody cheated."""
    return PACKAGE / "web" / "fairness"


def sealing_file() -> Path:
    """What is sealed, signed and published, byte for byte, for writers of verifiers."""
    return PACKAGE / "core" / "SEALING.md"
