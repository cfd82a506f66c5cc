"""The correction protocol: what is told, and what may not be told."""

from datetime import date

import pytest

from drafts.decisions.analysis import analyse
from drafts.decisions.correcting import Correcting, compose, reference_of, refusals
from tests.unit.drafts.cases import GUARANTEE, PASSAGE, given, locked, told

OLD = "Your bicycle is guaranteed for 24 months."
ASK = given("", sources=told(locked(OLD)))


def wanted(new: str = PASSAGE, message: str | None = None) -> Correcting:
    composed = compose(
        old_text=OLD,
        said_on=date(2026, 5, 2),
        new_text=new,
        corrected_on=date(2026, 5, 12),
        reference="Guarantee terms, 1",
    )
    return Correcting(OLD, new, message or composed, composed)


def codes(correction: Correcting, ask=ASK) -> set[str]:
    return {b.code for b in refusals(ask, analyse(ask).first, correction)}


def test_the_composed_message_tells_both_answers_the_days_and_the_source():
    text = wanted().message

    for part in (OLD, PASSAGE, "2 May 2026", "12 May 2026", "Guarantee terms, 1"):
        assert part in text


def test_where_the_facts_changed_no_mistake_is_admitted():
    text = compose(
        old_text=OLD,
        said_on=date(2026, 5, 2),
        new_text=PASSAGE,
        corrected_on=date(2026, 5, 12),
        reference="Guarantee terms, 1",
        facts_changed=True,
    )

    assert codes(Correcting(OLD, PASSAGE, text, text)) == set()
    assert "withdraw" in text
    assert "wrong" not in text


@pytest.mark.parametrize("facts_changed", [False, True])
@pytest.mark.parametrize(
    ("quoted", "ends"),
    [
        ("our repairs have a warranty of 24 months", "”. "),
        ("our repairs have a warranty of 24 months.", "” "),
        ("does it last 24 months?", "” "),
        ("it lasts 24 months!", "” "),
        ("it lasts 24 months…", "” "),
        ("24 months (parts only)", "”. "),
        ("24 months (parts only.)", "” "),
        ("24 months, as the sheet says: “parts only.”", "” "),
        ("24 months. ", "” "),
        ("24 months;", "”. "),
    ],
)
def test_a_quotation_ends_its_sentence_once(quoted, ends, facts_changed):
    text = compose(
        old_text=quoted,
        said_on=None,
        new_text=quoted,
        corrected_on=date(2026, 5, 12),
        reference="Guarantee terms, 1",
        facts_changed=facts_changed,
    )

    after_old = "With what we" if facts_changed else "That answer"
    source = "(Source: Guarantee terms, 1)." if ends == "”. " else "(Source: Guarantee terms, 1.)"
    assert f"told you: “{quoted}{ends}{after_old}" in text
    assert f"instead: “{quoted}” {source}" in text


def test_a_composed_correction_of_unended_words_may_be_written_around():
    old, new = OLD.rstrip("."), PASSAGE.rstrip(".")
    composed = compose(
        old_text=old, said_on=date(2026, 5, 2), new_text=new, corrected_on=date(2026, 5, 12), reference="Terms, 1"
    )

    assert codes(Correcting(old, new, f"Dear Ana,\n\n{composed}\n\nKind regards", composed)) == set()


def test_the_reference_names_title_and_section():
    assert reference_of(analyse(ASK).first) == f"{GUARANTEE.title}, 1"


def test_a_composed_correction_may_go_out():
    assert codes(wanted()) == set()


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        pytest.param(wanted("It is 36 months."), "value_differs_from_selected_version", id="value-without-source"),
        pytest.param(
            wanted(f"{PASSAGE} We refunded you this morning."), "claim_unsupported", id="an-answer-with-a-claim"
        ),
        pytest.param(wanted(f"<script>x</script> {PASSAGE}"), "markup_in_draft", id="an-answer-with-markup"),
        pytest.param(wanted(f"{PASSAGE}\u202e"), "hidden_characters", id="an-answer-with-hidden-letters"),
        pytest.param(wanted(message=f"The right answer is: {PASSAGE}"), "withdrawn_answer_not_named", id="silent-swap"),
        pytest.param(
            wanted(message=f"We said “{OLD}” and that was wrong."), "new_answer_not_named", id="no-new-answer"
        ),
        pytest.param(
            wanted(message=f"{wanted().message} Our workshop is reviewing your case."),
            "claim_unsupported",
            id="a-promise-added",
        ),
        pytest.param(
            wanted(message=f"{wanted().message} You may rely on 30 months anyway."),
            "value_differs_from_correction",
            id="third-value",
        ),
    ],
)
def test_what_a_correction_may_not_tell(correction, code):
    assert code in codes(correction)


def test_a_correction_needs_a_source():
    unsourced = given("", sources=told(locked(OLD), versions=()))

    assert "no_source_for_correction" in codes(wanted(), unsourced)


def test_a_correction_to_the_same_answer_is_none():
    same = given("", sources=told(locked(PASSAGE)))
    correction = Correcting(PASSAGE, PASSAGE, PASSAGE, PASSAGE)

    assert "correction_changes_nothing" in codes(correction, same)
