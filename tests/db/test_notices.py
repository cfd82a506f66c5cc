"""Telling people: once, in the transaction of what gave rise to it."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User

from drafts.models import Notice
from drafts.services.notices import tell

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def someone(username: str = "olga", email: str = "olga@example.org") -> User:
    return User.objects.create_user(username, email=email)


def say(person: User, **changes: object) -> bool:
    told = {"kind": "conflict_opened", "about": "conflict:1:opened", "subject": "A conflict", "text": "Two passages."}
    return tell(**{"person": person, "path": "/conflicts/", "now": NOW} | told | changes)  # type: ignore[arg-type]


def test_a_notice_waits_for_the_mail_of_its_person() -> None:
    person = someone()

    assert say(person)

    notice = Notice.objects.get()
    assert (notice.mail, notice.mail_due_at, notice.read_at) == (Notice.Mail.WAITING, NOW, None)


def test_the_same_news_is_told_once_to_each_person() -> None:
    first, second = someone(), someone("omar", "omar@example.org")

    assert [say(first), say(first), say(second)] == [True, False, True]

    assert Notice.objects.count() == 2


@pytest.mark.parametrize(
    ("email", "active"), [pytest.param("", True, id="no address"), pytest.param("o@example.org", False, id="gone")]
)
def test_no_mail_goes_to_somebody_without_an_address_or_a_log_in(email: str, active: bool) -> None:
    person = someone(email=email)
    person.is_active = active

    assert say(person)

    assert Notice.objects.get().mail == Notice.Mail.NONE


@pytest.mark.parametrize("path", ["https://elsewhere.example/", "//elsewhere.example/", "conflicts/"])
def test_a_notice_leads_nowhere_but_to_our_own_pages(path: str) -> None:
    with pytest.raises(ValueError, match="a page of ours"):
        say(someone(), path=path)


def test_line_breaks_never_reach_a_subject() -> None:
    assert say(someone(), subject="A conflict\r\nBcc: everybody@example.org")

    assert Notice.objects.get().subject == "A conflict Bcc: everybody@example.org"
