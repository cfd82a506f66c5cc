"""Which ticket field supports or contradicts which claim: the matrix, cell by cell, with tickets of our own."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from drafts.decisions.claims import DEFAULT_MAPPING, detect, judge
from drafts.decisions.claims.mapping import UnknownEntry
from drafts.decisions.vocabulary import ClaimClass, Tier, Verdict
from ledger.decisions.calendar import BusinessCalendar

NOW = datetime(2026, 3, 10, 10, 0, tzinfo=UTC)
OFFICE = BusinessCalendar(ZoneInfo("Europe/London"))
OPEN = {"id": "7001", "status": "open", "assignee": "rosa"}
S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED


def judged(text, ticket, cls=None, *, mapping=DEFAULT_MAPPING, latest=None, now=NOW):
    found = judge(
        detect(text), text=text, ticket=ticket, now=now, calendar=OFFICE, mapping=mapping, latest_customer_at=latest
    )
    return next(c for c in found if c.tier is Tier.CLAIM and (cls is None or c.cls is cls))


def told(claim):
    return claim.verdict, claim.record


@pytest.mark.parametrize(
    ("text", "ticket", "verdict", "record"),
    [
        ("We are reviewing your photos.", OPEN, S, "assignee = rosa"),
        ("We are reviewing your photos.", {"status": "new", "assignee": None}, C, "status = new"),
        ("We are reviewing your photos.", {"status": "on hold", "assignee": "rosa"}, C, "status = on hold"),
        ("We are reviewing your photos.", {"status": "closed", "assignee": "rosa"}, C, "status = closed"),
        ("We are reviewing your photos.", {"status": "open", "merged_into": 7}, C, "merged_into = 7"),
        ("We are reviewing your photos.", {"status": "open", "assignee": None}, U, None),
        ("Rosa is reviewing your photos.", OPEN, S, "assignee = rosa"),
        ("Tomas is reviewing your photos.", OPEN, C, "assignee = rosa"),
        ("Tomas is reviewing your photos.", {"status": "open", "assignee": None}, C, "assignee empty"),
        (
            "I have escalated this.",
            {**OPEN, "escalated_at": "2026-03-10T08:00:00Z"},
            S,
            "escalated_at = 2026-03-10 08:00 (Europe/London)",
        ),
        ("I have escalated this.", OPEN, U, None),
        ("A ticket was opened.", OPEN, S, "id = 7001"),
        ("A ticket was opened under 9412.", OPEN, C, "id = 7001"),
        ("We have received your message.", OPEN, S, "id = 7001"),
        ("Your refund was issued.", {"refund": {"status": "issued"}}, S, "refund.status = issued"),
        ("Your refund was issued.", {"refund": {"status": "requested"}}, C, "refund.status = requested"),
        ("Your refund was issued.", {"refund": {"status": None}}, U, None),
        ("Your refund is being processed.", {"refund": {"status": "pending"}}, S, "refund.status = pending"),
        ("Your refund is being processed.", {"refund": {"status": "rejected"}}, C, "refund.status = rejected"),
        ("Your parcel has been shipped.", {"order": {"status": "in transit"}}, S, "order.status = in transit"),
        ("Your parcel has been shipped.", {"order": {"status": "processing"}}, C, "order.status = processing"),
        ("Your parcel is on its way.", {"order": {"status": "delivered"}}, C, "order.status = delivered"),
        ("Your parcel is on its way.", {"order": {}}, U, None),
        ("I have cancelled your order.", {"order": {"status": "cancelled"}}, S, "order.status = cancelled"),
        ("I have cancelled your order.", {"order": {"status": "shipped"}}, C, "order.status = shipped"),
        ("Your order is still pending.", {"order": {"status": "pending"}}, S, "order.status = pending"),
        ("Your order is still pending.", {"order": {"status": "shipped"}}, C, "order.status = shipped"),
        ("Your case is with the billing team.", {**OPEN, "team": "billing"}, S, "team = billing"),
        ("Your ticket has been closed.", {"status": "solved"}, S, "status = solved"),
        ("Your ticket has been closed.", OPEN, C, "status = open"),
        ("Your kettle has not shipped.", {"order": {"status": "processing"}}, S, "order.status = processing"),
        ("Your kettle has not shipped.", {"order": {"status": "shipped"}}, C, "order.status = shipped"),
        ("Your kettle has not shipped.", {"order": {"status": None}, "status": "open"}, U, None),
        (
            "Nobody has looked at your photos.",
            {**OPEN, "review_started_at": "2026-03-10T08:00:00Z"},
            C,
            "review_started_at = 2026-03-10 08:00 (Europe/London)",
        ),
    ],
)
def test_a_status_needs_the_field_that_records_it(text, ticket, verdict, record):
    assert told(judged(text, ticket, ClaimClass.STATUS)) == (verdict, record)


@pytest.mark.parametrize(
    ("text", "ticket", "verdict"),
    [
        ("We will call you.", {"status": "open", "callback_at": "2026-03-10T15:00:00Z"}, S),
        ("We will call you.", OPEN, S),
        ("We will call you.", {"status": "open"}, U),
        ("We will call you.", {"status": "closed", "assignee": "rosa"}, C),
        ("We will check the motor.", OPEN, S),
        ("We will check the motor.", {"status": "new"}, U),
        ("Your refund will be issued.", {"refund": {"status": "approved"}}, S),
        ("Your refund will be issued.", {"refund": {"status": "rejected"}}, C),
        ("We will ship the parcel.", {"order": {"status": "cancelled"}}, C),
        ("I will cancel your order.", {**OPEN, "order": {"status": "delivered"}}, C),
        ("Tomas will call you.", OPEN, C),
    ],
)
def test_an_action_needs_a_plan_or_somebody_at_work(text, ticket, verdict):
    assert judged(text, ticket, ClaimClass.ACTION).verdict is verdict


@pytest.mark.parametrize(
    ("text", "ticket", "verdict"),
    [
        pytest.param("We will call you by noon.", {"callback_at": "2026-03-10T11:30:00Z"}, S, id="inside"),
        pytest.param("We will call you by noon.", {"callback_at": "2026-03-10T12:30:00Z"}, C, id="too-late"),
        pytest.param(
            "We will call you today.", {"callback_at": "2026-03-10T20:00:00Z"}, U, id="between-strict-and-lenient"
        ),
        pytest.param("We will call you on Thursday.", {"callback_at": "2026-03-11T11:00:00Z"}, C, id="another-day"),
        pytest.param(
            "We will answer shortly.", {**OPEN, "resolution_due_at": "2026-03-10T11:00:00Z"}, S, id="due-in-time"
        ),
        pytest.param(
            "We will answer shortly.", {**OPEN, "resolution_due_at": "2026-03-20T11:00:00Z"}, U, id="due-later"
        ),
        pytest.param(
            "We will answer shortly.", {**OPEN, "resolution_due_at": "2026-03-01T11:00:00Z"}, U, id="breached"
        ),
        pytest.param("We will answer shortly.", {"status": "solved"}, C, id="closed"),
        pytest.param("We will answer as soon as possible.", OPEN, S, id="effort-with-assignee"),
        pytest.param("We will answer as soon as possible.", {"status": "open"}, U, id="effort-without"),
        pytest.param("We will answer in due course.", OPEN, U, id="no-limit"),
        pytest.param(
            "Your parcel will arrive by Friday.", {"order": {"eta": "2026-03-12T11:00:00Z"}}, S, id="eta-inside"
        ),
        pytest.param(
            "Your parcel will arrive by Friday.", {"order": {"eta": "2026-03-16T11:00:00Z"}}, C, id="eta-after"
        ),
        pytest.param(
            "Your refund will arrive by Friday.",
            {**OPEN, "resolution_due_at": "2026-03-10T11:00:00Z"},
            U,
            id="due-time-is-no-refund",
        ),
    ],
)
def test_a_time_needs_a_date_inside_what_was_promised(text, ticket, verdict):
    assert judged(text, ticket, ClaimClass.TIMING).verdict is verdict


@pytest.mark.parametrize("hour", [0, 3, 12, 19, 23])
@pytest.mark.parametrize("day", [10, 13, 14, 15])
def test_an_early_due_time_keeps_shortly_at_any_hour_of_any_day(day, hour):
    now = datetime(2026, 3, day, hour, 50, tzinfo=UTC)
    ticket = {**OPEN, "resolution_due_at": (now + timedelta(minutes=30)).isoformat()}

    assert judged("We will answer shortly.", ticket, ClaimClass.TIMING, now=now).verdict is S


def test_a_time_claim_carries_its_interval_in_utc():
    claim = judged("We will call you within 24 hours.", OPEN, ClaimClass.TIMING)

    assert (claim.earliest, claim.latest) == (NOW, NOW + timedelta(hours=24))


@pytest.mark.parametrize(
    ("text", "decision", "verdict"),
    [
        ("Your return is approved.", "approved", S),
        ("Your return is approved.", "rejected", C),
        ("Your return is approved.", None, U),
        ("We cannot accept the return.", "rejected", S),
        ("We cannot accept the return.", "approved", C),
        ("Your return is not eligible for a credit.", "rejected", S),
    ],
)
def test_an_outcome_needs_a_persons_decision(text, decision, verdict):
    assert judged(text, {**OPEN, "fields": {"return_decision": decision}}, ClaimClass.OUTCOME).verdict is verdict


@pytest.mark.parametrize(
    ("text", "actions", "verdict"),
    [
        ("I have updated the address on your order.", ["update_order_address"], S),
        ("I have updated the address on your order.", [{"name": "update_order_address"}], S),
        ("I have updated the address on your order.", ["get_order_details"], U),
        ("I have checked your order.", ["get_order_details"], S),
        ("I have cancelled your booking.", ["cancel_booking"], S),
        ("I have cancelled your booking.", [], U),
    ],
)
def test_the_log_of_tools_called_supports_what_was_done(text, actions, verdict):
    assert judged(text, {"id": "7001", "fields": {"actions_done": actions}}).verdict is verdict


@pytest.mark.parametrize("ticket", [None, {}])
@pytest.mark.parametrize("text", ["We are reviewing it.", "We will call you.", "You are eligible for a refund."])
def test_without_a_ticket_nothing_is_supported_and_each_claim_says_what_it_needs(text, ticket):
    claim = judged(text, ticket)

    assert (claim.verdict, claim.record) == (U, None)
    assert claim.needs


def test_a_snapshot_older_than_the_customers_message_supports_nothing():
    ticket = {**OPEN, "as_of": "2026-03-10T08:00:00Z"}

    claim = judged("We are reviewing your photos.", ticket, latest=datetime(2026, 3, 10, 9, 0, tzinfo=UTC))

    assert claim.verdict is U
    assert (
        claim.record == "assignee = rosa, as of 2026-03-10 08:00 (Europe/London), before the customer's latest message"
    )


def test_an_old_snapshot_still_contradicts():
    ticket = {"status": "new", "as_of": "2026-03-10T08:00:00Z"}

    assert judged("We are reviewing your photos.", ticket, latest=NOW).verdict is C


def test_an_empty_field_contradicts_only_where_it_is_authoritative():
    strict = DEFAULT_MAPPING.overlaid({"authoritative": ["refund.status"]})
    ticket = {**OPEN, "refund": {"status": None}}

    assert judged("Your refund was issued.", ticket).verdict is U
    assert told(judged("Your refund was issued.", ticket, mapping=strict)) == (C, "refund.status empty")


def test_a_step_dated_on_another_day_than_the_record_is_contradicted():
    ticket = {"refund": {"status": "issued", "issued_at": "2026-03-05T09:00:00Z"}}

    assert judged("Your refund was issued yesterday.", ticket).verdict is C
    assert judged("Your refund was issued on 5 March.", ticket).verdict is S


def test_a_helpdesk_with_other_names_lays_its_fields_over_the_mapping():
    mapping = DEFAULT_MAPPING.overlaid(
        {"OUTCOME": ["fields.verdict"], "assignee": ["owner.name"], "working": ["doing"]}
    )
    ticket = {"status": "doing", "owner": {"name": "rosa"}, "fields": {"verdict": "approved"}}

    assert told(judged("We are reviewing it.", ticket, mapping=mapping)) == (S, "owner.name = rosa")
    assert told(judged("You are eligible for a refund.", ticket, mapping=mapping)) == (S, "fields.verdict = approved")


def test_an_unknown_mapping_entry_is_refused_by_name():
    with pytest.raises(UnknownEntry, match="assigne"):
        DEFAULT_MAPPING.overlaid({"assigne": ["owner"]})


@pytest.mark.parametrize("value", [7, True, ["x"], {"a": 1}, "not a date", "2026-13-45T00:00:00Z", float("nan")])
def test_fields_of_an_unexpected_kind_raise_nothing(value):
    ticket = {
        "status": value,
        "assignee": value,
        "callback_at": value,
        "refund": value,
        "order": {"status": value},
        "as_of": value,
    }

    for text in (
        "We will call you today.",
        "Your refund was issued.",
        "We are reviewing it.",
        "Your parcel has shipped.",
    ):
        judge(detect(text), text=text, ticket=ticket, now=NOW, calendar=OFFICE)
