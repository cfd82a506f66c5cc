"""What workers do so that people hear of what waits for them: bring mails out, remind, look for conflicts at night.

A task may run never, once or several times; what was told and mailed stands in the database.
"""

import logging
from random import SystemRandom

from celery import shared_task
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from drafts import queries
from drafts.decisions.mailing import Outcome
from drafts.gateways import mail
from drafts.services import conflicts, mailing

MOST_AT_ONCE = 20
"""Mails that one round sends; the next round comes within seconds."""
NIGHT_HOUR = 3
"""The hour, in the organisation's zone, in which conflicts are looked for; the beat asks once in every hour."""

logger = logging.getLogger(__name__)
chance = SystemRandom()
AWAY = (OperationalError, InterfaceError)


@shared_task(name="drafts.mail")  # type: ignore[untyped-decorator] # Celery has no types
def send_mails() -> None:
    """Send the mails that are due, one after the other; what is left waits for the next round."""
    try:
        for _ in range(MOST_AT_ONCE):
            claimed = mailing.claim(now=timezone.now(), limit=1)  # its lease is for one mail, and servers are slow
            if not claimed:
                return
            (letter,) = claimed
            answered = mail.send(letter, settings.MAIL)
            mailing.settle(letter, answered, now=timezone.now(), chance=chance.random())
            if answered.outcome is not Outcome.SENT:
                logger.warning("The mail for notice %s did not leave: %s", letter.notice_id, answered.because)
    except AWAY as error:
        logger.warning("Mails wait for the database (%s).", type(error).__name__)


@shared_task(name="drafts.remind")  # type: ignore[untyped-decorator] # Celery has no types
def remind() -> None:
    """Tell the owners of open conflicts what they do not know yet."""
    try:
        told = conflicts.remind(now=timezone.now(), calendar=queries.organisation_calendar())
    except AWAY as error:
        logger.warning("Reminders wait for the database (%s).", type(error).__name__)
        return
    if told:
        logger.info("%s notices about conflicts were written.", told)


@shared_task(name="drafts.find_conflicts")  # type: ignore[untyped-decorator] # Celery has no types
def find_conflicts() -> None:
    """Look for conflicts between sources, once a night."""
    now, calendar = timezone.now(), queries.organisation_calendar()
    if calendar.local(now).hour != NIGHT_HOUR:
        return
    found = conflicts.search(now=now, calendar=calendar)
    logger.info("The nightly search found %s new conflicts.", len(found))
