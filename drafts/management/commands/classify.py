"""Say which commitment topic each message of a file asks about; needs no database."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from drafts.decisions.classifier import TopicGuess, classify_topic

TABLE = "{id:<16} {key:<22} {status:<12} {score:>5}  {text}"
BAR = 30
TEXT_SHOWN = 60


class Command(BaseCommand):
    """Classify a file of messages against the topics of the default registry, one line out for one line in."""

    help = "Classify customer messages (JSON Lines with id and text) by commitment topic."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file and the form of the answer."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=("table", "json"), default="table")

    def handle(self, *_: object, **options: object) -> None:
        """Print one answer for every line; one that cannot be read is answered with the reason."""
        path = Path(str(options["file"]))
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        as_json = options["format"] == "json"
        lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
        if not as_json:
            self.stdout.write(TABLE.format(id="id", key="topic", status="status", score="score", text="text"))
        for number, line in enumerate(lines, start=1):
            answer = _answer(line)
            self.stdout.write(json.dumps(answer, ensure_ascii=True) if as_json else _row(answer, line))
            self._progress(number, len(lines))

    def _progress(self, done: int, total: int) -> None:
        if sys.stderr.isatty():
            filled = BAR * done // total
            self.stderr.write(f"\r[{'#' * filled}{'.' * (BAR - filled)}] {done}/{total}", ending="")
            if done == total:
                self.stderr.write("")


def _answer(line: bytes) -> dict[str, object]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as fault:
        return {"id": None, **_told(None), "error": f"This line is not valid JSON: {fault}"}
    if not isinstance(message, dict) or not isinstance(message.get("text"), str):
        found = message.get("id") if isinstance(message, dict) else None
        return {"id": found, **_told(None), "error": "This line has no text. Give each line an id and a text."}
    return {"id": message.get("id"), **_told(classify_topic(message["text"]))}


def _told(guess: TopicGuess | None) -> dict[str, object]:
    if guess is None:
        return {"key": "none", "established": False, "status": "none", "score": 0.0}
    return {
        "key": guess.topic or "none",
        "established": guess.established,
        "status": guess.status,
        "score": guess.score,
    }


def _row(answer: dict[str, object], line: bytes) -> str:
    try:
        text = str(json.loads(line)["text"])
    except (ValueError, RecursionError, KeyError, TypeError):
        text = str(answer.get("error", ""))
    shown = ascii(" ".join(text.split())[:TEXT_SHOWN])[1:-1]
    return TABLE.format(**{**answer, "id": str(answer["id"])[:16], "text": shown})
