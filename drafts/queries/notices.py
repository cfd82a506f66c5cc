"""What a person was told, and what the header says of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Value

from drafts.models import Notice
from ledger.queries import overdue_rows

COUNTED = 99
MAILS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Bell:
    """What the header says: notices that this person has not read, conflicts that are overdue; both up to a bound."""

    unread: int
    overdue: int


def bell(person: User, *, now: datetime) -> Bell:
    """Count, in one query, what the header says to a person."""
    unread = Notice.objects.filter(person=person, read_at=None).order_by()
    parts = (
        unread.annotate(what=Value("unread")).values_list("what", flat=True)[: COUNTED + 1],
        overdue_rows(now=now).annotate(what=Value("overdue")).values_list("what", flat=True)[: COUNTED + 1],
    )
    found = Counter(parts[0].union(parts[1], all=True))
    return Bell(found["unread"], found["overdue"])


def notices_of(person: User, *, start: int, limit: int) -> Sequence[Notice]:
    """Return a part of what a person was told, the newest first."""
    return tuple(Notice.objects.filter(person=person).order_by("-created_at", "pk")[start : start + limit])


def mails_given_up() -> Sequence[Notice]:
    """Return the newest mails that could not be brought to anybody, with the reason."""
    given_up = Notice.objects.filter(mail=Notice.Mail.GIVEN_UP).select_related("person")
    return tuple(given_up.order_by("-created_at", "pk")[:MAILS_SHOWN])
