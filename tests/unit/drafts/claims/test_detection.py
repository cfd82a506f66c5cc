"""What is a claim, what is none, and where it stands: sentences of our own, by kind."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.claims import detect
from drafts.decisions.vocabulary import ClaimClass, Tier, Verdict

KINDS = {
    ClaimClass.STATUS: """
        Our fraud desk is looking into the double charge.
        An investigation is under way.
        We continue to work on a fix for your router.
        I've passed this on to the billing team.
        Your claim was logged under number 88213.
        Your package left our warehouse on Tuesday.
        Your case is with our billing team.
        You are next in line.
        Your subscription remains active.
        Current status: under review
        Refund: processed.
        Ticket M-2847 created.
        Refund issued on 3 March
        You're all set.
        Consider it done.
        Not only have we refunded you, we have also closed the complaint.
        No one is reviewing this at the moment.
        The courier tried to deliver your parcel this morning.
        I can confirm that your booking has been moved.
        Your money is already on the way back to you.
        The second parcel is stuck in customs.
        The technician is en route.
        The payment went through.
        I've closed the old contract, is there anything else you need?
    """,
    ClaimClass.ACTION: """
        You'll hear from us.
        Expect a call from our fitter.
        I'll keep you posted.
        I'm going to check with the depot.
        This case will be closed automatically.
        Your charger will be with you.
        Someone from the team will be in contact.
        I'll make sure the fee is removed.
        We plan to ship the part.
        Maria will ring you.
        You won't be charged again.
        Give me a second to look at that.
        Leave it with me.
        The missing piece will be sent out.
        You'll get your money back.
        We're sending a technician out on Monday.
        I'll look for the parcel and report back to you.
    """,
    ClaimClass.TIMING: """
        We will answer within 24 hours.
        A technician will visit you tomorrow morning.
        Within two business days, we will send you a label.
        We'll ship it as soon as possible.
        We will call you between 2 and 4 pm today.
        I'll call you back in an hour or so.
        Please allow up to ten business days.
        It takes up to 10 business days.
        Your appointment is on Thursday at 10 am.
        Your delivery is scheduled for 12 May.
        Expect an email from us in the next few days.
    """,
    ClaimClass.OUTCOME: """
        You are eligible for a full refund.
        Your item qualifies.
        This is covered under your warranty.
        Your return is approved.
        We can't refund this order.
        You are not entitled to compensation.
        Your claim has been denied.
        We've decided to refund you in full.
        This damage is not covered by the guarantee.
        Your order can still be cancelled free of charge.
    """,
}
NO_CLAIMS = """
    If you return it within 14 days, we will refund you.
    Once you confirm, I will cancel it.
    As soon as you send the photo, we will replace it.
    Please confirm and I'll proceed.
    Send us the receipt and we will refund you.
    Should it fail, we will replace it.
    Returns are accepted within 14 days.
    Refunds usually take 5-7 days.
    Standard delivery takes 3 to 5 business days.
    Orders placed before noon are shipped the same day.
    Our team is available 9-5.
    Would you like me to cancel it?
    I can help you with that.
    We'd be happy to assist.
    Feel free to contact us.
    You placed the order on 2 May.
    You can cancel online.
    We cannot promise a date.
    We do not know when it will arrive.
    It is not certain that the part will be delivered this week.
    I'll do my best to help.
    We look forward to hearing from you.
    We hope to hear from you soon.
    I hope to see you again soon.
    Our warranty covers parts for 24 months.
    You wrote that your parcel was sent back.
    Thanks for letting us know it has been repaired.
    Could you tell us when it arrived?
    We are experiencing high volume.
    I'm writing to follow up.
    The device will switch off after ten minutes.
    You will need to send it back.
    When your refund is approved, you will get an email.
    I'm sorry that your parcel arrived damaged.
    To get a refund, upload the receipt and choose a reason.
    Before I can cancel it, I need your order number.
    A return can be requested within 30 days of delivery.
    The blue kettle costs 39 EUR and holds 1.7 litres.
    A colleague has to decide that.
    The Swift lamp by Prompt & Co shows the hour; the Nano promises 30 hours of light.
"""


def lines(block):
    return [line.strip() for line in block.strip().splitlines()]


def claims(text):
    return [claim for claim in detect(text) if claim.tier is Tier.CLAIM]


def quotes(text):
    return [claim.text for claim in claims(text)]


@pytest.mark.parametrize(("cls", "text"), [(cls, text) for cls, block in KINDS.items() for text in lines(block)])
def test_a_claim_of_its_class_is_found(cls, text):
    assert cls in {claim.cls for claim in claims(text)}


@pytest.mark.parametrize("text", lines(NO_CLAIMS))
def test_conditions_policy_offers_and_the_customers_acts_are_no_claims(text):
    assert quotes(text) == []


def test_one_sentence_can_carry_several_claims_with_exact_spans():
    text = "Thanks. I have noted the damage and will ring you by Friday, and your refund was approved."

    assert [(c.text, c.cls.value, c.sub) for c in claims(text)] == [
        ("I have noted the damage", "STATUS", "done"),
        ("will ring you", "ACTION", "contact"),
        ("by Friday", "TIMING", "date"),
        ("your refund was approved", "OUTCOME", None),
    ]


def test_claims_come_unjudged():
    (claim,) = claims("Our agents are reviewing your order.")

    assert (claim.verdict, claim.record, claim.text) == (
        Verdict.UNSUPPORTED,
        None,
        "Our agents are reviewing your order",
    )


@pytest.mark.parametrize(
    "text",
    [
        "> We have refunded you and will call tomorrow.",
        'You said "my refund was issued and a van will come tomorrow".',
        "Which colour is it?\n\nOn Mon, 2 Feb 2026 at 10:00, Desk <desk@example.org> wrote:\nWe have refunded you.",
        (
            "Bitte senden.\n\nVon: Desk <desk@example.org>\nGesendet: 2. Februar 2026 10:00\nAn: Kundin\nBetreff: "
            "Fall\n\nWe will call you."
        ),
        "Welke kleur?\n\n-----Original Message-----\nWe have cancelled your order.",
        "<p>Which colour?</p><blockquote>Your refund was issued.</blockquote>",
        "Which colour is it?\n\nBest regards,\nMaya\nWe answer within 24 hours",
    ],
)
def test_what_is_quoted_or_signed_is_no_claim(text):
    assert quotes(text) == []


def test_answers_between_quoted_lines_are_claims():
    text = "> Where is it?\n\nYour parcel was dispatched.\n\n> And the lid?\n\nThe lid is still in our warehouse.\n"

    assert quotes(text) == ["Your parcel was dispatched", "The lid is still in our warehouse"]


def test_a_list_of_details_is_not_taken_for_a_quoted_mail():
    text = "Name: Ana\nEmail: ana@example.org\nDate: 2026-03-10\n\nWe have cancelled your order."

    assert quotes(text) == ["We have cancelled your order"]


def test_a_whole_reply_in_quotation_marks_is_read():
    assert quotes('"Your refund has been issued."') == ["Your refund has been issued"]


def test_a_plan_put_up_for_confirmation_promises_nothing():
    plan = "We will change the address to Elm Street and send the parcel there."

    assert quotes(f"{plan} Please confirm that you want me to proceed.") == []
    assert quotes(plan) != []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        pytest.param("Your re\u200bfund was is\u00adsued.", "Your re\u200bfund was is\u00adsued", id="invisible"),
        pytest.param(
            "Ｙｏｕｒ ｒｅｆｕｎｄ ｗａｓ ｉｓｓｕｅｄ.", "Ｙｏｕｒ ｒｅｆｕｎｄ ｗａｓ ｉｓｓｕｅｄ", id="full-width"
        ),
        pytest.param("𝐘𝐨𝐮𝐫 refund was issued.", "𝐘𝐨𝐮𝐫 refund was issued", id="mathematical-bold"),
        pytest.param(
            "Y\u043eur r\u0435fund w\u0430s issu\u0435d.",
            "Y\u043eur r\u0435fund w\u0430s issu\u0435d",
            id="look-alikes",
        ),
        pytest.param("We haven\u2019t issued it.", "We haven\u2019t issued it", id="curly"),
        pytest.param("Your\u00a0refund  was\tissued.", "Your\u00a0refund  was\tissued", id="spaces"),
        pytest.param("Your <b>ref</b>und&nbsp;was issued.", "Your <b>ref</b>und&nbsp;was issued", id="markup"),
        pytest.param("Your refund was <!-- x -->issued.", "Your refund was <!-- x -->issued", id="comment"),
        pytest.param("**Your refund** was issued.", "Your refund** was issued", id="markdown"),
        pytest.param("Your refund was\nissued.", "Your refund was\nissued", id="wrapped-line"),
        pytest.param("Your refund was\x00 issued.", "Your refund was\x00 issued", id="null"),
    ],
)
def test_disguised_words_are_read_and_quoted_as_they_stand(text, quote):
    assert quotes(text) == [quote]


@pytest.mark.parametrize(
    "text",
    [
        "I'll be happy to sort it if the part fails.",
        "Once the unit is back, we will refund you.",
        "We are on top of the escalation.",
    ],
)
def test_what_the_rules_leave_open_is_at_most_a_possible_claim(text):
    assert {claim.tier for claim in detect(text)} <= {Tier.POSSIBLE}


def test_a_conditional_promise_is_shown_as_a_possible_claim():
    assert [c.tier for c in detect("Once the unit is back, we will refund you.")] == [Tier.POSSIBLE]


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u200b", "\x00", "🎉🎉", "a" * 70_000, "?!.,;:()"])
def test_texts_without_words_have_no_claims(text):
    assert detect(text) == ()


PIECES = "we will you it is been sent refund if 24 hours by Friday . , ? < > & \" ' -"
ODD = st.lists(st.sampled_from([*PIECES.split(" "), "\n", "\u200b", "\u043e"]), max_size=60).map(" ".join)


@given(st.one_of(st.text(max_size=300), ODD, st.lists(st.sampled_from(lines(NO_CLAIMS)), max_size=4).map("\n".join)))
def test_any_text_gives_ordered_claims_that_quote_it(text):
    found = detect(text)

    assert all(0 <= c.start < c.end <= len(text) and text[c.start : c.end] == c.text for c in found)
    assert all(one.start <= other.start for one, other in pairwise(found))
    assert found == detect(text)
