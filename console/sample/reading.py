"""Read the sample's files into steps, in the order in which they happened."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from console.sample import steps
from console.sample.steps import Step
from console.sample.times import Moments
from drafts.decisions.arriving import MessageIn
from drafts.decisions.bodies import draft_from
from drafts.decisions.transitions import DecisionKind, approval_of
from ledger.decisions.default_keys import default_registry
from ledger.decisions.policy_files import Bundle, read_file

FOLDER = Path(__file__).parent
KEY_OWNER = "owner"
BOT_TAKES = timedelta(minutes=2)
"""Between a customer's message and the draft that answers it."""

_Values = dict[str, object]
_Happening = TypedDict(
    "_Happening",
    {
        "ago": float,
        "by": NotRequired[str],
        "customer": NotRequired[str],
        "draft": NotRequired[_Values],
        "facts": NotRequired[_Values],
        "question": NotRequired[_Values],
        "ticket": NotRequired[_Values],
        "say": NotRequired[str],
        "as": NotRequired[str],
        "ticket_changes": NotRequired[_Values],
        "settle": NotRequired[str],
        "quote": NotRequired[str],
        "choose": NotRequired[str],
        "take": NotRequired[bool],
        "decide": NotRequired[str],
        "correct": NotRequired[str],
        "replace": NotRequired[dict[str, str]],
        "reason": NotRequired[str],
        "owner": NotRequired[str],
        "answer_text": NotRequired[str],
    },
)


class _Conversation(TypedDict):
    id: str
    customer_id: str
    channel: str
    shows: str
    steps: list[_Happening]
    ticket: NotRequired[_Values]


def read_policies(moments: Moments) -> Bundle:
    """Return the default keys, each with its owner, the sample's own keys, and the sample's policy versions."""
    content = json.loads((FOLDER / "policies.json").read_text(encoding="utf-8"))
    bundle = read_file("policies.json", json.dumps(moments.dated(content, at=moments.now)))
    defaults = (replace(entry, owner=KEY_OWNER) for entry in default_registry().values())
    return Bundle((*defaults, *bundle.keys), bundle.versions)


def read_steps(moments: Moments) -> tuple[Step, ...]:
    """Return what happened in the sample's conversations, the earliest first; every step lies before `moments.now`."""
    content = json.loads((FOLDER / "conversations.json").read_text(encoding="utf-8"))
    found = [step for each in content for step in _Telling(each, moments).steps()]
    return tuple(sorted(found, key=lambda step: step.at))


@dataclass
class _Telling:
    """One conversation while it is being told: the thread so far, and the draft that is open."""

    conversation: _Conversation
    moments: Moments
    thread: list[_Values] = field(default_factory=list)
    item: str = ""
    drafts: int = 0
    original: str = ""
    text: str = ""
    version: int = 1

    def steps(self) -> Iterator[Step]:
        """Yield the conversation's steps in order."""
        for raw in self.conversation["steps"]:
            at = self.moments.working_hours_ago(raw["ago"])
            now = cast("_Happening", self.moments.dated(raw, at=at))
            if "draft" in now:
                yield self._arrived(now, at)
            elif "say" in now:
                message = self._write(now.get("as", "customer"), now["say"], at)
                if self.item:
                    yield steps.Said(at, self.item, self.conversation["id"], message)
            elif "decide" in now:
                yield self._decided(now, at)
            else:
                yield self._acted(now, at)

    def _arrived(self, now: _Happening, at: datetime) -> Step:
        if "customer" in now:
            self._write("customer", now["customer"], at - BOT_TAKES)
        self.drafts += 1
        many = sum("draft" in each for each in self.conversation["steps"]) > 1
        self.item = f"{self.conversation['id']}-{self.drafts}" if many else self.conversation["id"]
        self.original = self.text = str(now["draft"]["text"])
        self.version = 1
        body: _Values = {
            "external_id": self.item,
            "conversation": {
                "id": self.conversation["id"],
                "customer_id": self.conversation["customer_id"],
                "channel": self.conversation["channel"],
                "messages": self.thread.copy(),
            },
            **{name: now[name] for name in ("facts", "question", "draft") if name in now},
        }
        if ticket := self._ticket(now, at):
            body["ticket"] = ticket
        return steps.Arrived(at, self.item, draft_from(body))

    def _ticket(self, now: _Happening, at: datetime) -> _Values:
        usual = cast("_Values", self.moments.dated(self.conversation.get("ticket", {}), at=at))
        return {**usual, **now.get("ticket", {})}

    def _decided(self, now: _Happening, at: datetime) -> Step:
        saved, self.text = self.text, _replaced(self.text, now)
        kind = DecisionKind(now["decide"])
        if kind is DecisionKind.APPROVE:
            kind = approval_of(self.text, saved=saved, original=self.original)
            self._write("agent", self.text, at)
        return steps.Decision(
            at,
            self.item,
            now["by"],
            kind,
            self.version,
            self.text if kind is DecisionKind.EDIT else None,
            now.get("reason"),
            now.get("owner"),
            now.get("answer_text"),
        )

    def _acted(self, now: _Happening, at: datetime) -> Step:
        if "ticket_changes" in now:
            ticket = str(self.conversation.get("ticket", {})["id"])
            return steps.TicketChanged(at, self.item, ticket, now["ticket_changes"])
        if "settle" in now:
            start = self.text.index(now["quote"])
            marked = (now["settle"], start, start + len(now["quote"]), now["reason"])
            return steps.Settled(at, self.item, now["by"], *marked)
        if "choose" in now:
            return steps.KeyChosen(at, self.item, now["by"], now["choose"])
        if "correct" in now:
            told = (now["correct"], now["answer_text"], now["reason"], now["owner"])
            return steps.Corrected(at, self.item, now["by"], self.conversation["id"], *told)
        if "take" in now:
            return steps.Taken(at, self.item, now["by"])
        self.text, seen = _replaced(self.text, now), self.version
        self.version += 1
        return steps.Saved(at, self.item, now["by"], seen, self.text)

    def _write(self, role: str, text: str, at: datetime) -> MessageIn:
        name = f"m{len(self.thread) + 1}"
        self.thread.append({"id": name, "role": role, "text": text, "sent_at": at.isoformat()})
        return MessageIn(name, role, text, at)


def _replaced(text: str, now: Mapping[str, object]) -> str:
    """Return the text after an edit. Raises ValueError where the file names words that do not stand in it."""
    for old, new in cast("dict[str, str]", now.get("replace", {})).items():
        if old not in text:
            raise ValueError(f"{old!r} does not stand in {text!r}")
        text = text.replace(old, new)
    return text
