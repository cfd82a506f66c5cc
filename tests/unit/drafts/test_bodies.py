"""From a parsed body to what arrives: what is read, what is kept, and which field a refusal names."""

import copy
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.arriving import Unacceptable
from drafts.decisions.bodies import ask_from, digest_of, draft_from, ticket_changes_from
from drafts.decisions.reading import NAME_LIMIT
from ledger.decisions.vocabulary import KeyOrigin

BODY = {
    "external_id": "bot-17",
    "conversation": {
        "id": "thread-9",
        "customer_id": "c-4",
        "channel": "chat",
        "messages": [
            {"id": "m1", "role": "customer", "text": "How long do I have?", "sent_at": "2026-05-04T08:00:00+02:00"}
        ],
    },
    "question": {"key": "return_window::shop", "by": "classifier"},
    "facts": {"received_on": "2026-05-01", "gift": True},
    "ticket": {"id": "700", "as_of": "2026-05-04T06:30:00Z", "status": "open", "order": {"eta": None, "lines": [1, 2]}},
    "draft": {"text": "You have 30 days.", "retrieved": [{"doc_id": "returns", "section": None, "score": 1}]},
}

REMOVED = object()


def changed(path, value):
    """Return the body with one value replaced; the path is written as a refusal writes it."""
    body = copy.deepcopy(BODY)
    steps = [int(step) if step.isdigit() else step for step in path.replace("[0]", ".0").split(".")]
    at = body
    for step in steps[:-1]:
        at = at[step]
    if value is REMOVED:
        del at[steps[-1]]
    else:
        at[steps[-1]] = value
    return body


def test_a_whole_body_is_read():
    draft = draft_from(BODY)

    assert draft.external_id == "bot-17"
    assert draft.text == "You have 30 days."
    assert draft.ask.messages[0].sent_at == datetime(2026, 5, 4, 6, tzinfo=UTC)
    assert draft.ask.question.by is KeyOrigin.CLASSIFIER
    assert draft.ask.facts == {"received_on": "2026-05-01", "gift": True}
    assert draft.ask.ticket.id == "700"
    assert draft.ask.ticket.fields == {"status": "open", "order": {"eta": None, "lines": [1, 2]}}
    assert draft.notes.retrieved[0].score == 1.0


def test_the_smallest_body_is_read():
    draft = draft_from(
        {
            "external_id": "a",
            "conversation": {"id": "b", "messages": [{"id": "m", "role": "note", "text": ""}]},
            "draft": {"text": "."},
        }
    )

    assert draft.ask.ticket is None
    assert draft.ask.question is None
    assert draft.ask.facts == {}


def test_an_ask_needs_no_draft():
    body = {name: value for name, value in BODY.items() if name not in {"draft", "external_id"}}

    assert ask_from(body).conversation_id == "thread-9"


def test_a_ticket_without_an_id_takes_the_conversations():
    assert draft_from(changed("ticket", {"status": "open"})).ask.ticket.id == "thread-9"


@pytest.mark.parametrize("nothing", [None, {}, REMOVED])
def test_an_empty_ticket_is_none(nothing):
    assert draft_from(changed("ticket", nothing)).ask.ticket is None


def test_a_key_that_is_null_is_no_question():
    assert draft_from(changed("question", {"key": None, "by": "form"})).ask.question is None


def test_a_key_without_an_origin_came_from_a_form():
    assert draft_from(changed("question", {"key": "a::b"})).ask.question.by is KeyOrigin.FORM


def test_unknown_names_at_the_top_are_ignored_and_others_are_kept():
    body = {**BODY, "source": "an export", "ticket": {"priority": {"level": 2}, "fields": {"x": [None]}}}

    assert draft_from(body).ask.ticket.fields == {"priority": {"level": 2}, "fields": {"x": [None]}}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("external_id", REMOVED, id="missing"),
        pytest.param("external_id", None, id="null"),
        pytest.param("external_id", 17, id="number"),
        pytest.param("external_id", " \u200b ", id="nothing-to-see"),
        pytest.param("external_id", "x" * (NAME_LIMIT + 1), id="too-long"),
        pytest.param("external_id", "a\nb", id="line-break"),
        pytest.param("external_id", "a\u2028b", id="line-separator"),
        pytest.param("external_id", "a\x85b", id="control"),
        pytest.param("conversation", REMOVED, id="no-conversation"),
        pytest.param("conversation", [], id="list-for-object"),
        pytest.param("conversation.id", "", id="empty-id"),
        pytest.param("conversation.channel", ["chat"], id="list-for-text"),
        pytest.param("conversation.messages", {"id": "m"}, id="object-for-list"),
        pytest.param("conversation.messages[0]", "hello", id="text-for-message"),
        pytest.param("conversation.messages[0].role", "system", id="unknown-role"),
        pytest.param("conversation.messages[0].role", REMOVED, id="no-role"),
        pytest.param("conversation.messages[0].text", None, id="no-text"),
        pytest.param("conversation.messages[0].text", {"a": 1}, id="object-for-text"),
        pytest.param("conversation.messages[0].sent_at", "2026-05-04", id="date-for-instant"),
        pytest.param("conversation.messages[0].sent_at", "2026-05-04T08:00:00", id="no-zone"),
        pytest.param("conversation.messages[0].sent_at", "2026-W19-1T08:00:00Z", id="week-date"),
        pytest.param("conversation.messages[0].sent_at", "2026-13-04T08:00:00Z", id="month-13"),
        pytest.param("conversation.messages[0].sent_at", "2026-05-04T08:00:00+25:00", id="zone-of-25-hours"),
        pytest.param("conversation.messages[0].sent_at", "0001-01-01T00:00:00+14:00", id="before-time"),
        pytest.param("conversation.messages[0].sent_at", "9999-12-31T23:59:59-12:00", id="after-time"),
        pytest.param("conversation.messages[0].sent_at", "٢٠٢٦-05-04T08:00:00Z", id="other-digits"),
        pytest.param("conversation.messages[0].sent_at", 1777875600, id="seconds-since-1970"),
        pytest.param("in_reply_to", 3, id="number-for-message-id"),
        pytest.param("question", "return_window::shop", id="text-for-question"),
        pytest.param("question.by", "guess", id="unknown-origin"),
        pytest.param("facts", ["received_on"], id="list-for-facts"),
        pytest.param("ticket", "700", id="text-for-ticket"),
        pytest.param("ticket.as_of", "yesterday", id="no-instant"),
        pytest.param("ticket.status", 4, id="number-for-status"),
        pytest.param("ticket.callback_at", "2026-05-04 08:00", id="call-back-without-zone"),
        pytest.param("ticket.order", "x", id="text-for-order"),
        pytest.param("ticket.order.status", ["shipped"], id="list-for-order-status"),
        pytest.param("ticket.order.eta", "2026-05-04", id="eta-without-time"),
        pytest.param("draft", None, id="no-draft"),
        pytest.param("draft.text", " \n\u200b", id="blank-draft"),
        pytest.param("draft.missing_fields", "received_on", id="text-for-list"),
        pytest.param("draft.retrieved[0].doc_id", REMOVED, id="passage-of-no-document"),
        pytest.param("draft.retrieved[0].score", "high", id="text-for-score"),
        pytest.param("draft.retrieved[0].score", True, id="truth-for-score"),
    ],
)
def test_a_refusal_names_the_field(field, value):
    with pytest.raises(Unacceptable) as refused:
        draft_from(changed(field, value))

    assert refused.value.field == field
    assert refused.value.message


@pytest.mark.parametrize("body", [None, [], "text", 3, True])
def test_a_body_that_is_no_object_is_refused(body):
    with pytest.raises(Unacceptable) as refused:
        draft_from(body)

    assert refused.value.field == "body"


NAMES = st.sampled_from(["external_id", "conversation", "id", "messages", "role", "draft", "facts", "ticket"])


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
        max_leaves=10,
    )
)
def test_any_other_body_is_refused_in_the_same_way(body):
    with pytest.raises(Unacceptable) as refused:
        draft_from(body)

    assert refused.value.field
    assert refused.value.message


def test_the_same_content_has_the_same_digest_whatever_its_order_and_remarks():
    other = {"note": "second try", **{name: BODY[name] for name in reversed(BODY)}, "in_reply_to": None}

    assert digest_of(other) == digest_of(BODY)


@pytest.mark.parametrize(
    ("field", "value"),
    [("draft.text", "You have 31 days."), ("facts.gift", False), ("conversation.messages[0].text", "How long?")],
)
def test_other_content_has_another_digest(field, value):
    assert digest_of(changed(field, value)) != digest_of(BODY)


def test_ticket_changes_keep_names_and_values():
    changes, as_of = ticket_changes_from(
        {"status": "merged", "fields": {"merged_into": "9"}, "as_of": "2026-05-04T06:30:00Z"}, ticket_id="700"
    )

    assert changes == {"status": "merged", "fields": {"merged_into": "9"}}
    assert as_of == datetime(2026, 5, 4, 6, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body"),
        ({"id": "701", "status": "open"}, "id"),
        ({"status": ["open"]}, "status"),
        ({"refund": {"issued_at": "soon"}}, "refund.issued_at"),
        ({"fields": "none"}, "fields"),
    ],
)
def test_a_refused_ticket_change_names_the_field(body, field):
    with pytest.raises(Unacceptable) as refused:
        ticket_changes_from(body, ticket_id="700")

    assert refused.value.field == field
