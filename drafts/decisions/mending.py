"""Mend a draft by one press: take a sentence out, put another in its place, keep one of several drafts.

Offsets are code points into the text as given. A place that lies outside the text changes nothing.
"""

import re
from collections.abc import Iterable

from drafts.decisions.characters import hidden_characters
from ledger.decisions.passages import sentences
from ledger.decisions.vocabulary import Span

_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^\n.!?]{0,60}[,.!:]?[ \t]*(?:\n|$)", re.IGNORECASE
)
_CLOSING = re.compile(
    r"(?:^|\n)[ \t]*(?:(?:with[ \t]+)?(?:(?:best|kind|kindest|warm|many|our)[ \t]+)*(?:regards|wishes|thanks)"
    r"|sincerely|yours(?:[ \t]+\w+)?|cheers|thank you)[,.!]?[ \t]*(?:\n[^\n]{1,60}){0,4}\s*$",
    re.IGNORECASE,
)
_DIVIDER = re.compile(r"(?:[ \t]*(?:[-=_*~]{3,}|or)[ \t]*(?:\n|$)|\s)+", re.IGNORECASE)
_DIVIDED = re.compile(r"(?:(?:^|\n)[ \t]*(?:[-=_*~]{3,}|or)[ \t]*|\s)+$", re.IGNORECASE)
WRAPPED_LINE = 50
"""From how many characters on a line counts as broken by its width, so that its sentence goes on in the next."""


def remove_sentence(text: str, start: int, end: int) -> str:
    """Return the text without the sentence that a span lies in; the white space around it is tidied."""
    return replace_sentence(text, start, end, "")


def replace_sentence(text: str, start: int, end: int, by: str) -> str:
    """Return the text with other words in place of the sentence that a span lies in."""
    if not 0 <= start < end <= len(text):
        return text
    around = sentence_around(text, start, end)
    before, after = text[: around.start], text[around.end :]
    if by:
        return before + by + after
    return _joined(before, after)


def sentence_around(text: str, start: int, end: int) -> Span:
    """Return the sentence that a span lies in, or the sentences it touches; greeting and closing lines stay outside."""
    touched = [one for one in sentences(text) if one.start < end and start < one.end]
    if not touched:
        return Span(start, end)
    first, last = min(start, touched[0].start), max(end, touched[-1].end)
    inside = (first + m.start() for m in re.finditer(r"\n", text[first:last]))
    breaks = [at for at in inside if _ends_a_line(text, at)]
    opens = max((at + 1 for at in breaks if at < start), default=first)
    closes = min((at for at in breaks if at >= end), default=last)
    stretch = text[opens:closes]
    return Span(opens + len(stretch) - len(stretch.lstrip()), opens + len(stretch.rstrip()))


def remove_hidden(text: str) -> str:
    """Return the text without the characters that no reader sees or that reorder others."""
    for found in reversed(hidden_characters(text)):
        if found.start is not None and found.end is not None:
            text = text[: found.start] + text[found.end :]
    return text


def remove_span(text: str, start: int, end: int) -> str:
    """Return the text without a stretch; one blank is left where two would meet."""
    if not 0 <= start < end <= len(text):
        return text
    before, after = text[:start], text[end:]
    return before + (after.removeprefix(" ") if before.endswith((" ", "\n")) or not before else after)


def keep_piece(text: str, start: int, signs: Iterable[tuple[int, int]]) -> str:
    """Return one of several drafts: what begins at the sign of a draft that starts at `start`, up to the next sign.

    `signs` are the stretches that show where drafts begin. What stands before the first sign begins at -1. A sign that
    is a greeting belongs to its draft, one that is a label does not.
    """
    known = sorted(signs)
    here = next((sign for sign in known if sign[0] == start), None)
    begins = 0 if here is None else here[0] if _GREETING.match(text, here[0]) else here[1]
    ends = min((sign[0] for sign in known if sign[0] > start), default=len(text))
    piece = text[begins:ends]
    piece = _DIVIDED.sub("", piece)
    if lead := _DIVIDER.match(piece):
        piece = piece[lead.end() :]
    return piece.lstrip("*_: \t\n").rstrip()


def question_for(field: str) -> str:
    """Return the sentence in which a customer is asked for one fact."""
    return f"Please tell us {_WANTED.get(field) or _described(field)}."


def ask_for(text: str, field: str) -> str:
    """Return the text with the question for a fact as a paragraph of its own, before the closing."""
    closing = _CLOSING.search(text)
    body = text[: closing.start()].rstrip() if closing else text.rstrip()
    return "\n\n".join(part for part in (body, question_for(field), closing[0].strip() if closing else "") if part)


def only_ask_for(text: str, field: str) -> str:
    """Return a reply that asks for a fact and states nothing else; greeting and closing stay."""
    greeting, closing = _GREETING.match(text), _CLOSING.search(text)
    parts = (greeting[0].strip() if greeting else "", question_for(field), closing[0].strip() if closing else "")
    return "\n\n".join(part for part in parts if part)


_WANTED = {
    "received_on": "on which day you received the item",
    "delivered_on": "on which day the item was delivered",
    "ordered_on": "on which day you placed the order",
    "purchased_on": "on which day you bought the item",
    "service_on": "on which day the service was carried out",
    "booked_on": "on which day you made the booking",
    "cancelled_on": "on which day you cancelled",
    "channel": "where you bought the item or booked the service, for example in our online store or in a shop",
}


def _described(field: str) -> str:
    words = field.rpartition(".")[2].replace("_", " ").strip()
    return f"the date we need here (“{words}”)" if field.endswith("_on") else f"the following: {words}"


def _ends_a_line(text: str, at: int) -> bool:
    """Say whether a line break is one that the writer set, and no wrapped line of the same sentence."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    follows = text[at + 1 : at + 2]
    return bool(_GREETING.fullmatch(line)) or (len(line) < WRAPPED_LINE and not follows.islower())


def _joined(before: str, after: str) -> str:
    """Join what stands on both sides of a gap: words by a blank, paragraphs by the wider of the two gaps."""
    head, tail = before.rstrip(), after.lstrip()
    if not head or not tail:
        return head + tail
    lines = max(before[len(head) :].count("\n"), after[: len(after) - len(tail)].count("\n"))
    starts_line = before[len(head) :].count("\n") > 0
    ends_line = after[: len(after) - len(tail)].count("\n") > 0
    if starts_line and ends_line:
        return head + "\n" * min(lines, 2) + tail
    if starts_line:
        return before + tail
    return head + (after if ends_line else " " + tail)
