"""What publishing would mean, before anybody publishes."""

from dataclasses import replace
from datetime import date

import pytest

from ledger.decisions.policies import Refused, competing, plan_version
from ledger.decisions.previewing import fingerprint, predecessor, preview, told, without
from ledger.decisions.sending import Malformed, check_version
from ledger.decisions.vocabulary import DocumentKind, Statement, Version, VersionStatus

PERIOD, PRICE = "hire_period::tent", "hire_price::tent"
JAN, JUN = date(2025, 1, 1), date(2025, 6, 1)
OLD = Version(
    doc_id="hire",
    version="H1",
    title="Hire terms",
    kind=DocumentKind.OWN_POLICY,
    channels=frozenset({"chat", "counter"}),
    deciding_date="collected_on",
    effective_from=JAN,
    effective_until=None,
    status=VersionStatus.ACTIVE,
    statements=(Statement(PERIOD, "1", "A tent is hired for 5 days."), Statement(PRICE, "2", "It costs 30 euros.")),
)
NEW = replace(
    OLD, version="H2", effective_from=JUN, channels=frozenset({"chat"}), status=VersionStatus.ACTIVE,
    statements=(Statement(PERIOD, "1", "A tent is hired for 7 days."),),
)  # fmt: skip
SHEET = replace(OLD, doc_id="sheet", version="S1", kind=DocumentKind.THIRD_PARTY)
CLUB = replace(OLD, doc_id="club", version="C1")


def meant(version=NEW, *, others=(OLD,), elsewhere=(), stored=None):
    return preview(version, stored=stored, others=others, elsewhere=elsewhere)


def test_a_preview_names_the_predecessor_and_the_day_it_ends():
    found = meant()

    assert found.predecessor == OLD
    assert [(v.version, v.effective_until) for v in found.plan.closes] == [("H1", JUN)]


def test_a_preview_tells_what_becomes_of_fields_passages_and_values():
    found = meant()

    assert [(one.field, one.before, one.after) for one in found.fields] == [
        ("channels", "chat, counter", "chat"),
        ("effective_from", "2025-01-01", "2025-06-01"),
    ]
    assert [(one.question_key, one.before is None, one.after is None) for one in found.passages] == [
        (PERIOD, False, False),
        (PRICE, False, True),
    ]
    assert told(found) == (
        "follows H1",
        "channels: chat, counter -> chat",
        "effective_from: 2025-01-01 -> 2025-06-01",
        f"{PERIOD}: the passage changes: 5 days / 7 days",
        f"{PRICE}: no longer answered",
    )


def test_a_first_version_has_nothing_before_it():
    found = meant(others=())

    assert (found.predecessor, found.fields, found.plan.closes) == (None, (), ())
    assert told(found) == (f"{PERIOD}: answered",)


def test_a_preview_names_the_rivals_of_each_key():
    found = meant(elsewhere=(CLUB, SHEET))

    assert [(one.question_key, [v.doc_id for v in one.rivals]) for one in found.contests] == [(PERIOD, ["club"])]
    assert told(found)[-1] == f"{PERIOD} is also answered by club/C1"


def test_a_third_partys_sheet_is_a_rival_only_where_it_is_permitted():
    found = meant(elsewhere=(replace(SHEET, permitted=True),))

    assert [v.doc_id for v in found.contests[0].rivals] == ["sheet"]
    assert competing([OLD, SHEET], PERIOD) == ()
    assert len(competing([OLD, replace(SHEET, permitted=True)], PERIOD)) == 2


def test_what_cannot_be_stored_cannot_be_previewed():
    assert isinstance(meant(replace(NEW, effective_from=JAN)), Refused)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"others": (replace(OLD, effective_until=date(2025, 3, 1)),)}, id="predecessor-ends-elsewhere"),
        pytest.param({"elsewhere": (CLUB,)}, id="a-rival-appears"),
        pytest.param({"version": replace(NEW, title="Other")}, id="the-draft-changes"),
        pytest.param({"version": replace(NEW, body="A tent is hired for 7 days.")}, id="the-text-changes"),
    ],
)
def test_another_meaning_has_another_digest(change):
    assert meant(**change).digest != meant().digest
    assert meant().digest == meant().digest


def test_a_change_of_a_rival_changes_the_digest():
    other = replace(CLUB, statements=(Statement(PERIOD, "1", "A tent is hired for 9 days."),))

    assert meant(elsewhere=(CLUB,)).digest != meant(elsewhere=(other,)).digest


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ((OLD,), "H1"),
        ((replace(OLD, status=VersionStatus.DRAFT),), None),
        ((replace(OLD, status=VersionStatus.RETIRED),), "H1"),
        ((replace(OLD, effective_from=JUN),), None),
        ((OLD, replace(OLD, version="H0", effective_from=date(2025, 3, 1), channels=frozenset({"fax"}))), "H1"),
        ((OLD, replace(OLD, version="H0", effective_from=date(2024, 1, 1))), "H1"),
    ],
)
def test_the_predecessor_is_the_latest_published_one_before_on_a_shared_channel(others, expected):
    found = predecessor(NEW, others)

    assert (found.version if found else None) == expected


@pytest.mark.parametrize(
    ("remaining", "left"),
    [
        ((OLD,), (PERIOD, PRICE)),
        ((OLD, CLUB), ()),
        ((OLD, replace(CLUB, channels=frozenset({"chat"}))), (PERIOD, PRICE)),
        ((OLD, replace(CLUB, effective_until=JUN)), (PERIOD, PRICE)),
        ((OLD, SHEET), (PERIOD, PRICE)),
        ((OLD, replace(SHEET, permitted=True)), ()),
        ((OLD, replace(CLUB, status=VersionStatus.RETIRED)), (PERIOD, PRICE)),
    ],
)
def test_keys_are_left_without_a_source_where_nothing_else_answers_on_every_channel(remaining, left):
    assert tuple(one.question_key for one in without(OLD, remaining, JUN) if one.left_on) == left


def test_who_answers_without_a_version_is_named_with_the_channels_that_nobody_answers_on():
    partly = replace(CLUB, channels=frozenset({"chat", "post"}))

    period, price = without(OLD, (OLD, partly, SHEET), JUN)

    assert (period.heirs, period.left_on) == ((partly,), ("counter",))
    assert (price.heirs, price.left_on) == ((partly,), ("counter",))


def test_a_fingerprint_stands_for_everything_a_version_says():
    changed = [replace(OLD, title="x"), replace(OLD, body="x"), replace(OLD, statements=()), replace(OLD, version="x")]

    assert len({fingerprint(version) for version in (OLD, *changed)}) == 5


def plan(sent, stored):
    return plan_version(sent, stored=stored, others=(), in_use=False, document_in_use=False)


@pytest.mark.parametrize(
    ("sent", "body"),
    [
        pytest.param(None, "A tent is hired\nfor 5 days. It costs 30 euros.", id="left-out-keeps-it"),
        pytest.param("", None, id="empty-takes-it-away"),
        pytest.param("A tent is hired for 5 days. It costs 30 euros!", "A tent is hired for 5 days. It costs 30 euros!",
                     id="given-replaces-it"),
    ],
)  # fmt: skip
def test_a_whole_text_is_kept_where_a_version_is_sent_without_one(sent, body):
    stored = replace(OLD, body="A tent is hired\nfor 5 days. It costs 30 euros.")

    assert plan(replace(OLD, body=sent), stored).version.body == body


def test_a_whole_text_in_which_the_passages_no_longer_stand_is_not_kept():
    stored = replace(NEW, body="A tent is hired for 7 days.")
    sent = replace(NEW, statements=(Statement(PERIOD, "1", "A tent is hired for 9 days."),))

    assert plan(sent, stored).version.body is None


def test_permission_is_kept_and_never_sent():
    permitted = replace(SHEET, permitted=True)

    assert plan(SHEET, permitted).version.permitted
    assert not plan(permitted, SHEET).version.permitted
    assert not plan(replace(SHEET, kind=DocumentKind.OWN_POLICY), permitted).version.permitted


def test_the_whole_text_of_a_version_in_use_stays():
    stored = replace(NEW, body="A tent is hired for 7 days.")
    sent = replace(stored, body="A tent is hired for 7 days. Bring your card.")

    refused = plan_version(sent, stored=stored, others=(), in_use=True, document_in_use=True)

    assert isinstance(refused, Refused)
    assert refused.field == "body"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("A tent is hired for 7  \n days.", None),
        ("A tent is hired for 8 days.", "statements[0].text"),
        ("A tent is hired for 7 days.\x00", "body"),
        ("A tent is hired for 7 days." + "x" * 65_536, "body"),
    ],
)
def test_each_passage_stands_in_the_whole_text(body, field):
    if field is None:
        check_version(replace(NEW, body=body))
        return
    with pytest.raises(Malformed) as malformed:
        check_version(replace(NEW, body=body))

    assert malformed.value.field == field
