"""The log of corrections: what it shows, how it is narrowed, and the file for a spreadsheet."""

import csv
import io
import json
import re
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains

from drafts import representations
from drafts.models import Conversation, Correction
from drafts.services import correcting
from drafts.services.correcting import CorrectionWanted
from tests import builders
from tests.web.conftest import signed_in

QUERIES = 13
NEW_ANSWER = "You can return an unused lamp within 14 days of receipt."
LOG, FILE = "/corrections/", "/corrections.csv"
JSON, PAPER, CHART = "/corrections.json", "/corrections/print", "/corrections/chart.svg"
FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", " =1+1", "\n=1", "＝1+1", '=HYPERLINK("http://example.org")')


@pytest.fixture
def conversation(policy, agent):
    """A customer who was answered."""
    return builders.item(conversation=builders.locked(agent)).conversation


@pytest.fixture
def correct(conversation, manager):
    """Correct the answer of one customer, or of another one who is named."""

    def correct_one(new_answer=NEW_ANSWER, *, owner="owner", reason="Wrong before.", name=conversation.external_id):
        return correcting.correct(
            conversation_id=name,
            question_key=builders.RETURN_KEY,
            wanted=CorrectionWanted(new_answer, reason, owner),
            actor=manager,
            now=timezone.now(),
            calendar=builders.calendar(),
        )

    return correct_one


def many(number, like, **changes):
    """Store copies of a correction, each a minute older than the one before."""
    rows = [
        Correction(
            entry_id=uuid.uuid4(),
            **{
                "conversation": like.conversation,
                "question_key": like.question_key,
                "old_text": like.old_text,
                "new_text": like.new_text,
                "message": like.message,
                "reason": f"Copy number {place:05}.",
                "owner": like.owner,
                "corrected_by": like.corrected_by,
                "corrected_at": like.corrected_at - timedelta(minutes=place),
                **changes,
            },
        )
        for place in range(1, number + 1)
    ]
    return Correction.objects.bulk_create(rows)


def reasons(response):
    return re.findall(r"<dt>Reason</dt><dd><bdi>(.*?)</bdi>", response.text)


def link(response, rel):
    return re.search(rf'<a href="([^"]+)" rel="{rel}"', response.text).group(1).replace("&amp;", "&")


def rows_of(response):
    """Read the file as a spreadsheet would."""
    content = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content, newline="")))


def test_a_row_tells_everything(console, correct, conversation, manager, owner):
    correct()

    response = console.get(LOG)

    assert reasons(response) == ["Wrong before."]
    for wanted in (
        "How long after receipt can an item be returned?",
        reverse("conversation", args=[conversation.pk]),
        manager.get_full_name(),
        owner.get_full_name(),
        "Returns in the online store",
        "version <bdi>RET-1</bdi>",
        "In force from",
        "The message to the customer",
        "That answer was wrong and we withdraw it",
    ):
        assertContains(response, wanted)


def test_old_and_new_text_are_compared_word_by_word(console, correct):
    correct()

    response = console.get(LOG)

    shown = re.search(r'<div class="text diff"><bdi class="letter">(.*?)</bdi>', response.text).group(1)
    shown = re.sub(r"<span class=\"visually-hidden\">.*?</span>", "", shown)
    old, new = re.sub(r"<ins>.*?</ins>", "", shown), re.sub(r"<del>.*?</del>", "", shown)
    assert re.sub(r"</?del>", "", old) == builders.PASSAGE
    assert re.sub(r"</?ins>", "", new) == NEW_ANSWER
    assert "within 14 days of receipt." in re.sub(r"<(del|ins)>.*?</\1>", "", shown)


def test_a_long_reason_is_cut_where_reasons_are_counted_and_can_be_opened(console, correct):
    correct(reason=f"{'a' * 160}{'b' * 2_800}")

    counted = console.get(LOG).text.partition("By reason")[2].partition("</table>")[0]

    assert f"<bdi>{'a' * 160}…</bdi><details" in counted
    assert f"…{'b' * 2_800}</bdi></details>" in counted


def test_the_newest_stands_first_and_pages_lead_on(console, correct):
    many(59, correct())

    first = console.get(LOG)
    second = console.get(LOG + link(first, "next"))
    third = console.get(LOG + link(second, "next"))

    assert [len(reasons(page)) for page in (first, second, third)] == [25, 25, 10]
    found = [*reasons(first), *reasons(second), *reasons(third)]
    assert found == ["Wrong before.", *(f"Copy number {n:05}." for n in range(1, 60))]
    assert 'rel="next"' not in third.text


def test_rows_of_one_instant_are_neither_lost_nor_shown_twice(console, correct):
    made = correct()
    many(39, made, corrected_at=made.corrected_at)

    first = console.get(LOG)
    second = console.get(LOG + link(first, "next"))

    assert len({*reasons(first), *reasons(second)}) == 40


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        pytest.param({}, 3, id="none"),
        pytest.param({"owner": "owner"}, 2, id="owner"),
        pytest.param({"owner": "agent"}, 1, id="other-owner"),
        pytest.param({"key": builders.RETURN_KEY}, 3, id="key"),
        pytest.param({"source": "returns"}, 3, id="source"),
        pytest.param({"q": "SECOND"}, 1, id="reason"),
        pytest.param({"q": "100%"}, 1, id="a-wildcard-is-a-letter"),
        pytest.param({"q": "nothing like it"}, 0, id="no-match"),
        pytest.param({"since": "2020-01-01", "until": "2999-12-31"}, 3, id="wide-span"),
        pytest.param({"until": "2020-01-01"}, 0, id="too-early"),
        pytest.param({"owner": "owner", "q": "second"}, 0, id="both"),
        pytest.param({"since": "", "until": "", "key": "", "q": ""}, 3, id="empty"),
    ],
)
def test_filters_hold_on_screen_and_in_the_file(console, correct, asked, count):
    correct(reason="The first.")
    correct("An unused lamp may be returned within 14 days of receipt.", owner="agent", reason="A second one.")
    correct(reason="100% wrong.")

    assert len(reasons(console.get(LOG, asked))) == count
    assert len(rows_of(console.get(FILE, asked))) == count


def test_a_day_is_a_day_of_the_organisation(console, correct, settings):
    settings.TIME_ZONE = "Pacific/Auckland"
    in_auckland_the_second = datetime(2025, 3, 1, 12, 30, tzinfo=UTC)
    many(1, correct(), corrected_at=in_auckland_the_second)

    for since, until, count in (
        ("2025-03-02", "2025-03-02", 1),
        ("2025-03-01", "2025-03-01", 0),
        ("", "2025-03-01", 0),
        ("2025-03-02", "2026-01-01", 1),
    ):
        assert len(reasons(console.get(LOG, {"since": since, "until": until}))) == count


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        pytest.param({"since": "01.02.2026"}, "Write the day as year-month-day", id="not-a-day"),
        pytest.param({"since": "2026-02-30"}, "Write the day as year-month-day", id="no-such-day"),
        pytest.param({"until": "9999-12-31"}, "Choose a day between 1 Jan 1970 and 31 Dec 2999.", id="too-late"),
        pytest.param({"since": "2026-02-02", "until": "2026-02-01"}, "lies before the first one", id="backwards"),
        pytest.param({"owner": "nobody"}, "Nothing in the log has this.", id="unknown-owner"),
        pytest.param({"q": "x\x00y"}, "Null characters", id="null-character"),
    ],
)
def test_what_is_not_understood_is_told_and_gives_no_file(console, correct, asked, told):
    correct()

    page, file = console.get(LOG, asked), console.get(FILE, asked)

    assertContains(page, told, status_code=422)
    assert reasons(page) == []
    assertContains(file, told, status_code=400)


@pytest.mark.parametrize("cursor", ["x", "2026-01-01_x", "2026-01-01T00:00:00_" + "0" * 32, "_", "\x00"])
def test_a_place_that_is_not_understood_is_the_beginning(console, correct, cursor):
    correct()

    assert reasons(console.get(LOG, {"before": cursor})) == ["Wrong before."]


def test_an_empty_log_says_so(console, db):
    assertContains(console.get(LOG), "Nothing was corrected yet")


def test_a_log_in_which_nothing_matches_says_so(console, correct):
    correct()

    assertContains(console.get(LOG, {"q": "something else"}), "Nothing matches")


def test_a_correction_that_was_undone_is_shown_as_such(console, correct):
    made = correct()
    Correction.objects.filter(pk=made.pk).update(withdrawn_at=timezone.now(), withdrawn_because="Too early.")

    response = console.get(LOG)

    assertContains(response, "Undone before it left")
    assertContains(response, "Too early.")
    assertContains(response, "The message that did not leave")
    row = rows_of(console.get(FILE))[0]
    assert row["withdrawn_at"]
    assert row["withdrawn_because"] == "Too early."


def test_the_file_names_every_column_and_holds_every_value(console, correct, conversation, manager, owner):
    made = correct()

    row = rows_of(console.get(FILE))[0]

    assert row == {
        "correction_id": str(made.pk),
        "corrected_at": timezone.localtime(made.corrected_at).isoformat(timespec="seconds"),
        "conversation_id": conversation.external_id,
        "customer_id": "customer-1",
        "question_key": builders.RETURN_KEY,
        "question": "How long after receipt can an item be returned?",
        "old_text": builders.PASSAGE,
        "new_text": NEW_ANSWER,
        "reason": "Wrong before.",
        "owner": "owner",
        "owner_name": owner.get_full_name(),
        "corrected_by": "manager",
        "corrected_by_name": manager.get_full_name(),
        "message_to_customer": made.message,
        "source_document": "returns",
        "source_title": "Returns in the online store",
        "source_version": "RET-1",
        "source_section": "2",
        "source_effective_from": "2026-01-01",
        "source_effective_until": "",
        "ledger_entry_id": str(made.entry_id),
        "review_item_id": "",
        "outside_message_id": "",
        "withdrawn_at": "",
        "withdrawn_because": "",
    }


def test_the_file_begins_with_a_byte_order_mark_and_has_a_dated_name(console, correct):
    correct()

    response = console.get(FILE, {"since": "2026-01-01", "until": "2999-01-31"})

    assert b"".join(response.streaming_content).startswith(b"\xef\xbb\xbfcorrection_id,")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="corrections-from-2026-01-01-to-2999-01-31.csv"'
    today = timezone.localdate().isoformat()
    assert f"corrections-to-{today}.csv" in console.get(FILE)["Content-Disposition"]


@pytest.mark.parametrize("hostile", FORMULAS)
def test_no_cell_can_be_taken_for_a_formula(console, correct, hostile):
    conversation = Conversation.objects.create(
        external_id=builders.unique(hostile), customer_id=hostile, created_at=timezone.now()
    )
    many(
        1,
        correct(),
        conversation=conversation,
        reason=f"{hostile}x",
        old_text=hostile,
        new_text=hostile,
        message=hostile,
    )

    row = rows_of(console.get(FILE))[1]

    for column in ("reason", "old_text", "new_text", "message_to_customer", "customer_id", "conversation_id"):
        assert row[column].startswith(f"'{hostile}"), column
    assert not [value for value in row.values() if value.lstrip().startswith(("=", "+", "-", "@", "＝"))]


def test_quotes_commas_and_lines_stay_in_their_cell(console, correct):
    reason = 'He said "no", twice;\nand\r\nthen\t"yes", 🙂\u202e'
    many(1, correct(), reason=reason)

    rows = rows_of(console.get(FILE))

    assert [row["reason"] for row in rows] == ["Wrong before.", reason]


def test_a_long_log_is_sent_whole_and_while_it_is_read(console, correct):
    many(2999, correct())

    response = console.get(FILE)
    with CaptureQueriesContext(connection) as queries:
        lines = iter(response.streaming_content)
        head = next(lines)
        assert not queries.captured_queries  # nothing was read before the first line had left
        rest = b"".join(lines)

    assert response.streaming
    found = list(csv.DictReader(io.StringIO((head + rest).decode("utf-8-sig"), newline="")))
    assert [row["reason"] for row in found] == ["Wrong before.", *(f"Copy number {n:05}." for n in range(1, 3000))]
    assert len(queries.captured_queries) == 7  # 500 rows each, so that no time limit can cut the file short


def test_a_page_takes_as_many_queries_for_many_rows_as_for_one(console, correct, django_assert_max_num_queries):
    many(300, correct())

    with django_assert_max_num_queries(QUERIES):
        console.get(LOG)


def test_the_link_to_the_file_keeps_the_filters(console, correct):
    correct()

    response = console.get(LOG, {"owner": "owner", "q": "wrong & more"})
    found = console.get(LOG, {"owner": "owner"})

    assertContains(response, "Nothing matches")
    assertContains(found, f'href="{FILE}?owner=owner"')


def test_words_of_the_reason_are_looked_for_one_by_one(console, correct):
    correct(reason="A colleague read the wrong page.")

    assert len(reasons(console.get(LOG, {"q": "page colleague"}))) == 1
    assert reasons(console.get(LOG, {"q": "page manager"})) == []


def test_the_log_is_counted_by_owner_and_reason_and_drawn_by_week(console, correct):
    made = correct()
    many(9, made, corrected_at=made.corrected_at - timedelta(weeks=3), reason="The same reason.")

    response = console.get(LOG)
    chart = console.get(CHART)

    assertContains(response, "10 corrections")
    assertContains(response, "The same reason.</bdi></th><td>9</td>")
    assertContains(response, f'src="{CHART}"')
    assert (chart.status_code, chart["Content-Type"]) == (200, "image/svg+xml")
    assert b"<svg" in chart.content


def test_numbers_and_chart_follow_the_filters(console, correct):
    made = correct()
    many(9, made, corrected_at=made.corrected_at - timedelta(weeks=3), reason="The same reason.")

    response = console.get(LOG, {"q": "same"})

    assertContains(response, "9 corrections")
    assert console.get(CHART, {"since": "x"}).status_code == 400
    assert console.get(CHART, {"q": "nothing like it"}).status_code == 200


def test_the_json_file_holds_every_row_as_the_api_gives_it(console, correct):
    made = correct()
    many(1200, made)

    response = console.get(JSON, {"q": "Wrong Copy"})
    whole = json.loads(b"".join(console.get(JSON).streaming_content))

    assert json.loads(b"".join(response.streaming_content)) == {"items": []}
    assert len(whole["items"]) == 1201
    assert whole["items"][0] == representations.correction(made)


def test_the_page_for_paper_holds_every_row_and_is_sent_while_it_is_read(console, correct):
    many(60, correct())

    response = console.get(PAPER, {"owner": "owner"})
    text = b"".join(response.streaming_content).decode()

    assert response.streaming
    assert text.count('<li class="printed-row">') == 61
    assert text.rstrip().endswith("</html>")
    assert "Owner: <bdi>owner</bdi>" in text


def test_one_correction_has_a_page_of_its_own(console, correct, conversation):
    made = correct()

    response = console.get(reverse("correction", args=[made.pk]))

    for wanted in (builders.PASSAGE, NEW_ANSWER, "Wrong before.", reverse("conversation", args=[conversation.pk])):
        assertContains(response, wanted)
    assert console.get(reverse("correction", args=[uuid.uuid4()])).status_code == 404


def test_the_log_can_be_narrowed_to_one_conversation(console, correct, conversation):
    correct()

    response = console.get(LOG, {"conversation": conversation.external_id})

    assertContains(response, "Only corrections of the conversation")
    assert reasons(response) == ["Wrong before."]
    assert reasons(console.get(LOG, {"conversation": "another"})) == []


def test_the_newest_are_found_by_their_index(console, correct):
    made = correct()
    many(3000, made)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE drafts_correction")
        cursor.execute("EXPLAIN SELECT * FROM drafts_correction ORDER BY corrected_at DESC, id LIMIT 26")
        plan = "\n".join(row[0] for row in cursor.fetchall())

    assert "correction_newest" in plan, plan


@pytest.mark.parametrize("url", [JSON, PAPER, CHART])
def test_what_the_filters_cannot_mean_gives_no_file(console, correct, url):
    assertContains(console.get(url, {"since": "x"}), "Write the day", status_code=400)


@pytest.mark.parametrize("url", [LOG, FILE, JSON, PAPER, CHART])
def test_whoever_has_no_role_is_refused(django_user_model, correct, url):
    correct()
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assertContains(client.get(url), "no role yet", status_code=403)


@pytest.mark.parametrize("url", [LOG, FILE, JSON, PAPER, CHART])
def test_strangers_are_sent_to_log_in(client, db, url):
    assert client.get(url).url.startswith(reverse("login"))


@pytest.mark.parametrize("url", [LOG, FILE, JSON, PAPER, CHART])
def test_the_log_is_read_and_never_posted_to(console, db, url):
    assert console.post(url).status_code == 405


def test_nothing_of_the_log_is_kept_by_a_cache(console, correct):
    correct()

    assert console.get(LOG)["Cache-Control"] == "no-store"
    assert console.get(FILE)["Cache-Control"] == "no-store"
