"""The one analysis, seen as a whole: what is found, what blocks, and what would be locked."""

from dataclasses import replace
from datetime import date

import pytest

from drafts.decisions.analysis import analyse
from drafts.decisions.given import Dismissed, ModelNotes, Retrieved, Sources
from drafts.decisions.vocabulary import Message, Tier, Verdict
from ledger.decisions.vocabulary import Branch, KeyStatus, QuestionKey
from tests.unit.drafts.cases import (
    BOUNDARY,
    CHAIN,
    GUARANTEE,
    OTHER_PASSAGE,
    PASSAGE,
    REGISTRY,
    RETURN_PASSAGE,
    RETURN_TERMS,
    RETURNS,
    asked,
    given,
    told,
    version,
)


def codes(analysis) -> set[str]:
    return {f.code for f in analysis.findings}


def blocked(analysis) -> set[str]:
    return {b.code for b in analysis.blockers}


def test_the_passage_itself_may_go_out_and_would_be_locked():
    analysis = analyse(given())

    assert analysis.first.gate.branch is Branch.SINGLE_SOURCE
    assert analysis.blockers == ()
    assert analysis.answer_text == PASSAGE


def test_the_same_value_in_other_words_may_go_out():
    analysis = analyse(given("Good news: the guarantee runs for one and a half years from the day of delivery."))

    assert blocked(analysis) == set()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Your bicycle has a 24-month guarantee.", id="another-number"),
        pytest.param("Your bicycle has a lifetime guarantee.", id="lifetime"),
        pytest.param("The guarantee is 18 months, or 24 months if you register.", id="two-values"),
    ],
)
def test_another_value_than_the_selected_version_blocks(text):
    assert "value_differs_from_selected_version" in blocked(analyse(given(text)))


def test_a_reply_without_the_answer_cannot_lock_anything():
    assert "answer_not_found" in blocked(analyse(given("Thank you for your message and for choosing us.")))


def test_a_repeat_needs_the_locked_text_to_the_letter():
    analysis = analyse(given("It is eighteen months.", sources=told()))

    assert analysis.first.gate.branch is Branch.REPEAT
    assert "locked_text_missing" in blocked(analysis)
    assert "value_differs_from_locked_answer" not in codes(analysis)


def test_a_repeat_with_another_value_names_both():
    analysis = analyse(given("It is 24 months.", sources=told()))

    assert {"locked_text_missing", "value_differs_from_locked_answer"} <= blocked(analysis)


def test_a_replayed_text_may_go_out_whatever_the_model_read():
    notes = ModelNotes(selected_version="NEW-9", retrieved=(Retrieved("blog"),))

    analysis = analyse(given(f"As asked: {PASSAGE}", sources=told(), notes=notes))

    assert "second_source_for_locked_key" not in codes(analysis)


def test_a_second_source_for_a_locked_answer_blocks_the_models_own_text():
    notes = ModelNotes(retrieved=(Retrieved("blog", score=0.9),))

    assert "second_source_for_locked_key" in blocked(analyse(given("It is 18 months.", sources=told(), notes=notes)))


def test_an_adjacent_question_gets_the_parents_text_and_the_boundary():
    ask = given(f"{PASSAGE} {BOUNDARY}", questions=(asked(CHAIN),), sources=told())

    analysis = analyse(ask)

    assert analysis.first.gate.branch is Branch.ADJACENT_KEY
    assert blocked(analysis) == set()
    assert "locked_text_missing" in blocked(analyse(replace(ask, text=PASSAGE)))


def test_a_changed_deciding_fact_leaves_only_the_correction():
    analysis = analyse(given(sources=told(), facts={"delivered_on": "2026-05-01"}))

    assert "correction_required" in blocked(analysis)


def test_an_absent_fact_is_not_a_changed_one():
    assert analyse(given(sources=told(), facts={})).first.gate.branch is Branch.REPEAT


def test_without_the_deciding_date_no_value_and_no_version_goes_out():
    analysis = analyse(given("GUA-1 applies, so you have 18 months.", facts={}))

    assert analysis.first.route.missing_field == "delivered_on"
    assert {"version_named_but_none_selected", "value_stated_but_none_selected"} <= blocked(analysis)


def test_without_the_deciding_date_the_reply_must_ask_for_it():
    assert "missing_field_not_asked" in blocked(analyse(given("Thank you for your message.", facts={})))
    assert blocked(analyse(given("On which day was the bicycle delivered?", facts={}))) == set()


def test_two_documents_stop_everything():
    sources = Sources(REGISTRY, (GUARANTEE, version("PROMO", OTHER_PASSAGE, doc="promo")))

    analysis = analyse(given(sources=sources))

    assert analysis.first.gate.branch is Branch.SOURCES_CONFLICT
    assert {"sources_conflict", "value_stated_but_none_selected"} <= blocked(analysis)


def test_an_uncertain_question_waits_for_a_person():
    analysis = analyse(given("Thank you.", questions=(QuestionKey(KeyStatus.UNCERTAIN),)))

    assert blocked(analysis) == {"key_not_established"}


def test_small_talk_passes():
    ask = given("You are welcome, enjoy the ride.", questions=(asked(None),))

    assert blocked(analyse(ask)) == set()


def test_every_question_of_a_message_is_answered():
    both = (asked(), asked(RETURNS))

    complete = analyse(given(f"{PASSAGE} {RETURN_PASSAGE}", questions=both))
    partial = analyse(given(PASSAGE, questions=both))

    assert complete.blockers == ()
    assert set(complete.answers.values()) == {PASSAGE, RETURN_PASSAGE}
    assert "answer_not_found" in blocked(partial)


def test_a_promise_without_record_blocks_until_the_ticket_backs_it():
    text = f"{PASSAGE} A mechanic will call you within two hours."

    alone = analyse(given(text))
    backed = analyse(
        given(
            text,
            ticket={
                "status": "open",
                "assignee": "rui",
                "callback_at": "2026-05-12T10:00:00Z",
                "as_of": "2026-05-12T08:59:00Z",
            },
        )
    )

    assert "claim_unsupported" in blocked(alone)
    assert blocked(backed) == set()


@pytest.mark.parametrize(
    ("told", "supported"),
    [
        pytest.param("Your bicycle was delivered on 20 April.", True, id="the-same-day"),
        pytest.param("Your bicycle was delivered on April 20, 2026.", True, id="month-first"),
        pytest.param("Your bicycle was delivered on 21 April.", False, id="another-day"),
        pytest.param("Your refund was issued on 20 April.", False, id="another-event"),
    ],
)
def test_a_fact_of_the_ask_backs_a_status_that_repeats_it(told, supported):
    claims = [c for c in analyse(given(f"{told} {PASSAGE}")).claims if c.start == 0 and c.tier is Tier.CLAIM]

    assert [c.verdict is Verdict.SUPPORTED for c in claims] == [supported]


def test_a_dismissed_claim_no_longer_blocks():
    text = f"{PASSAGE} Our mechanics are reviewing your photos."
    claim = next(c for c in analyse(given(text)).claims if c.tier is Tier.CLAIM)

    analysis = analyse(given(text, dismissed=(Dismissed(claim.cls.value, claim.text),)))

    assert blocked(analysis) == set()


def test_a_merged_ticket_is_the_wrong_place():
    analysis = analyse(given(ticket={"status": "merged", "fields": {"merged_into": "7001"}}))

    (blocker,) = analysis.blockers
    assert blocker.code == "ticket_merged"
    assert "7001" in blocker.message


def test_a_newer_message_of_the_customer_stops_a_stale_approval():
    assert blocked(analyse(given(newer_message=True))) == {"newer_customer_message"}


def test_an_unrecorded_answer_of_the_thread_is_named_and_blocks_only_when_it_differs():
    thread = (
        Message("m0", "agent", "The guarantee on your bicycle is {} months."),
        Message("m1", "customer", "Really?"),
    )

    def with_value(months: int):
        said = replace(thread[0], text=thread[0].text.format(months))
        return analyse(given(messages=(said, thread[1])))

    assert "unrecorded_answer_in_thread" in codes(with_value(18))
    assert "thread_answer_differs" not in codes(with_value(18))
    assert "thread_answer_differs" in blocked(with_value(24))


def test_a_note_is_nothing_that_we_told_the_customer():
    thread = (Message("n1", "note", "We told him 24 months by mistake?"), Message("m1", "customer", "How long?"))

    assert codes(analyse(given(messages=thread))) == set()


def test_the_models_choice_of_version_counts_until_a_person_edits():
    notes = ModelNotes(selected_version="GUA-0", missing_fields=("delivered_on",))

    theirs = codes(analyse(given(notes=notes)))
    edited = codes(analyse(given(notes=notes, edited=True)))

    assert {"selected_version_differs_from_router", "selected_version_despite_missing_field"} <= theirs
    assert edited == set()


def test_tomorrow_in_yesterdays_draft_is_flagged():
    ask = given(f"{PASSAGE} A mechanic will call you tomorrow.", written_on=date(2026, 5, 11))

    assert "relative_day_in_older_draft" in codes(analyse(ask))


def test_a_message_may_repeat_one_answer_and_ask_for_another():
    analysis = analyse(given(f"{PASSAGE} {RETURN_PASSAGE}", questions=(asked(), asked(RETURNS)), sources=told()))

    assert analysis.blockers == ()
    assert analysis.answers == {RETURNS: RETURN_PASSAGE}


def test_an_analysis_is_the_same_every_time():
    ask = given("We are reviewing it and will call you shortly. It is 24 months.", sources=told())

    assert analyse(ask) == analyse(ask)


def test_versions_of_other_questions_do_not_decide():
    assert analyse(given(RETURN_PASSAGE, questions=(asked(RETURNS),))).first.route.version == RETURN_TERMS
