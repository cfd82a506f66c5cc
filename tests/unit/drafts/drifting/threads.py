"""Conversations for the tests of the drift report, written as turns that alternate, the customer first."""

from drafts.decisions.drifting import DriftRow, Passage, Transcript, Turn, rows_of


def thread(*said: str, name: str = "conv_1") -> Transcript:
    roles = ("customer", "agent")
    return Transcript(name, tuple(Turn(roles[at % 2], text) for at, text in enumerate(said)))


def told(*replies: str) -> tuple[DriftRow, ...]:
    """Return the rows of a thread in which the customer asks for nothing by name."""
    return rows_of(thread(*(said for reply in replies for said in ("Hello?", reply))))


def answers(*replies: str) -> dict[str, tuple[str, ...]]:
    """Return the distinct answers by question key, where there is more than one."""
    return {row.question_key: row.distinct_answers for row in told(*replies) if len(row.distinct_answers) > 1}


FOUR_ANSWERS = thread(
    "How long is the warranty on this repair?",
    "All repairs carry a 12-month parts and labour warranty from the service date.",
    "You moved my slot, so once more: how long is the warranty?",
    "Your repair is covered for 24 months.",
    "And how long is the warranty on the compressor?",
    "The compressor itself has a lifetime warranty.",
    "For the last time, how long is the warranty?",
    "The warranty is one year.",
    name="conv_four",
)
PASSAGES = (
    Passage("policy", "v4", "2.1", "warranty_duration::repair", "Repairs carry a one-year warranty."),
    Passage("promotion", "p1", "Offer", "warranty_duration::repair", "We cover repairs for 24 months."),
    Passage("parts_sheet", "s1", "Compressors", "warranty_duration::parts", "Compressors have a lifetime warranty."),
    Passage("returns", "r1", "1", "return_window::general", "Returns are accepted within 12 months."),
)
