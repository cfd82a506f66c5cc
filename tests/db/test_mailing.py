"""Mails on their way out: claimed once, tried again, given up with the reason, never lost."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from drafts.decisions.mailing import LEASE, MOST_ATTEMPTS, Answered, Outcome
from drafts.gateways.mail import MailServer, Post
from drafts.models import Notice
from drafts.notice_tasks import send_mails
from drafts.services import mailing
from drafts.services.notices import tell
from tests.faults.smtp import SILENT, mail_server

AGAIN = Answered(Outcome.AGAIN, "The mail server could not be reached.")


def waiting(number=1, **person):
    """Notices of one person that wait to be mailed."""
    somebody = User.objects.create_user("olga", **{"email": "olga@example.org", **person})
    with transaction.atomic():
        for place in range(number):
            tell(
                person=somebody, kind="test", about=str(place), subject=f"News {place}", text="Look.", path="/",
                now=timezone.now() - timedelta(minutes=1),
            )  # fmt: skip
    return somebody


def attempt(answered, *, now=None):
    (letter,) = mailing.claim(now=now or timezone.now(), limit=20)
    return mailing.settle(letter, answered, now=now or timezone.now(), chance=0.0)


@pytest.mark.django_db
def test_a_mail_that_left_is_sent():
    waiting()

    assert attempt(Answered(Outcome.SENT)) == Notice.Mail.SENT

    assert Notice.objects.get().mailed_at is not None
    assert mailing.claim(now=timezone.now() + timedelta(days=9), limit=20) == ()


@pytest.mark.django_db
def test_a_mail_that_did_not_leave_is_tried_again_and_given_up_in_the_end_with_the_reason():
    waiting()
    now = timezone.now()

    stands = []
    for _ in range(MOST_ATTEMPTS):
        stands.append(attempt(AGAIN, now=now))
        now += timedelta(hours=13)

    notice = Notice.objects.get()
    assert stands == [Notice.Mail.WAITING] * (MOST_ATTEMPTS - 1) + [Notice.Mail.GIVEN_UP]
    assert (notice.mail_because, notice.mail_attempts) == (AGAIN.because, MOST_ATTEMPTS)
    assert mailing.try_again(notice_id=notice.pk, now=now)
    assert attempt(Answered(Outcome.SENT), now=now) == Notice.Mail.SENT


@pytest.mark.django_db
def test_a_refusal_for_good_is_not_tried_again():
    waiting()

    assert attempt(Answered(Outcome.REFUSED, "550 No such user")) == Notice.Mail.GIVEN_UP
    assert not Notice.objects.filter(mail_due_at__isnull=False).exists()


@pytest.mark.django_db
def test_a_worker_that_vanishes_loses_its_mail_to_the_next_one():
    waiting()
    now = timezone.now()
    (lost,) = mailing.claim(now=now, limit=20)

    assert mailing.claim(now=now + LEASE / 2, limit=20) == ()
    (again,) = mailing.claim(now=now + LEASE, limit=20)

    assert (again.notice_id, again.number) == (lost.notice_id, 2)
    assert mailing.settle(lost, AGAIN, now=now, chance=0.0) == Notice.Mail.WAITING
    assert mailing.settle(lost, Answered(Outcome.SENT), now=now, chance=0.0) == Notice.Mail.SENT
    assert mailing.settle(again, AGAIN, now=now, chance=0.0) == Notice.Mail.SENT


@pytest.mark.django_db
@pytest.mark.parametrize("gone", [{"is_active": False}, {"email": ""}], ids=["left", "no-address"])
def test_a_mail_for_whoever_left_is_given_up(gone):
    person = waiting()
    User.objects.filter(pk=person.pk).update(**gone)

    assert mailing.claim(now=timezone.now(), limit=20) == ()
    assert Notice.objects.get().mail_because == mailing.NOBODY


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_never_take_the_same_mail():
    waiting(40)

    def work(_):
        try:
            return mailing.claim(now=timezone.now(), limit=10)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        taken = [letter.notice_id for letters in pool.map(work, range(4)) for letter in letters]

    assert len(taken) == len(set(taken)) == 40


@pytest.mark.django_db
def test_the_worker_brings_what_is_due_to_the_mail_server(settings, tmp_path):
    waiting(2)
    with mail_server() as office:
        server = MailServer("127.0.0.1", office.port, "none", "", "")
        settings.MAIL = Post(server, tmp_path, "Desk <desk@example.org>", "https://desk.example.org")

        send_mails()

    assert len(office.taken) == 2
    assert set(Notice.objects.values_list("mail", flat=True)) == {Notice.Mail.SENT}


@pytest.mark.django_db(transaction=True)
def test_a_slow_mail_server_keeps_only_the_mail_that_it_is_given(settings, tmp_path):
    """The others are free for other workers, whose lease begins when they take them."""
    waiting(3)
    with mail_server(CONNECT=SILENT) as office, ThreadPoolExecutor(1) as pool:
        server = MailServer("127.0.0.1", office.port, "none", "", "")
        settings.MAIL = Post(server, tmp_path, "Desk <desk@example.org>", "https://desk.example.org")
        round_of_mails = pool.submit(closing_its_connection, send_mails)
        taken = Notice.objects.filter(mail_attempts=1)
        while not taken.exists() and not round_of_mails.done():
            time.sleep(0.02)

        assert len(mailing.claim(now=timezone.now(), limit=20)) == 2
        office.closing.set()
        round_of_mails.result()


def closing_its_connection(work):
    try:
        return work()
    finally:
        connection.close()
