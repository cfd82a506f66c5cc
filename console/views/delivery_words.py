"""The plain words in which the screens tell where a reply stands on its way out."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from console.views.history import name_of
from drafts.decisions.delivering import DUE_STATES, DeliveryState, Outcome
from drafts.queries.deliveries import OVERDUE_AFTER, Group, Listed, Tried

GROUPS = {
    Group.NEEDS_A_PERSON: "Needs a person",
    Group.ON_THE_WAY: "On the way",
    Group.SENT: "Sent",
    Group.TAKEN_BACK: "Taken back",
    Group.ALL: "All",
}

NONE_THERE = {
    Group.NEEDS_A_PERSON: "No reply needs a person",
    Group.ON_THE_WAY: "No reply is on its way",
    Group.SENT: "No reply has been sent",
    Group.TAKEN_BACK: "No reply was taken back",
    Group.ALL: "No reply was decided yet",
}

LABELS = {
    DeliveryState.NO_DESTINATION: "No destination",
    DeliveryState.SCHEDULED: "Leaves soon",
    DeliveryState.SENDING: "Being sent",
    DeliveryState.RETRYING: "Not confirmed yet",
    DeliveryState.UNKNOWN: "May have arrived",
    DeliveryState.SENT: "Sent",
    DeliveryState.DEAD: "Given up",
    DeliveryState.UNDONE: "Undone before it left",
    DeliveryState.RETURNED: "Back in the queue",
}

SHAPES = {
    DeliveryState.NO_DESTINATION: ("open", "■"),
    DeliveryState.SCHEDULED: ("way", "○"),
    DeliveryState.SENDING: ("way", "→"),
    DeliveryState.RETRYING: ("way", "↻"),
    DeliveryState.UNKNOWN: ("open", "?"),
    DeliveryState.SENT: ("good", "✓"),
    DeliveryState.DEAD: ("bad", "✕"),
    DeliveryState.UNDONE: ("back", "↩"),
    DeliveryState.RETURNED: ("back", "↩"),
}

SENTENCES = {
    DeliveryState.NO_DESTINATION: "Nobody has said where replies of this channel go, so nothing has left.",
    DeliveryState.SCHEDULED: "It is decided and has not left yet. Whoever decided it can undo it for a few seconds.",
    DeliveryState.SENDING: "A worker is sending it at this moment.",
    DeliveryState.RETRYING: "The destination has not confirmed it. It is tried again by itself for about a day.",
    DeliveryState.UNKNOWN: (
        "No answer came, so it may have arrived. It is sent again under the same id; a receiver that keeps ids shows "
        "it once."
    ),
    DeliveryState.SENT: "The destination took it.",
    DeliveryState.DEAD: "It was given up. It leaves only if a person sends it again.",
    DeliveryState.UNDONE: "It was undone before it left; the customer never saw it.",
    DeliveryState.RETURNED: "The last look before sending stopped it, because something had changed. It is not sent.",
}
FATE_UNKNOWN = (
    "Nobody knows whether it arrived. Look at the other side, then say here whether it did, or send it again."
)
SETTLED = {
    DeliveryState.SENT: "found that it did arrive.",
    DeliveryState.RETURNED: "took it back. It is not sent.",
}

OUTCOMES = {
    Outcome.TAKEN: "The destination took it.",
    Outcome.REFUSED: "The destination answered that it did not take it.",
    Outcome.FAILED: "The destination failed while it was at it; it may have taken the reply.",
    Outcome.NOT_REACHED: "The destination could not be reached, so nothing was told to it.",
    Outcome.NO_ANSWER: "The request went out and no answer came; the reply may have arrived.",
    Outcome.INTERRUPTED: "The worker ended in the middle; the reply may have arrived.",
}
RUNNING = "No outcome yet: it is running, or it was interrupted."

UNITS = ((timedelta(days=1), "day"), (timedelta(hours=1), "hour"), (timedelta(minutes=1), "minute"))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a reply stands: a label with its look and sign for a list, what comes next, and a sentence for the page."""

    label: str
    style: str
    shape: str
    next: str
    sentence: str


def standing_of(reply: Listed, now: datetime) -> Standing:
    """Tell where a reply stands at this moment."""
    style, shape = SHAPES[reply.state]
    if needs_a_person(reply):
        style = "bad" if reply.state is DeliveryState.DEAD else "open"
    return Standing(LABELS[reply.state], style, shape, next_of(reply, now), sentence_of(reply))


def needs_a_person(reply: Listed) -> bool:
    """Say whether nothing more happens to a reply until a person says what."""
    stuck = reply.state in {DeliveryState.DEAD, DeliveryState.NO_DESTINATION}
    return stuck or (reply.state is DeliveryState.UNKNOWN and reply.due_at is None)


def next_of(reply: Listed, now: datetime) -> str:
    """Say in a few words when something happens next; empty where nothing does by itself."""
    if needs_a_person(reply):
        return "a person decides what becomes of it"
    if reply.state is DeliveryState.SENDING:
        return "an answer is awaited"
    if reply.state not in DUE_STATES or reply.due_at is None:
        return ""
    if reply.is_switched_off:
        return "once its destination is switched on"
    return "after an earlier reply of this conversation" if reply.waits_behind else _due(reply, now - reply.due_at)


def _due(reply: Listed, late: timedelta) -> str:
    if late > OVERDUE_AFTER:
        return f"due for {in_words(late)}, and no worker took it"
    what = "leaves" if reply.state is DeliveryState.SCHEDULED else "next attempt"
    return f"{what} in {in_words(-late)}" if late < timedelta(0) else f"{what} any moment"


def sentence_of(reply: Listed) -> str:
    """Tell in a sentence or two where a reply stands, and whose word that is."""
    if reply.state is DeliveryState.UNKNOWN and reply.due_at is None:
        return FATE_UNKNOWN
    settled = SETTLED.get(reply.state)
    if settled and reply.settled_by is not None:
        return f"{name_of(reply.settled_by)} {settled}"
    return SENTENCES[reply.state]


def outcome_of(tried: Tried) -> str:
    """Tell what an attempt came to."""
    return OUTCOMES[tried.outcome] if tried.outcome else RUNNING


def in_words(span: timedelta) -> str:
    """Put a span of time in words, in the largest unit of which it holds one: “40 seconds”, “4 minutes”."""
    for unit, name in UNITS:
        if span >= unit:
            return _counted(round(span / unit), name)
    return _counted(max(1, round(span.total_seconds())), "second")


def _counted(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"
