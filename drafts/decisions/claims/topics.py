"""What a claim is about, by its words: the refund, the shipment, the booking, the people at work."""

import re
from enum import StrEnum

from drafts.decisions.claims.folding import fold
from drafts.decisions.claims.reading import Reading, read
from drafts.decisions.claims.subjects import Who
from drafts.decisions.claims.times import find_times
from drafts.decisions.claims.tokens import sentences


class Topic(StrEnum):
    """The kinds of record a claim can be held against."""

    REFUND = "refund"
    CANCELLATION = "cancellation"
    SHIPMENT = "shipment"
    ESCALATION = "escalation"
    TICKET = "ticket"
    RECEIPT = "receipt"
    RETURN_RECEIPT = "return receipt"
    ASSIGNMENT = "assignment"
    CLOSURE = "closure"
    APPOINTMENT = "appointment"
    CONTACT = "contact"
    REVIEW = "review"
    OTHER = "other"


_TOPICS = tuple(
    (topic, re.compile(pattern))
    for topic, pattern in (
        (
            Topic.ESCALATION,
            r"\bescalat\w+|\b(?:passed|handed|referred|forwarded|transferred) (?:\w+ ){0,4}(?:on|over|up|to)\b",
        ),
        (Topic.CANCELLATION, r"\bcancel\w*"),
        (
            Topic.REFUND,
            r"\brefund\w*|\breimburs\w+|\bmoney back\b|\b(?:has|have|been|be|will) credited\b|\bpaid back\b",
        ),
        (
            Topic.TICKET,
            (
                r"\b(?:ticket|case|request|complaint) (?:[\w#-]+ ){0,3}(?:was|has been|is|been)? ?(?:opened|created"
                r"|raised|logged|registered)|\b(?:opened|created|raised|logged) (?:a|your|the) (?:\w+ )?(?:ticket|case"
                r"|request)"
            ),
        ),
        (
            Topic.RETURN_RECEIPT,
            (
                r"\breceived (?:back )?(?:your|the) (?:return|item|parcel|unit|device)|\b(?:return|item|parcel) (?:was"
                r"|has been) received"
            ),
        ),
        (
            Topic.RECEIPT,
            (
                r"\breceived (?:your|the|a) (?:\w+ )?(?:message|request|e-?mail|enquiry|inquiry|photos?|complaint"
                r"|report"
                r"|letter|reply|documents?|form)\b|\b(?:request|message|e-?mail|enquiry|photos?) (?:was|were|has been"
                r"|have been) received"
            ),
        ),
        (Topic.ASSIGNMENT, r"\bassigned\b"),
        (
            Topic.APPOINTMENT,
            (
                r"\bappointment\b|\bvisit\w*|\btechnician (?:will|is)\b|\b(?:come|coming) (?:out|by|over)\b"
                r"|\bpick-?up\b"
                r"|\bcollect\w*"
            ),
        ),
        (
            Topic.SHIPMENT,
            (
                r"\bship\w*|\bdispatch\w*|\btransit\b|\bdeliver\w*|\bon (?:its|the|their) way\b|\bleft (?:our|the)\b"
                r"|\barriv\w+|\bin your hands\b|\b(?:parcel|package|courier|replacement|order)\b"
            ),
        ),
        (Topic.CLOSURE, r"\b(?:closed|resolved|solved)\b"),
        (
            Topic.CONTACT,
            (
                r"\b(?:call|contact|e-?mail|write|reply|respond|answer|notify|notified|hear|touch|get back|come back"
                r"|reach out|ping|update|updates|informed|posted|know|follow up|circle back)\b"
            ),
        ),
        (Topic.REVIEW, r"\b(?:review\w*|look\w*|investigat\w+|check\w*|work\w*|examin\w+|handl\w+|process\w*)\b"),
    )
)


def topic_of(text: str) -> Topic:
    """Return what a claim is about; the more telling word wins."""
    low = fold(text).text.lower()
    return next((topic for topic, pattern in _TOPICS if pattern.search(low)), Topic.OTHER)


def is_about_order(text: str) -> bool:
    """Say whether a claim speaks of the order or parcel and not of the ticket."""
    return bool(re.search(r"\b(?:order|parcel|package|shipment|delivery|item|booking|reservation)\b", text.lower()))


def reading_of(text: str) -> Reading | None:
    """Read a claim's own words again: its first statement."""
    plain = fold(text).text
    for sentence in sentences(plain, find_times(plain)):
        for reading in read(sentence):
            return reading
    return None


def person_named(text: str) -> str:
    """Return the name of the person a claim says is at work, empty where it names none."""
    reading = reading_of(text)
    return reading.subject.name if reading and reading.subject.who is Who.PERSON else ""
