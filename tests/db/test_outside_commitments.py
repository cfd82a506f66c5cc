"""What replies from outside the desk commit us to is written down when they arrive, once, and seen by later drafts."""

import pytest
from django.utils import timezone

from drafts.models import Finding, OutsideCommitment
from drafts.queries.outside_commitments import outside_commitment
from drafts.services import outside_commitments, updates
from ledger import queries as ledger
from tests import builders

OTHER = "An unused lamp can be returned within 30 days of receipt."
REWORDED = "You can return an unused lamp within 14 days of receipt."
CODE = "unrecorded_answer_in_thread"
pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(owner, agent):
    """A customer who was answered."""
    builders.return_policy(owner)
    return builders.locked(agent)


def tell(talk, text, *, role="agent", name=None):
    updates.tell_message(
        conversation_id=talk,
        message=builders.message(text, role=role, name=name),
        now=timezone.now(),
        calendar=builders.calendar(),
    )


def written():
    rows = OutsideCommitment.objects.order_by("pk")
    return list(rows.values_list("question_key", "sentence", "differs"))


def test_another_value_is_written_down_with_the_answer_it_was_held_against(talk):
    tell(talk, f"Hi Ana. {OTHER} Bye!")

    (row,) = OutsideCommitment.objects.all()
    live = ledger.live_answers(talk)[builders.RETURN_KEY]
    assert written() == [(builders.RETURN_KEY, OTHER, True)]
    assert (str(row.entry_id), row.message.role, row.settled_at) == (live.entry_id, "agent", None)
    assert outside_commitment(row.pk) == row


@pytest.mark.parametrize(
    ("text", "role", "expected"),
    [
        pytest.param(builders.PASSAGE, "agent", [], id="to-the-letter"),
        pytest.param(REWORDED, "agent", [(builders.RETURN_KEY, REWORDED, False)], id="in-other-words"),
        pytest.param(OTHER, "customer", [], id="said-by-the-customer"),
        pytest.param(OTHER, "note", [], id="an-internal-note"),
    ],
)
def test_what_is_written_down(talk, text, role, expected):
    tell(talk, text, role=role)

    assert written() == expected


def test_the_same_message_is_written_down_once_and_again_when_it_is_edited(talk):
    tell(talk, OTHER, name="m-9")
    tell(talk, OTHER, name="m-9")
    tell(talk, OTHER.replace("30", "40"), name="m-9")
    tell(talk, f"Sorry. {OTHER.replace('30', '40')}", name="m-9")

    assert [sentence for _, sentence, _ in written()] == [OTHER, OTHER.replace("30", "40")]


def test_a_reply_of_ours_that_is_edited_elsewhere_is_written_down(talk):
    tell(talk, builders.CLEAN, name="helpdesk-7")
    assert written() == []

    tell(talk, builders.CLEAN.replace("14", "60"), name="helpdesk-7")

    assert [(key, differs) for key, _, differs in written()] == [(builders.RETURN_KEY, True)]


def test_a_draft_brings_the_replies_of_its_thread_along(owner):
    builders.return_policy(owner)
    thread = [builders.message(), builders.message(OTHER, role="agent"), builders.message("Are you sure?")]

    builders.item(messages=thread)

    (row,) = OutsideCommitment.objects.all()
    assert (row.question_key, row.entry_id, row.differs) == (builders.RETURN_KEY, None, False)


def test_a_later_draft_that_asks_something_else_shows_the_finding(talk):
    tell(talk, OTHER)

    item = builders.item("Hello Ana, thank you.", conversation=talk, question=None)

    assert Finding.objects.filter(item=item, code=CODE).exists()


def test_settling_takes_the_finding_and_its_blocker_from_open_drafts(talk, manager):
    tell(talk, OTHER)
    item = builders.item(builders.CLEAN, conversation=talk)
    before = set(item.findings.values_list("code", flat=True))

    outside_commitments.settle(
        commitment_id=OutsideCommitment.objects.get().pk,
        reason="I phoned her.",
        actor=manager,
        now=timezone.now(),
        calendar=builders.calendar(),
    )

    after = set(item.findings.values_list("code", flat=True))
    assert {CODE, "thread_answer_differs"} <= before
    assert not {CODE, "thread_answer_differs"} & after


@pytest.mark.parametrize("reason", ["", "  \n", "\u200b"])
def test_nothing_is_settled_without_a_reason(talk, manager, reason):
    tell(talk, OTHER)
    pk = OutsideCommitment.objects.get().pk

    with pytest.raises(outside_commitments.NotSettled, match="Say why"):
        outside_commitments.settle(
            commitment_id=pk, reason=reason, actor=manager, now=timezone.now(), calendar=builders.calendar()
        )

    assert OutsideCommitment.objects.get().settled_at is None


def test_a_draft_without_replies_from_outside_asks_nothing_more(owner, django_assert_num_queries):
    builders.return_policy(owner)
    conversation = builders.item().conversation

    with django_assert_num_queries(0):
        found = outside_commitments.note(conversation, [], now=timezone.now())

    assert found == 0


OUTLET = "return_window::outlet"
SHORT = "You can send it back within 30 days."


@pytest.fixture
def scopes(owner):
    """Two documents that answer the same topic for different items."""
    builders.return_policy(owner)
    builders.key(OUTLET, by=owner)
    passage = "An item from the outlet can be returned within 7 days of receipt."
    builders.version(by=owner, doc_id="outlet", name="O-1", passage=passage, key=OUTLET)


@pytest.mark.parametrize("asked", [OUTLET, builders.RETURN_KEY])
def test_a_reply_is_held_to_the_scope_that_its_conversation_asks(scopes, asked):
    thread = [builders.message(), builders.message(SHORT, "agent")]
    item = builders.item(messages=thread, question=asked)
    tell(item.conversation.external_id, "It can be returned within 60 days.")

    assert [key for key, *_ in written()] == [asked, asked]


def test_a_reply_that_fits_several_scopes_alike_is_kept_without_a_question(scopes):
    builders.item(messages=[builders.message("Hello"), builders.message(SHORT, "agent")], question=None)

    assert written() == [("", SHORT, False)]
