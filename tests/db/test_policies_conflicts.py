"""Conflicts: opened by an ask, settled among their own versions, closed when their sources stop competing."""

import uuid
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.utils import IntegrityError

from ledger import queries
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.settling import Narrowing
from ledger.decisions.vocabulary import VersionStatus
from ledger.models import Conflict, PolicyVersion
from ledger.services import conflicts
from ledger.services.keys import put_key
from ledger.services.policies import put_version
from ledger.services.settling import Settlement, resolve
from tests.db.ledger_help import BICYCLE, KEY, NOW, published

pytestmark = pytest.mark.django_db
CALENDAR = BusinessCalendar(ZoneInfo("Europe/Lisbon"))
LATER = NOW + timedelta(hours=2)


@pytest.fixture
def terms():
    return published()


@pytest.fixture
def leaflet(terms):
    return published(version="L1")


@pytest.fixture
def olga():
    return User.objects.create(username="olga")


def opened(*versions, channel="chat", now=NOW):
    return conflicts.open_conflict(key=KEY, channel=channel, versions=versions, now=now, calendar=CALENDAR)


def settle(conflict_id, actor, **changes):
    wanted = Settlement(**{"keep": "T1", "retire": ["L1"], "reason": "The leaflet is old.", **changes})
    return resolve(conflict_id=conflict_id, wanted=wanted, actor=actor, now=LATER).view


def status_of(version):
    return queries.document(version.doc_id).versions[0].version.status


def test_a_conflict_is_due_by_closing_time_and_belongs_to_the_keys_owner(terms, leaflet, olga):
    put_key(replace(BICYCLE, owner="olga"), actor=None, now=NOW)

    shown = queries.conflict(opened(terms, leaflet))

    assert (shown.owner, shown.state, shown.due_at) == ("olga", "open", datetime(2026, 5, 4, 17, 0, tzinfo=UTC))
    assert set(shown.versions) == {"T1", "L1"}


def test_later_asks_meet_the_same_conflict_and_add_what_they_found(terms, leaflet):
    third = published(version="B1")

    ids = {opened(terms, leaflet), opened(terms, leaflet, now=LATER), opened(leaflet, third, now=LATER)}

    shown = queries.conflicts(state="open")
    assert [view.id for view in shown] == list(ids)
    assert set(shown[0].versions) == {"T1", "L1", "B1"}


def test_an_ask_opens_the_conflict_with_all_that_competes_for_other_dates_too(terms, olga):
    leaflet = published(version="L1")
    later = published(version="T2", doc_id=terms.doc_id, effective_from=date(2026, 9, 1))

    found = queries.conflict(opened(terms, leaflet))

    assert set(found.versions) == {"T1", later.version, "L1"}
    with pytest.raises(conflicts.ConflictNotSettled, match=r"L1 would still answer .* 1 Jan 2026 on, beside T1"):
        settle(found.id, olga, keep="T2", retire=[], narrow=[Narrowing("L1", effective_until=date(2026, 9, 1))])


def test_keeping_one_retires_the_other(terms, leaflet, olga):
    settled = settle(opened(terms, leaflet), olga)

    assert (settled.state, settled.kept, settled.resolved_by, settled.reason) == (
        "resolved", "T1", "olga", "The leaflet is old.",
    )  # fmt: skip
    assert (status_of(terms), status_of(leaflet)) == (VersionStatus.ACTIVE, VersionStatus.RETIRED)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"reason": " \u200b"}, "reason"),
        ({"keep": "T9"}, "keep"),
        ({"retire": ["L1", "T9"]}, "retire[1]"),
        ({"retire": ["T1", "L1"]}, "retire"),
        ({"retire": []}, "retire"),
    ],
)
def test_a_settlement_that_settles_nothing_is_refused_and_changes_nothing(terms, leaflet, olga, changes, field):
    conflict_id = opened(terms, leaflet)

    with pytest.raises(conflicts.ConflictNotSettled) as refused, transaction.atomic():
        settle(conflict_id, olga, **changes)

    assert refused.value.field == field
    assert queries.conflict(conflict_id).state == "open"
    assert status_of(leaflet) is VersionStatus.ACTIVE


def test_only_versions_of_the_conflict_can_be_retired(terms, leaflet, olga):
    bystander = published(version="B1", channels=frozenset({"counter"}))

    with pytest.raises(conflicts.ConflictNotSettled, match="B1"):
        settle(opened(terms, leaflet), olga, retire=["L1", "B1"])

    assert status_of(bystander) is VersionStatus.ACTIVE


def test_what_was_retired_already_cannot_be_kept(terms, leaflet, olga):
    conflict_id = opened(terms, leaflet)
    put_version(replace(terms, status=VersionStatus.RETIRED), actor=None, now=NOW)

    with pytest.raises(conflicts.ConflictNotSettled, match="not active"):
        settle(conflict_id, olga)


def test_a_settled_conflict_is_not_settled_again(terms, leaflet, olga):
    conflict_id = opened(terms, leaflet)
    settle(conflict_id, olga)

    with pytest.raises(conflicts.ConflictNotSettled) as refused:
        settle(conflict_id, olga)

    assert refused.value.field == "state"


def test_an_unknown_conflict_is_unknown(olga):
    with pytest.raises(Conflict.DoesNotExist):
        settle(uuid.uuid4(), olga)


def test_versions_that_share_a_name_are_told_apart_by_their_document(terms, olga):
    twin = published()
    conflict_id = opened(terms, twin)
    names = {f"{terms.doc_id}/T1", f"{twin.doc_id}/T1"}
    assert set(queries.conflict(conflict_id).versions) == names

    with pytest.raises(conflicts.ConflictNotSettled):
        settle(conflict_id, olga, keep="T1", retire=[])
    settle(conflict_id, olga, keep=f"{terms.doc_id}/T1", retire=[f"{twin.doc_id}/T1"])

    assert status_of(twin) is VersionStatus.RETIRED


def test_settling_one_channel_closes_the_other_channels_conflict_as_obsolete(terms, leaflet, olga):
    by_chat, by_mail = opened(terms, leaflet), opened(terms, leaflet, channel="mail")

    settle(by_chat, olga)

    assert [queries.conflict(c).state for c in (by_chat, by_mail)] == ["resolved", "obsolete"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"status": VersionStatus.RETIRED}, id="retired"),
        pytest.param({"channels": frozenset({"counter"})}, id="another-channel"),
        pytest.param({"statements": ()}, id="another-subject"),
        pytest.param({"effective_from": date(2024, 1, 1), "effective_until": date(2025, 1, 1)}, id="narrowed"),
    ],
)
def test_sources_that_stop_competing_close_the_conflict(terms, leaflet, change):
    conflict_id = opened(terms, leaflet)
    assert conflicts.close_obsolete(now=LATER) == ()

    put_version(replace(leaflet, **change), actor=None, now=LATER)

    assert conflicts.close_obsolete(now=LATER) == (conflict_id,)
    assert queries.conflict(conflict_id).resolved_at == LATER


def test_a_clock_that_is_behind_still_closes_and_settles(terms, leaflet, olga):
    """Web and workers may stand on machines whose clocks differ."""
    settled = opened(terms, leaflet, now=LATER + timedelta(hours=1))
    settle(settled, olga)

    assert queries.conflict(settled).state == "resolved"
    put_version(replace(leaflet, status=VersionStatus.ACTIVE), actor=None, now=LATER)
    flared = opened(terms, leaflet, now=LATER + timedelta(hours=1))
    put_version(replace(leaflet, status=VersionStatus.RETIRED), actor=None, now=LATER)
    assert conflicts.close_obsolete(now=LATER) == (flared,)


def test_a_conflict_that_flares_up_again_is_a_new_one(terms, leaflet, olga):
    first = opened(terms, leaflet)
    settle(first, olga)
    put_version(leaflet, actor=None, now=LATER)

    assert opened(terms, leaflet, now=LATER) != first


@pytest.mark.parametrize(
    "change",
    [
        "state = 'resolved'",
        "state = 'resolved', resolved_at = now() + interval '1 year', reason = 'Because.'",
        "state = 'obsolete'",
        "reason = 'Because.'",
        "state = 'shelved'",
        "state = 'obsolete', resolved_at = opened_at - interval '1 second'",
        "state = 'resolved', resolved_at = opened_at, resolved_by_id = {olga}, kept_id = {terms}",
        "state = 'resolved', resolved_at = opened_at, resolved_by_id = {olga}, kept_id = {terms}, reason = '\u200b'",
    ],
)
def test_a_state_without_its_outcome_is_refused(terms, leaflet, olga, change):
    opened(terms, leaflet)
    change = change.format(olga=olga.pk, terms=PolicyVersion.objects.get(document=terms.doc_id).pk)

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE ledger_conflict SET {change}")


def test_a_key_has_one_open_conflict_on_a_channel(terms, leaflet):
    opened(terms, leaflet)

    with pytest.raises(IntegrityError), transaction.atomic():
        Conflict.objects.create(question_key_id=KEY, channel="chat", opened_at=NOW, due_at=NOW)
