"""Deadlines and bounded numbers in words."""

from datetime import UTC, datetime, timedelta

import pytest

from console.views import source_words
from console.views.source_words import due_in_words, in_a_list
from ledger.decisions.differences import Agreement
from ledger.decisions.facts import FactKind
from ledger.decisions.vocabulary import CommitmentClass, DocumentKind, VersionStatus

NOW = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("away", "told"),
    [
        (timedelta(days=3, hours=5), "due in 3 days"),
        (timedelta(days=1), "due in 1 day"),
        (timedelta(hours=2, minutes=59), "due in 2 hours"),
        (timedelta(minutes=5), "due in 5 minutes"),
        (timedelta(0), "due in 1 minute"),
        (timedelta(seconds=-1), "overdue by 1 minute"),
        (timedelta(hours=-1), "overdue by 1 hour"),
        (timedelta(days=-2), "overdue by 2 days"),
    ],
)
def test_a_deadline_is_said_in_words(away, told):
    assert due_in_words(NOW + away, NOW) == told


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 drafts"), (1, "1 draft"), (7, "7 drafts"), (1000, "1,000 drafts"), (1001, "more than 1,000 drafts")],
)
def test_a_number_is_told_up_to_its_bound(count, told):
    assert in_a_list(count, 1000, "draft", "drafts") == told


@pytest.mark.parametrize(
    ("words", "enum"),
    [
        (source_words.KINDS, DocumentKind),
        (source_words.STATUSES, VersionStatus),
        (source_words.CLASSES, CommitmentClass),
        (source_words.VALUES, FactKind),
        (source_words.AGREEMENTS, Agreement),
    ],
)
def test_every_state_has_words(words, enum):
    assert set(words) == set(enum)
