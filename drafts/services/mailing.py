"""Bring notices out by mail: claim what is due, write down what came of each.

The rows are the truth. A worker may be killed at any moment: a claim moves the next attempt behind its lease and is
committed before the mail leaves, so a mail can arrive twice but is never lost. Every attempt carries the same
Message-ID, by which mail programs know the second one.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from drafts.decisions.mailing import LEASE, Answered, Letter, Outcome, next_attempt
from drafts.models import Notice

NOBODY = "This person has no mail address any more, or can no longer sign in."


@transaction.atomic(durable=True)
def claim(*, now: datetime, limit: int) -> tuple[Letter, ...]:
    """Claim mails that are due, the oldest first, each for one attempt; other workers leave these alone meanwhile."""
    due = Notice.objects.select_for_update(of=("self",), skip_locked=True).filter(
        mail=Notice.Mail.WAITING, mail_due_at__lte=now
    )
    found = list(due.select_related("person").order_by("mail_due_at", "pk")[:limit])
    return tuple(letter for letter in (_claimed(notice, now) for notice in found) if letter is not None)


@transaction.atomic(durable=True)
def settle(letter: Letter, answered: Answered, *, now: datetime, chance: float) -> Notice.Mail:
    """Write down what came of an attempt and return where the mail stands; `chance` from 0 to 1 spreads retries.

    An attempt that another one has overtaken changes nothing, unless its mail was sent.
    """
    notice = Notice.objects.select_for_update().get(pk=letter.notice_id)
    overtaken = notice.mail != Notice.Mail.WAITING or notice.mail_attempts != letter.number
    if notice.mail == Notice.Mail.SENT or (overtaken and answered.outcome is not Outcome.SENT):
        return Notice.Mail(notice.mail)
    if answered.outcome is Outcome.SENT:
        notice.mail, notice.mailed_at, notice.mail_due_at = Notice.Mail.SENT, now, None
    else:
        again = answered.outcome is Outcome.AGAIN
        notice.mail_due_at = next_attempt(notice.mail_attempts, now=now, chance=chance) if again else None
        notice.mail = Notice.Mail.GIVEN_UP if notice.mail_due_at is None else Notice.Mail.WAITING
    notice.mail_because = answered.because
    notice.save(update_fields=["mail", "mailed_at", "mail_due_at", "mail_because"])
    return Notice.Mail(notice.mail)


@transaction.atomic(durable=True)
def try_again(*, notice_id: UUID | str, now: datetime) -> bool:
    """Let a mail that was given up be tried from the beginning; False where it was not given up."""
    given_up = Notice.objects.filter(pk=notice_id, mail=Notice.Mail.GIVEN_UP)
    return bool(given_up.update(mail=Notice.Mail.WAITING, mail_due_at=now, mail_attempts=0))


def _claimed(notice: Notice, now: datetime) -> Letter | None:
    if not (notice.person.is_active and notice.person.email):
        notice.mail, notice.mail_due_at, notice.mail_because = Notice.Mail.GIVEN_UP, None, NOBODY
        notice.save(update_fields=["mail", "mail_due_at", "mail_because"])
        return None
    notice.mail_attempts += 1
    notice.mail_due_at = now + LEASE
    notice.save(update_fields=["mail_attempts", "mail_due_at"])
    return Letter(
        notice.pk, notice.mail_attempts, notice.person.email, notice.subject, notice.text, notice.path,
        notice.created_at,
    )  # fmt: skip
