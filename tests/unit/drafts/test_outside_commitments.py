"""Which sentences of a reply from outside the desk commit us, and to what."""

import pytest

from drafts.decisions.outside_commitments import stated_outside

REPAIR = "warranty_duration::repair_general"
LOCKED = {REPAIR: "Repairs are covered for 12 months from the day they were finished."}
PASSAGES = {
    "return_window::online_store": ("An unused lamp can be returned within 14 days of receipt.",),
    "refund_timing::card": ("Refunds reach the card within 5 business days.",),
}


def stated(text, *, locked=LOCKED, passages=PASSAGES):
    return [(row.question_key, row.differs) for row in stated_outside(text, locked=locked, passages=passages)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(LOCKED[REPAIR], [], id="to-the-letter"),
        pytest.param(
            "Repairs  are covered for 12 months\nfrom the day they were finished.", [], id="white-space-aside"
        ),
        pytest.param("The warranty on the repair is one year.", [(REPAIR, False)], id="same-value-in-other-words"),
        pytest.param("Your repair has a warranty of 24 months.", [(REPAIR, True)], id="another-value"),
        pytest.param("There is no warranty on repairs.", [(REPAIR, True)], id="denied"),
        pytest.param(
            f"You get a lifetime guarantee on that. {LOCKED[REPAIR]}", [(REPAIR, True)], id="beside-the-letter"
        ),
        pytest.param(
            "You can send it back within 30 days. Refunds take 10 days.",
            [("return_window::online_store", False), ("refund_timing::card", False)],
            id="two-questions-without-an-answer",
        ),
        pytest.param("Is it within 14 days of receipt?", [], id="a-question"),
        pytest.param("You wrote that you were told 24 months of warranty.", [], id="the-customer's-words"),
        pytest.param("> Repairs have a warranty of 24 months.", [], id="quoted-mail"),
        pytest.param("I will call you within 2 days.", [], id="a-promise-to-call"),
        pytest.param("We will send an update on the refund within 24 hours.", [], id="a-promise-to-write"),
        pytest.param("Your order of 3 lamps for $40 was shipped on 3 May.", [], id="the-order"),
        pytest.param("Thank you, have a nice day!", [], id="nothing"),
    ],
)
def test_what_counts_as_a_commitment(text, expected):
    assert stated(text) == expected


def test_a_term_that_no_passage_speaks_of_is_kept_without_a_question():
    assert stated("We give you a warranty of 24 months.", locked={}, passages={}) == [("", False)]


def test_the_sentence_is_kept_to_the_letter():
    (row,) = stated_outside("Hi!  Your repair has a warranty of 24\xa0months. Bye", locked=LOCKED, passages={})

    assert row.sentence == "Your repair has a warranty of 24\xa0months."


def test_one_sentence_is_given_to_one_question():
    twins = {"a::b": PASSAGES["return_window::online_store"], "c::d": PASSAGES["return_window::online_store"]}

    assert stated("You can return it within 14 days of receipt.", locked={}, passages=twins) == [("", False)]


SCOPES = {
    "return_window::online": ("An unused item can be returned within 14 days of receipt.",),
    "return_window::outlet": ("An item from the outlet can be returned within 7 days of receipt.",),
    "refund_timing::card": PASSAGES["refund_timing::card"],
}


@pytest.mark.parametrize(
    ("text", "asked", "key"),
    [
        pytest.param("You can send it back within 30 days.", (), "", id="scopes-that-fit-alike"),
        pytest.param("You can send it back within 30 days.", ("return_window::outlet",), "return_window::outlet",
                     id="the-scope-that-was-asked"),
        pytest.param("An outlet item can be returned within 30 days.", (), "return_window::outlet", id="named"),
        pytest.param("You can send it back within 30 days.", ("refund_timing::card",), "", id="another-topic"),
        pytest.param("You can send it back within 30 days.", ("return_window::online", "return_window::outlet"), "",
                     id="both-were-asked"),
        pytest.param("Refunds take 10 days.", ("return_window::outlet",), "refund_timing::card", id="not-the-topic"),
    ],
)  # fmt: skip
def test_among_scopes_of_a_topic_the_one_that_was_asked_goes_first(text, asked, key):
    (row,) = stated_outside(text, locked={}, passages=SCOPES, asked=asked)

    assert row.question_key == key


PRICED = {
    "delivery_cost::general": ("Delivery costs €6.90 per order.",),
    "cancellation_fee::visit": ("A visit that is cancelled on the day costs €25.",),
    "fees::call_out": ("Our charge is €60.",),
}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        pytest.param("- Kettle, steel, 1.5 l: price €504.", [], id="a-price-list"),
        pytest.param("The kettle is priced at €38 and costs €4 more than the other.", [], id="a-product"),
        pytest.param("The delivery costs €4.90.", ["delivery_cost::general"], id="what-delivery-costs"),
        pytest.param("Cancelling the visit costs €30.", ["cancellation_fee::visit"], id="what-cancelling-costs"),
    ],
)
def test_a_price_answers_a_question_only_by_what_it_is_for(text, keys):
    found = stated_outside(text, locked={}, passages={k: v for k, v in PRICED.items() if k != "fees::call_out"})

    assert [row.question_key for row in found] == keys


def test_a_charge_of_which_the_passage_says_no_more_is_still_found():
    (row,) = stated_outside("Our charge is €80.", locked={}, passages=PRICED)

    assert row.question_key == "fees::call_out"
