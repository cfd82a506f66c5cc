"""Read the sample's files: days and hours in them count from now, so that the sample never grows old."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from drafts.decisions.arriving import DraftIn
from drafts.decisions.bodies import draft_from
from ledger.decisions.default_keys import default_registry
from ledger.decisions.policy_files import Bundle, read_file

FOLDER = Path(__file__).parent
KEY_OWNER = "owner"
READING_TIME = timedelta(minutes=4)
"""Between a customer's message and its draft, and between the draft and its approval."""


@dataclass(frozen=True, slots=True)
class Step:
    """One draft of the sample: when it arrives, what it is there to show, and who approves it at once, if anybody."""

    draft: DraftIn
    at: datetime
    shows: str
    approved_by: str | None


def read_policies(today: date) -> Bundle:
    """Return the default keys, each with its owner, the sample's own key, and the sample's policy versions.

    A number in place of a date counts days from `today`, a day in the organisation's zone.
    """
    content = json.loads((FOLDER / "policies.json").read_text(encoding="utf-8"))
    dated = json.dumps(_dated(content, today=today, now=None))
    bundle = read_file("policies.json", dated)
    defaults = (replace(entry, owner=KEY_OWNER) for entry in default_registry().values())
    return Bundle((*defaults, *bundle.keys), bundle.versions)


def read_steps(now: datetime, zone: ZoneInfo) -> Iterator[Step]:
    """Yield the sample's drafts, each conversation in the order in which it was written.

    A number in place of a date counts days from today in `zone`, in place of an instant hours from `now`.
    """
    content = json.loads((FOLDER / "conversations.json").read_text(encoding="utf-8"))
    conversations = _dated(content, today=now.astimezone(zone).date(), now=now)
    for conversation in conversations if isinstance(conversations, list) else []:
        yield from _steps_of(conversation, now)


def _steps_of(conversation: Mapping[str, object], now: datetime) -> Iterator[Step]:
    """Let the thread grow: the customer's words, and our reply where it was approved."""
    messages: list[dict[str, object]] = []
    turns = conversation["turns"]
    for number, turn in enumerate(turns if isinstance(turns, list) else [], start=1):
        at = now - timedelta(hours=turn["hours_ago"])
        messages.append(_message("customer", number, turn["customer"], at - READING_TIME))
        body = _body(conversation, turn, number, messages)
        yield Step(draft_from(body), at, str(conversation["shows"]), turn.get("approved_by"))
        messages.append(_message("agent", number, turn["draft"]["text"], at + READING_TIME))


def _body(
    conversation: Mapping[str, object],
    turn: Mapping[str, object],
    number: int,
    messages: list[dict[str, object]],
) -> dict[str, object]:
    """Put a turn into the shape in which a bot sends its draft."""
    named = {name: conversation[name] for name in ("customer_id", "channel")}
    return {
        "external_id": f"sample-{conversation['id']}-{number}",
        "conversation": {"id": f"sample-{conversation['id']}", **named, "messages": messages.copy()},
        **{name: turn[name] for name in ("facts", "ticket", "draft") if name in turn},
    }


def _message(role: str, number: int, text: object, at: datetime) -> dict[str, object]:
    return {"id": f"{role}-{number}", "role": role, "text": text, "sent_at": at.isoformat()}


def _dated(value: object, *, today: date, now: datetime | None, name: str = "") -> object:
    """Return the same JSON with every number that stands for a date or an instant written out."""
    if isinstance(value, dict):
        return {each: _dated(inner, today=today, now=now, name=each) for each, inner in value.items()}
    if isinstance(value, list):
        return [_dated(inner, today=today, now=now) for inner in value]
    if isinstance(value, int) and (name.endswith("_on") or name.startswith("effective_")):
        return (today + timedelta(days=value)).isoformat()
    if isinstance(value, int) and name.endswith("_at") and now is not None:
        return (now + timedelta(hours=value)).isoformat()
    return value
