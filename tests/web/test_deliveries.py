"""The list of replies on their way out, and one of them with what a person may do about it."""

import re
import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.decisions.delivering import Answered, DeliveryState, Outcome
from drafts.models import Delivery, Destination, ReviewItem
from drafts.services import correcting, sending
from tests import builders
from tests.web.conftest import HTMX, is_whole_page, signed_in
from tests.web.delivering import GONE, NO_ANSWER, REFUSED, TAKEN, attempt, in_state

# Each with the one query that counts unread notices and overdue conflicts for the header.
QUERIES_OF_THE_LIST = 10
QUERIES_OF_A_DELIVERY = 7
LIST = reverse("deliveries")
STATES = ("no_destination", "scheduled", "sending", "retrying", "unknown", "unknown_for_good", "sent", "dead", "undone")
NEW = "An unused lamp can be returned within 14 days of receipt. Please keep the box."
ACTIONS = ("send-again", "mark-delivered", "take-back")


def shown(response):
    """The ids of the deliveries listed, in order."""
    return [uuid.UUID(found) for found in re.findall(r'<h2><a href="/deliveries/([0-9a-f-]+)/"', response.text)]


def page_of(client, reply, **asked):
    return client.get(reverse("delivery", args=[reply.pk]), asked)


def act(client, reply, action, **fields):
    return client.post(reverse(f"delivery-{action}", args=[reply.pk]), fields)


@pytest.fixture
def each(policy, agent):
    """One delivery in each state, by the name of the state."""
    made = {name: in_state(name, agent) for name in STATES}
    return {reply.pk: name for name, reply in made.items()}


@pytest.mark.parametrize(
    ("tab", "expected"),
    [
        ("person", {"no_destination", "unknown_for_good", "dead"}),
        ("way", {"scheduled", "sending", "retrying", "unknown"}),
        ("sent", {"sent"}),
        ("back", {"undone"}),
        ("all", set(STATES)),
        ("", set(STATES)),
        ("nonsense", set(STATES)),
    ],
)
def test_a_tab_shows_the_replies_that_stand_so(console, each, tab, expected):
    response = console.get(LIST, {"tab": tab})

    assert {each[pk] for pk in shown(response)} == expected


def test_the_tabs_count(console, each):
    tabs = dict(re.findall(r">([A-Za-z ]+) <span class=\"tab-count[^>]*>([^<]+)<", console.get(LIST).text))

    assert tabs == {"Needs a person": "3", "On the way": "4", "Sent": "1", "Taken back": "1", "All": "9"}


def test_the_newest_stands_first(console, policy, agent):
    first, second = in_state("scheduled", agent), in_state("scheduled", agent)

    assert shown(console.get(LIST)) == [second.pk, first.pk]


def test_a_row_tells_where_it_stands_and_what_comes_next(console, policy, agent):
    reply = in_state("retrying", agent)
    Delivery.objects.filter(pk=reply.pk).update(due_at=timezone.now() + timedelta(minutes=4))

    response = console.get(LIST)

    for told in (
        "Not confirmed yet",
        "next attempt in 4 minutes",
        "Hello Ana,",
        reverse("conversation", args=[reply.conversation_id]),
        reverse("review", args=[reply.decision.item_id]),
        reply.destination.name,
    ):
        assertContains(response, told)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("no_destination", ("No destination", "a person decides what becomes of it")),
        ("scheduled", ("Leaves soon", "leaves in")),
        ("sending", ("Being sent", "an answer is awaited")),
        ("unknown", ("May have arrived", "next attempt in")),
        ("unknown_for_good", ("May have arrived", "a person decides what becomes of it")),
        ("sent", ("The destination took it.", "HTTP 200")),
        ("dead", ("Given up", "gone for good (410)")),
        ("undone", ("Undone before it left", "the customer never saw it")),
    ],
)
def test_every_state_is_told_in_plain_words(console, policy, agent, name, told):
    response = page_of(console, in_state(name, agent))

    for words in told:
        assertContains(response, words)


def test_an_overdue_reply_is_no_secret(console, policy, agent):
    for _ in range(3):
        reply = in_state("scheduled", agent)
        Delivery.objects.filter(pk=reply.pk).update(due_at=timezone.now() - timedelta(minutes=5))

    response = console.get(LIST)

    assertContains(response, "3 replies are overdue by more than 1 minute; is the worker running?")
    assertContains(response, "due for 5 minutes, and no worker took it")


def test_an_attempt_that_was_lost_and_never_given_up_counts_as_overdue(console, policy, agent):
    reply = in_state("sending", agent)
    Delivery.objects.filter(pk=reply.pk).update(leased_until=timezone.now() - timedelta(minutes=5))

    assertContains(console.get(LIST), "1 reply is overdue")


def test_what_waits_for_its_turn_or_for_its_destination_is_not_overdue(console, policy, agent):
    first = in_state("unknown_for_good", agent)
    second = builders.delivery(agent, conversation=first.conversation.external_id)
    third = in_state("scheduled", agent)
    off = builders.destination()
    Destination.objects.filter(pk=off.pk).update(is_active=False)
    Delivery.objects.filter(pk=third.pk).update(destination=off)
    Delivery.objects.filter(pk__in=[second.pk, third.pk]).update(due_at=timezone.now() - timedelta(minutes=5))

    response = console.get(LIST)

    assertNotContains(response, "overdue")
    assertContains(response, "after an earlier reply of this conversation")
    assertContains(page_of(console, second), reverse("delivery", args=[first.pk]))


def test_a_reply_whose_destination_is_switched_off_says_so(console, policy, agent):
    reply = in_state("retrying", agent)
    Destination.objects.filter(pk=reply.destination_id).update(is_active=False)

    assertContains(console.get(LIST), "once its destination is switched on")
    assertContains(page_of(console, reply), "(switched off)")


def test_replies_are_found_by_destination_and_conversation(console, policy, agent):
    there, here = in_state("no_destination", agent), in_state("scheduled", agent)

    assert shown(console.get(LIST, {"destination": here.destination_id})) == [here.pk]
    assert shown(console.get(LIST, {"q": there.conversation.external_id[:-1]})) == [there.pk]
    assert shown(console.get(LIST, {"q": "no such"})) == []
    assertContains(console.get(LIST, {"q": "no such"}), "Nothing matches")


@pytest.mark.parametrize("cursor", ["x", "2026-01-01_x", "2026-01-01T00:00:00_" + "0" * 32, "_", "\x00"])
def test_what_is_not_understood_is_left_out(console, policy, agent, cursor):
    reply = in_state("scheduled", agent)

    assert shown(console.get(LIST, {"after": cursor, "destination": "x", "tab": cursor})) == [reply.pk]


def many(number, *, like):
    """Copies of a correction's delivery: a decision has one delivery only."""
    made = []
    for place in range(number):
        reply = Delivery(
            conversation=like.conversation,
            decision=None,
            correction=copy_of_correction(like, place),
            destination=like.destination,
            text=like.text,
            state=DeliveryState.SCHEDULED,
            created_at=like.created_at + timedelta(seconds=place + 1),
            undo_until=like.undo_until,
            due_at=like.due_at,
        )
        made.append(reply)
    return Delivery.objects.bulk_create(made)


def copy_of_correction(like, place):
    return like.conversation.corrections.create(
        entry_id=uuid.uuid4(),
        question_key=builders.RETURN_KEY,
        old_text="old",
        new_text="new",
        message=f"message {place}",
        reason="a reason",
        owner=like.decision.decided_by,
        corrected_by=like.decision.decided_by,
        corrected_at=like.created_at,
    )


def link(response, rel):
    return re.search(rf'<a href="([^"]+)" rel="{rel}"', response.text).group(1).replace("&amp;", "&")


def test_pages_hold_fifty_and_lead_on_and_back(console, policy, agent, django_assert_max_num_queries):
    first = in_state("scheduled", agent)
    expected = [*reversed([made.pk for made in many(119, like=first)]), first.pk]

    with django_assert_max_num_queries(QUERIES_OF_THE_LIST):
        one = console.get(LIST, {"tab": "way"})
    two = console.get(LIST + link(one, "next"))
    three = console.get(LIST + link(two, "next"))
    back = console.get(LIST + link(three, "prev"))

    assert [*shown(one), *shown(two), *shown(three)] == expected
    assert [len(shown(page)) for page in (one, two, three)] == [50, 50, 20]
    assert shown(back) == shown(two)
    assert 'rel="prev"' not in one.text
    assert 'rel="next"' not in three.text


def test_counts_are_bounded(console, policy, agent, monkeypatch):
    monkeypatch.setattr("drafts.queries.deliveries.COUNTED", 5)
    monkeypatch.setattr("console.views.deliveries.COUNTED", 5)
    many(10, like=in_state("scheduled", agent))

    assertContains(console.get(LIST), "more than 5")


def test_without_a_destination_everybody_learns_what_to_do(console, people, policy, agent):
    in_state("no_destination", agent)

    assertContains(console.get(LIST), "until an administrator adds a destination")
    assertContains(signed_in(people["admin"]).get(LIST), "Add a destination")


def test_with_a_destination_nothing_is_explained(console, policy, agent):
    in_state("scheduled", agent)

    assertNotContains(console.get(LIST), "No destination takes replies")


def test_before_anything_was_decided_the_list_says_so(console, db):
    assertContains(console.get(LIST), "No reply was decided yet")


def test_an_empty_tab_says_so(console, policy, agent):
    in_state("scheduled", agent)

    assertContains(console.get(LIST, {"tab": "sent"}), "No reply has been sent")


def test_a_delivery_shows_the_exact_text_and_its_lasting_id(console, policy, agent, django_assert_max_num_queries):
    reply = in_state("retrying", agent)

    with django_assert_max_num_queries(QUERIES_OF_A_DELIVERY):
        response = page_of(console, reply)

    for told in (
        builders.CLEAN,
        str(reply.pk),
        "webhook-id",
        f"by <bdi>{agent.get_full_name()}",
        reply.decision.item.external_id,
    ):
        assertContains(response, told)


def test_every_attempt_is_told_the_newest_first(console, policy, agent):
    reply = in_state("retrying", agent)
    attempt(reply, NO_ANSWER)

    response = page_of(console, reply)

    assert response.text.index("Attempt 2") < response.text.index("Attempt 1")
    for told in ("HTTP 404", "No such inbox here", "took 2 seconds", "no answer came", "desk.example/in"):
        assertContains(response, told)


def test_a_long_answer_is_told_in_brief_and_kept_at_hand(console, policy, agent):
    builders.destination(channels=[builders.CHANNEL])
    reply = attempt(builders.delivery(agent), Answered(Outcome.REFUSED, 404, "<p>no</p>" * 100))

    response = page_of(console, reply)

    assertContains(response, "All that was kept of the answer")
    assert response.text.count("&lt;p&gt;no") < 130


def test_a_page_that_looks_again_gets_only_what_can_change(console, policy, agent):
    reply = in_state("retrying", agent)

    asked = {"shown": "retrying", "tries": "1"}
    response = console.get(reverse("delivery", args=[reply.pk]), asked, headers=HTMX)

    assert not is_whole_page(response)
    assertContains(response, 'id="delivery"')
    assertContains(response, "?shown=retrying&amp;tries=1")
    assertNotContains(response, "hx-swap-oob")
    assertNotContains(response, "textarea")


def test_a_page_that_looks_again_is_told_of_a_new_attempt(console, policy, agent):
    reply = attempt(in_state("retrying", agent), REFUSED)

    asked = {"shown": "retrying", "tries": "1"}
    response = console.get(reverse("delivery", args=[reply.pk]), asked, headers=HTMX)

    assertContains(response, 'aria-labelledby="attempts-title" hx-swap-oob="true"')
    assertContains(response, "Attempt 2")


def test_a_page_that_looks_again_is_told_of_a_new_state(console, policy, agent):
    reply = in_state("dead", agent)

    response = console.get(reverse("delivery", args=[reply.pk]), {"shown": "sending"}, headers=HTMX)

    assertContains(response, '<p id="told" hx-swap-oob="innerHTML">Given up.')
    assertContains(response, '<div id="settle" hx-swap-oob="innerHTML">')


def test_a_form_in_which_somebody_may_be_typing_is_not_replaced(console, policy, agent):
    reply = in_state("dead", agent)

    response = console.get(reverse("delivery", args=[reply.pk]), {"shown": "retrying"}, headers=HTMX)

    assertNotContains(response, "textarea")


@pytest.mark.parametrize(("name", "looks"), [("scheduled", True), ("sent", False), ("undone", False)])
def test_only_what_can_still_change_is_looked_at_again(console, policy, agent, name, looks):
    assert ("hx-trigger" in page_of(console, in_state(name, agent)).text) is looks


@pytest.mark.parametrize("name", ["dead", "retrying", "unknown", "unknown_for_good"])
def test_a_reply_is_sent_again_under_the_same_id(console, policy, agent, name):
    reply = in_state(name, agent)

    response = act(console, reply, "send-again")

    assert (response.status_code, response.url) == (302, reverse("delivery", args=[reply.pk]))
    reply.refresh_from_db()
    assert (reply.state, reply.attempts) == ("retrying", reply.tries.count())
    assert reply.due_at <= timezone.now()
    assertContains(page_of(console, reply), "It is sent again now")


def test_a_reply_without_destination_is_sent_once_there_is_one(console, policy, agent):
    reply = in_state("no_destination", agent)
    refused = act(console, reply, "send-again", reason="typed for a minute")
    builders.destination()

    assertContains(refused, "There is no destination for this channel yet", status_code=422)
    assertContains(refused, "typed for a minute", status_code=422)
    assert act(console, reply, "send-again").status_code == 302
    assert attempt(reply, TAKEN).state == "sent"


def test_a_person_says_that_it_did_arrive(console, policy, agent):
    reply = in_state("unknown_for_good", agent)

    act(console, reply, "mark-delivered", reason="I see it in their inbox <3")

    response = page_of(console, reply)
    assertContains(response, "found that it did arrive.")
    assertContains(response, "I see it in their inbox &lt;3")
    reply.refresh_from_db()
    assert (reply.state, reply.settled_by) == ("sent", agent)


def test_a_person_takes_a_reply_back_and_its_item_waits_again(console, policy, agent):
    reply = in_state("dead", agent)

    response = act(console, reply, "take-back", reason="The address is wrong.")

    assert response.status_code == 302
    reply.refresh_from_db()
    assert (reply.state, reply.because) == ("returned", "The address is wrong.")
    assert ReviewItem.objects.get(pk=reply.decision.item_id).state == "pending"
    assertContains(page_of(console, reply), "took it back. It is not sent.")


def test_an_answer_that_was_repeated_cannot_be_taken_back_and_the_page_says_so(console, policy, agent):
    reply = in_state("unknown_for_good", agent)
    act(console, reply, "send-again")
    attempt(reply, TAKEN)
    conversation = reply.conversation.external_id
    again = builders.delivery(agent, conversation=conversation)
    attempt(again, TAKEN)
    later = builders.delivery(agent, conversation=conversation)
    attempt(later, GONE)

    assert act(console, reply, "take-back", reason="No.").status_code == 409
    assert act(console, later, "take-back", reason="No.").status_code == 302


@pytest.mark.parametrize("action", ["mark-delivered", "take-back"])
@pytest.mark.parametrize("reason", ["", "  \n "])
def test_what_a_person_settles_needs_a_reason(console, policy, agent, action, reason):
    reply = in_state("dead", agent)

    response = act(console, reply, action, reason=reason)

    assertContains(response, "Something is missing", status_code=422)
    assertContains(response, 'aria-invalid="true"', status_code=422)
    reply.refresh_from_db()
    assert reply.state == "dead"


def test_a_reply_without_destination_that_was_passed_on_by_hand_is_noted_as_arrived(console, policy, agent):
    reply = in_state("no_destination", agent)

    act(console, reply, "mark-delivered", reason="I read it to her on the phone.")

    reply.refresh_from_db()
    assert (reply.state, reply.destination, reply.settled_by) == ("sent", None, agent)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("name", ["scheduled", "sending", "sent", "undone"])
def test_what_is_under_way_or_over_is_left_alone_and_the_reason_kept(console, policy, agent, action, name):
    reply = in_state(name, agent)

    response = act(console, reply, action, reason="typed for a minute")

    assert response.status_code == 409
    reply.refresh_from_db()
    assert reply.state == name


@pytest.mark.parametrize("action", ACTIONS)
def test_a_reason_that_cannot_be_stored_is_refused_and_shown_again(console, policy, agent, action):
    response = act(console, in_state("dead", agent), action, reason="x" * 65_600)

    assertContains(response, "x" * 65_600, status_code=422)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("role", ["manager", "admin"])
def test_managers_and_administrators_settle_nothing(people, policy, agent, action, role):
    reply = in_state("dead", agent)
    client = signed_in(people[role])

    assert act(client, reply, action, reason="Because.").status_code == 403
    assertNotContains(page_of(client, reply), "What should become of it")
    reply.refresh_from_db()
    assert reply.state == "dead"


def corrected(agent):
    """The delivery of a correction that was issued without a draft, of an answer that had arrived."""
    builders.destination(channels=[builders.CHANNEL])
    answer = attempt(builders.delivery(agent), TAKEN)
    issued = correcting.correct(
        conversation_id=answer.conversation.external_id,
        question_key=builders.RETURN_KEY,
        wanted=correcting.CorrectionWanted(answer_text=NEW, reason="The box matters.", owner="agent"),
        actor=agent,
        now=timezone.now(),
        calendar=builders.calendar(),
    )
    return Delivery.objects.get(correction=issued)


def test_a_correction_without_a_draft_is_undone_from_here(console, policy, agent):
    reply = corrected(agent)

    assertContains(page_of(console, reply), reverse("delivery-undo", args=[reply.pk]))
    response = act(console, reply, "undo")

    assert response.status_code == 302
    reply.refresh_from_db()
    assert (reply.state, reply.correction.withdrawn_by) == ("undone", agent)
    assertContains(act(console, reply, "undo"), "taken back already", status_code=409)


def test_nobody_else_undoes_it(people, policy, agent):
    reply = corrected(agent)
    client = signed_in(people["agent2"])

    assertNotContains(page_of(client, reply), ">Undo<")
    assert act(client, reply, "undo").status_code == 409


def test_the_reply_of_an_item_is_undone_on_the_items_page(console, policy, agent):
    reply = in_state("scheduled", agent)

    assertContains(page_of(console, reply), reverse("review-undo", args=[reply.decision.item_id]))
    assert act(console, reply, "undo").status_code == 404


@pytest.mark.parametrize("action", [*ACTIONS, "undo"])
def test_a_button_is_no_link_and_what_is_not_there_is_not_found(console, policy, agent, action):
    reply = in_state("dead", agent)

    assert console.get(reverse(f"delivery-{action}", args=[reply.pk])).status_code == 405
    assert console.post(reverse(f"delivery-{action}", args=[uuid.uuid4()])).status_code == 404


def test_what_is_not_there_is_not_found(console, db):
    assert console.get(reverse("delivery", args=[uuid.uuid4()])).status_code == 404


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", '"><svg onload=alert(1)>', "</textarea><img src=x>", "a\u202eb\u200bc"]
)
def test_what_a_receiver_says_is_text_and_nothing_else(console, policy, agent, hostile):
    builders.destination(hostile, url=f"https://x.example/{hostile}")
    reply = builders.delivery(agent, conversation=builders.unique(hostile), external_id=builders.unique(hostile))
    attempt(reply, Answered(Outcome.REFUSED, 400, hostile))

    pages = [page_of(console, reply), console.get(LIST), console.get(LIST, {"q": hostile, "tab": hostile})]
    pages.append(act(console, reply, "take-back", reason=hostile))
    pages.append(page_of(console, reply))

    for page in pages:
        assert not [bad for bad in ("<script>alert", "<svg onload", "<img") if bad in page.text]
    if "\u202e" in hostile:
        assertContains(pages[0], "U+202E RIGHT-TO-LEFT OVERRIDE")


def test_whoever_has_no_role_sees_no_delivery(django_user_model, policy, agent):
    reply = in_state("dead", agent)
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assert client.get(LIST).status_code == 403
    assert page_of(client, reply).status_code == 403
    assert act(client, reply, "send-again").status_code == 403


def test_a_lost_attempt_is_told_as_one_that_may_have_arrived(console, policy, agent):
    reply = in_state("sending", agent)
    reply.refresh_from_db()
    sending.expire(now=reply.leased_until + timedelta(seconds=1), chance=0)

    assertContains(page_of(console, reply), "The worker ended in the middle; the reply may have arrived.")


def test_whoever_sends_again_is_warned_where_it_may_have_arrived(console, policy, agent):
    assertContains(page_of(console, in_state("unknown_for_good", agent)), "It may have arrived already.")
    builders_reply = in_state("retrying", agent)
    assert REFUSED.said in page_of(console, builders_reply).text
    assertContains(page_of(console, builders_reply), "Nothing of it has arrived, as far as is known.")
