"""The readable form of a pack: what a lawyer reads in it is words, not the notation of machines."""

import pytest

from drafts.decisions.evidence_markup import in_words
from tests import evidence_help as packs


def read(rows, **changes):
    return packs.documented(packs.records(rows, **changes)).decode()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-11-30", "30 Nov 2026"),
        ("2026-01-05", "5 Jan 2026"),
        ("9999-12-31", "31 Dec 9999"),
        ("2026-13-01", "2026-13-01"),
        ("within 14 days", "within 14 days"),
        ("", ""),
    ],
)
def test_a_day_is_written_in_words_and_all_else_stays(written, expected):
    assert in_words(written) == expected


def test_the_days_of_a_source_and_of_known_facts_are_in_words():
    shown = read(packs.chained({"deciding_facts": {"bought_on": "2026-02-01"}}))

    assert "in force from 1 Jan 2026, without an end" in shown
    assert "bought on: 1 Feb 2026" in shown


@pytest.mark.parametrize(("number", "expected"), [(1, "covers entry 1."), (2, "covers the entries 1, 2.")])
def test_the_entries_of_a_checkpoint_are_counted_in_proper_words(number, expected):
    rows = packs.chained(*[{}] * number)

    shown = read(rows, checkpoints=(packs.sealed(rows),))

    assert expected in shown
    assert "No checkpoint covers" not in shown


def test_entries_that_only_the_chain_protects_are_named():
    rows = packs.chained({}, {}, {})

    assert "No checkpoint covers entry 3 yet; only the chain protects it." in read(
        rows, checkpoints=(packs.sealed(rows[:2]),)
    )
    assert "No checkpoint covers the entries 1, 2, 3 yet; only the chain protects them." in read(rows)
