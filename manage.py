#!/usr/bin/env python3
"""Countersign's command line."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext

INTERRUPTED = 130  # what a shell says of a command that Ctrl-C ended
OWNER_COMMANDS = {"migrate", "makemigrations", "sqlmigrate", "showmigrations", "squashmigrations", "prepare_database"}
WITHOUT_DATABASE = {
    "check", "classify", "collectstatic", "database", "diffsettings", "drift", "findstatic", "help", "makemigrations",
    "prepare_database", "run", "scan", "version",
}  # fmt: skip


def main() -> None:
    """Run one command, as the role it needs, with the embedded database started for it where it needs one."""
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    os.environ.setdefault("COUNTERSIGN_DATABASE_ROLE", "owner" if command in OWNER_COMMANDS else "app")
    try:
        from django.core.management import execute_from_command_line  # noqa: PLC0415 - may be missing
    except ImportError as error:
        raise SystemExit(
            "Django is not installed in this Python: run `make setup` and use .venv/bin/python."
        ) from error
    from console.environment import SetupProblem  # noqa: PLC0415 - beside the import above

    try:
        with nullcontext() if command in WITHOUT_DATABASE or command.startswith("-") else _database():
            execute_from_command_line(sys.argv)
    except SetupProblem as problem:
        raise SystemExit(f"Countersign: {problem}") from problem


def _database() -> AbstractContextManager[None]:
    from console.database.places import current_place  # noqa: PLC0415 - needs what Django's absence is reported for
    from console.database.sharing import SESSION_NAME, in_use  # noqa: PLC0415 - beside the import above

    os.environ["PGAPPNAME"] = SESSION_NAME
    return in_use(current_place().cluster)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        if sys.argv[1:2] == ["run"]:
            sys.stderr.write("Stopped. Run it again to go on.\n")
        raise SystemExit(INTERRUPTED) from None
