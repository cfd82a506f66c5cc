#!/usr/bin/env python3
"""Countersign's command line."""

import atexit
import os
import sys

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
        if command not in WITHOUT_DATABASE and not command.startswith("-"):
            _start_database()
        execute_from_command_line(sys.argv)
    except SetupProblem as problem:
        raise SystemExit(f"Countersign: {problem}") from problem


def _start_database() -> None:
    from console.database.places import current_place  # noqa: PLC0415 - needs what Django's absence is reported for

    cluster = current_place().cluster
    if cluster is not None and cluster.start():
        atexit.register(cluster.stop_when_unused)


if __name__ == "__main__":
    main()
