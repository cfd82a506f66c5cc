"""Tell a person something, once: on screen, and by mail where they have an address; and note what they have read.

`tell` is part of other services and needs an open transaction: what gave rise to the news and the news itself are
committed together, and a worker brings the mail out afterwards.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection, transaction

from drafts.models import Notice


def tell(
    *,
    person: User,
    kind: str,
    about: str,
    subject: str,
    text: str,
    path: str,
    now: datetime,
    conflicts: Sequence[str] = (),
) -> bool:
    """Write one notice; return False when this person has been told the same (`about`) before.

    `subject` becomes the subject of the mail too, so it must be neutral: never a customer's words. `path` begins with
    a slash, or is empty. `conflicts` are the ids of those that it asks to settle. Raises ValueError for another path.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("A notice is written inside the transaction of what it tells about.")
    if path and (not path.startswith("/") or path.startswith("//")):
        raise ValueError(f"A notice leads to a page of ours, not to {path!r}.")
    mailed = person.is_active and bool(person.email)
    notice = Notice(
        person=person, kind=kind, about=about, subject=" ".join(subject.split()), text=text, path=path, created_at=now,
        conflicts=list(conflicts),
        mail=Notice.Mail.WAITING if mailed else Notice.Mail.NONE, mail_due_at=now if mailed else None,
    )  # fmt: skip
    # Two writers at once cannot both tell: the database lets one through, and only that one finds its own row.
    Notice.objects.bulk_create([notice], ignore_conflicts=True)
    return Notice.objects.filter(pk=notice.pk).exists()


@transaction.atomic(durable=True)
def read(*, person: User, now: datetime, notice_id: UUID | None = None) -> str:
    """Mark a notice of this person as read, or all of them; return the page that the one leads to, empty for all.

    Raises Notice.DoesNotExist where it is not theirs.
    """
    theirs = Notice.objects.filter(person=person)
    path = "" if notice_id is None else theirs.values_list("path", flat=True).get(pk=notice_id)
    wanted = theirs if notice_id is None else theirs.filter(pk=notice_id)
    wanted.filter(read_at=None).update(read_at=now)
    return path
