"""What a person was told, on screen: theirs alone, newest first, read or not; and mails that reached nobody."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.models import Notice
from drafts.services import updates
from drafts.services.notices import tell
from ledger import queries as ledger
from ledger.services.settling import Settlement
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

QUERIES = 6


def say(person, number=0, **changes):
    """Tell a person something; a higher number is newer."""
    fields = {
        "kind": "test", "about": f"news:{number}", "subject": f"News {number}.", "text": "Look at it.",
        "path": "/conflicts/", "now": timezone.now() - timedelta(hours=1) + timedelta(seconds=number),
    }  # fmt: skip
    with transaction.atomic():
        tell(person=person, **{**fields, **changes})
    return Notice.objects.get(person=person, about=fields["about"])


def listed(client, **query):
    return client.get(reverse("notices"), query)


def test_nothing_told_yet_is_said(console):
    response = listed(console)

    assertContains(response, "Nobody had to tell you anything yet")
    assertNotContains(response, "nav-note")


def test_the_newest_stands_first_unread_and_counted_in_the_header(console, agent, owner):
    say(agent, 1)
    say(agent, 2)
    say(owner, 3)

    response = listed(console)

    assert response.text.index("News 2.") < response.text.index("News 1.")
    assertContains(response, '<span class="badge badge-open">New</span>', count=2)
    assertContains(response, "2 new")
    assertNotContains(response, "News 3.")


def test_opening_one_marks_it_as_read_and_leads_to_its_page(console, agent):
    notice = say(agent)

    response = console.post(reverse("notice-open", args=[notice.pk]))

    assert (response.status_code, response.url) == (302, "/conflicts/")
    assertNotContains(listed(console), "1 new")


def test_one_is_marked_and_all_are(console, agent):
    first, *_ = [say(agent, number) for number in range(3)]

    console.post(reverse("notice-read", args=[first.pk]))
    assertContains(listed(console), "2 new")
    console.post(reverse("notices-read"))

    assertNotContains(listed(console), "nav-note")
    assert not Notice.objects.filter(read_at=None).exists()


def test_what_others_were_told_is_not_found(console, owner):
    notice = say(owner)

    assert console.post(reverse("notice-open", args=[notice.pk])).status_code == 404
    assert console.post(reverse("notice-read", args=[notice.pk])).status_code == 404
    console.post(reverse("notices-read"))
    notice.refresh_from_db()
    assert notice.read_at is None


def test_many_are_shown_in_parts_by_a_fixed_number_of_queries(console, agent, django_assert_max_num_queries):
    for number in range(120):
        say(agent, number)
    listed(console)

    with django_assert_max_num_queries(QUERIES):
        first = listed(console)

    assertContains(first, "News 119.")
    assertContains(first, "99+ new")
    assertNotContains(first, "News 94.")
    assertContains(listed(console, page="2"), "News 94.")
    assertContains(listed(console, page="9"), "No more notices")


def test_administrators_see_which_mails_reached_nobody_and_try_them_again(people, agent):
    notice = say(agent)
    Notice.objects.update(mail="given_up", mail_due_at=None, mail_attempts=9, mail_because="550 No such user")
    client = signed_in(people["admin"])

    shown = listed(client)
    again = client.post(reverse("notice-mail-again", args=[notice.pk]), follow=True)

    assertContains(shown, "550 No such user")
    assertContains(shown, "after 9 attempts")
    assertContains(again, "The mail is tried again within a minute.")
    notice.refresh_from_db()
    assert (notice.mail, notice.mail_attempts) == (Notice.Mail.WAITING, 0)


@pytest.mark.parametrize("role", ["agent", "owner", "manager"])
def test_nobody_else_looks_after_mails(people, role):
    notice = say(people[role])
    client = signed_in(people[role])

    assertNotContains(listed(client), "Mails that reached nobody")
    assert client.post(reverse("notice-mail-again", args=[notice.pk])).status_code == 403


def test_whoever_has_no_role_is_told_nothing(django_user_model):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assertContains(listed(client), "no role yet", status_code=403)


def test_a_notice_of_a_settled_conflict_says_when_and_by_whom(owner, policy, django_assert_max_num_queries):
    builders.version(by=owner, doc_id="leaflet", name="L-1", passage="Within 30 days.")
    (found,) = ledger.conflicts(state="open")
    client = signed_in(owner)
    assertContains(client.get(reverse("notices")), "1 new")

    updates.resolve_conflict(
        conflict_id=found.id, wanted=Settlement("L-1", [found.versions[1]], "It ran out."), actor=owner,
        now=timezone.now(), calendar=builders.calendar(),
    )  # fmt: skip

    with django_assert_max_num_queries(QUERIES + 1):
        page = client.get(reverse("notices"))
    assertContains(page, "Settled since")
    assertContains(page, f"by <bdi>{owner.get_full_name() or owner.username}</bdi>")
    assertNotContains(page, "1 new")


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_is_inert(people, agent, hostile):
    say(agent, subject=f"s {hostile}", text=f"t {hostile}")
    Notice.objects.update(mail="given_up", mail_due_at=None, mail_because=hostile)

    assert is_inert(listed(signed_in(agent)))
    assert is_inert(listed(signed_in(people["admin"])))
