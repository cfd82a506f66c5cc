"""Structure of an output: each check with what it must find, and what it must leave alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafts.decisions.structure import (
    PieceKind,
    contradictory_fields,
    hidden_characters,
    invokes_earlier_answer,
    language,
    markup,
    mixed_scripts,
    several_drafts,
    visible_pieces,
)

CHECKS = (several_drafts, hidden_characters, mixed_scripts, markup, language, invokes_earlier_answer)
ODD_TEXT = st.text(st.sampled_from("aé \n.,:<>{}&;`*-=оеΩ\u200b\u200d\ufe0f\u202e👩🏽می\u0301\ue000中"), max_size=80)


def quotes(findings, text):
    return [text[finding.start : finding.end] for finding in findings]


@given(st.text(max_size=200) | ODD_TEXT)
def test_every_span_lies_in_the_text_and_holds_something(text):
    for check in CHECKS:
        for finding in check(text):
            assert 0 <= finding.start < finding.end <= len(text)
            assert finding.message


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Draft:\nIt is 7 days.\n\nRevised draft:\nIt is 14 days.", ["Draft:", "Revised draft:"]),
        ("We refund it.\n\n**Version 2:**\nWe exchange it.", ["**Version 2:"]),
        ("It is a year. Wait, the receipt is missing.", ["Wait, the"]),
        ("It is a year. Let me rewrite this.", ["Let me rewrite this"]),
        ("Sure. Here is a revised version:\nWe ship on Monday.", ["Here is a revised version"]),
        ("Here's a draft reply you can send:\nWe ship.", ["Here's a draft reply"]),
        ("<thinking>No date.</thinking> We ship.", ["<thinking>", "</thinking>"]),
        ("Analysis: no receipt date.\nWe need the date.", ["Analysis:"]),
        ("The customer is asking about returns. We take it back.", ["The customer is asking"]),
        ("Hi Bo,\nWe ship.\nKind regards,\nMy\n\nHi Bo,\nWe do not.", ["Hi Bo,"]),
        ("Option 1: Hi Bo, we ship.\nOption 2: Hi Bo, we do not.", ["Option 1:", "Option 2:"]),
        ("We ship it. Feel free to adjust the tone.", ["Feel free to adjust the"]),
    ],
)
def test_several_drafts_and_notes_in_one_output_are_found(text, quoted):
    assert quotes(several_drafts(text), text) == quoted


@pytest.mark.parametrize(
    "text",
    [
        "You can choose:\nOption 1: a repair\nOption 2: a replacement",
        "Let me correct that address for you.",
        "Wait, is that the right size?",
        "Here is the corrected version of your invoice.",
        "Hi Bo,\nThanks for waiting.\n\nBest wishes,\nMy",
        "You wrote:\n> Draft: please read\nWe have read it.",
        "Please reply with your order number, and wait for the text message.",
    ],
)
def test_one_ordinary_reply_is_one_draft(text):
    assert several_drafts(text) == ()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("no \u202edeifer\u202c at all \u0645", ["U+202E RIGHT-TO-LEFT OVERRIDE", "U+202C POP DIRECTIONAL FORMATTING"]),
        ("re\u200bfund", ["U+200B ZERO WIDTH SPACE"]),
        ("war\u00adranty", ["U+00AD SOFT HYPHEN"]),
        ("a\u2066b\u2069", ["U+2066 LEFT-TO-RIGHT ISOLATE", "U+2069 POP DIRECTIONAL ISOLATE"]),
        ("hi\U000e0068\U000e0069", ["U+E0068 TAG LATIN SMALL LETTER H, U+E0069 TAG LATIN SMALL LETTER I"]),
        ("a\ufe0f", ["U+FE0F VARIATION SELECTOR-16"]),
        ("\u3164", ["U+3164 HANGUL FILLER"]),
        ("a\ue000", ["U+E000 PRIVATE USE"]),
        ("a\u2028b\u2029c\u0085d", ["U+2028 LINE SEPARATOR", "U+2029 PARAGRAPH SEPARATOR", "U+0085 NEXT LINE"]),
        ("a\x00b\x1b[31m", ["U+0000 NULL", "U+001B ESCAPE"]),
        ("pay\u200dment", ["U+200D ZERO WIDTH JOINER"]),
        ("مرح\u202dبا", ["U+202D LEFT-TO-RIGHT OVERRIDE"]),
        ("Z" + "\u0323" * 9, ["U+0323 COMBINING DOT BELOW, piled up"]),
    ],
)
def test_hidden_characters_are_named(text, named):
    findings = hidden_characters(text)

    assert len(findings) == len(named)
    assert all(name in finding.message for name, finding in zip(named, findings, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "👨‍👩‍👧 👩🏽‍💻 ❤️ 1️⃣ 🏳️‍🌈 🤷🏽‍♀️ ™️",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "می\u200cشود",
        "क्\u200dष और क्\u200cष",
        "ශ්\u200dරී",
        "مرحبا\u200f!",
        "葛\U000e0100",
        "tab\tline\r\nZoë, naïve, é, e\u0301",
    ],
)
def test_ordinary_writing_in_any_script_hides_nothing(text):
    assert hidden_characters(text) == ()


def test_ten_thousand_marks_are_one_finding():
    assert len(hidden_characters("a" + "\u0301" * 10_000)) == 1


def test_a_text_full_of_hidden_characters_has_bounded_findings():
    assert len(hidden_characters("a\u200b" * 20_000)) == 51


@given(ODD_TEXT, st.integers(0, 90), st.integers(0, 90))
def test_pieces_give_back_the_text_and_hide_what_the_findings_name(text, start, end):
    pieces = visible_pieces(text, start, end)
    hidden = {i for piece in visible_pieces(text) if piece.kind is PieceKind.HIDDEN
              for i in range(piece.start, piece.start + len(piece.text))}  # fmt: skip

    assert "".join(piece.text for piece in pieces) == text[start:end]
    assert hidden == {i for finding in hidden_characters(text) for i in range(finding.start, finding.end)}


def test_a_repeated_hidden_character_is_one_chip():
    pieces = visible_pieces("a\u200b\u200bb")

    assert [(piece.text, piece.name) for piece in pieces] == [
        ("a", ""),
        ("\u200b\u200b", "U+200B ZERO WIDTH SPACE × 2"),
        ("b", ""),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the w\u0430rranty ends", ["w\u0430rranty"]),
        ("Your \u0441\u043e\u0440y", ["\u0441\u043e\u0440y"]),
        ("\u03a1ayment", ["\u03a1ayment"]),
        ("we sent a \u0441\u043e\u0440 to you", ["\u0441\u043e\u0440"]),
    ],
)
def test_words_of_two_alphabets_are_found(text, words):
    assert quotes(mixed_scripts(text), text) == words


@pytest.mark.parametrize(
    "text",
    [
        "5 µm or 5 μm",
        "a 4 kΩ part",
        "ΔT",
        "iPhoneのケース",
        "Иван Петров",
        "Καλημέρα",
        "USB-порт",
        "ＦＵＬＬ width",
        "Łódź",
    ],
)
def test_words_of_one_alphabet_and_units_are_left_alone(text):
    assert mixed_scripts(text) == ()


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("<b>Sorry</b> &nbsp;", ["<b>", "</b>", "&nbsp;"]),
        ("Dear {{ first_name }},", ["{{ first_name }}"]),
        ("Dear {name}, {% if x %}", ["{name}", "{% if x %}"]),
        ("Regards, [Your Name]", ["[Your Name]"]),
        ('```json\n{"reply": 1}\n```', ["```json", "```"]),
    ],
)
def test_markup_that_the_customer_would_read_is_found(text, quoted):
    assert quotes(markup(text), text) == quoted


@pytest.mark.parametrize(
    "text",
    ["**Bold** and a list:\n- one\n- two", "R&D; AT&T", "I <3 it, 4 < 5 > 3", "<me@shop.test>", "type `<b>`", "[a](b)"],
)
def test_plain_text_and_markdown_are_no_markup(text):
    assert markup(text) == ()


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Hello Bo. Wir melden uns morgen bei Ihnen. Bye.", ["Wir melden uns morgen bei Ihnen."]),
        ("Le colis sera livré demain.", ["Le colis sera livré demain."]),
        ("Su pedido llegará mañana.", ["Su pedido llegará mañana."]),
        ("Thanks! Мы вернём деньги завтра.", ["Мы вернём деньги завтра."]),
        ("我们会在三天内退款。", ["我们会在三天内退款。"]),
        ("返金は明日行います。", ["返金は明日行います。"]),
        ("سيتم رد المبلغ غدا", ["سيتم رد المبلغ غدا"]),
        ("Aapka paisa kal tak aa jayega.", ["Aapka paisa kal tak aa jayega."]),
        ("It is ready, wir schicken es Ihnen heute, so relax.", ["wir schicken es Ihnen heute"]),
        ("Wir prüfen das. Sie hören morgen von uns.", ["Wir prüfen das. Sie hören morgen von uns."]),
    ],
)
def test_stretches_in_other_languages_are_found(text, quoted):
    assert quotes(language(text), text) == quoted


@pytest.mark.parametrize(
    "text",
    [
        "plz send ur ordr nmbr thx",
        "Send it to Calle de la Luna 5, Madrid, or to Rue de la Paix 12, Paris.",
        "Ask Иван Петров or José de la Cruz.",
        "東京都渋谷区神宮前",
        "We ship by Deutsche Post.",
        "As they say, c'est la vie.",
        "Colours: red, green, blue, black, white, grey, pink, yellow, brown.",
        "Tracking DE-00991-AZ, https://shop.example/la-rue-est-la",
        "",
    ],
)
def test_names_addresses_and_english_with_typos_are_left_alone(text):
    assert language(text) == ()


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("As mentioned before, it is a year.", ["As mentioned before"]),
        ("It is a year, as I said.", ["as I said"]),
        ("We already told you that.", ["We already told you"]),
        ("As per our previous chat it is a year.", ["As per our previous chat"]),
        ("My earlier answer stands.", ["My earlier answer"]),
    ],
)
def test_leaning_on_an_earlier_answer_is_found(text, quoted):
    assert quotes(invokes_earlier_answer(text), text) == quoted


@pytest.mark.parametrize(
    "text",
    ["As you said, it is broken.", "as stated in our policy", "As mentioned above", "It did not work as promised."],
)
def test_leaning_on_something_else_is_left_alone(text):
    assert invokes_earlier_answer(text) == ()


@pytest.mark.parametrize(
    ("selected", "missing", "deciding", "found"),
    [
        ("RET-1", ["received_on"], "received_on", True),
        ("RET-1", ["Received on"], "received_on", True),
        ("RET-1", ["receipt date"], None, True),
        ("RET-1", ["order_number"], "received_on", False),
        ("RET-1", ["order_number"], None, False),
        (None, ["received_on"], "received_on", False),
        ("RET-1", [], "received_on", False),
    ],
)
def test_a_version_selected_without_its_date_is_a_contradiction(selected, missing, deciding, found):
    assert bool(contradictory_fields(selected, missing, deciding)) is found


HOSTILE = ["<a " * 20_000, "{" * 60_000, "as " * 20_000, "hi " * 20_000, "\n" * 60_000, "- " * 30_000, '"' * 60_000,
           "let me rewrite " * 4_000, "wait, " * 10_000, "a." * 30_000, "о" * 60_000, "draft " * 10_000, "`" * 60_000,
           "here is a new, " * 4_000, "ab_cd/" * 10_000, "中的" * 30_000]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:8]))
def test_hostile_repetition_ends(text):
    for check in CHECKS:
        assert len(check(text)) <= 51
