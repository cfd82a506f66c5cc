"""Which entry answers a question now, how often it was repeated, and under which facts."""

from itertools import count

import pytest

from ledger.decisions.line import Link, Standing, standing_answers
from ledger.decisions.vocabulary import EntryKind

KEY = "hire_period::tent"


def line(*entries):
    numbers = count(1)
    return [Link(entry_id, next(numbers), EntryKind(kind), KEY, **links) for entry_id, kind, links in entries]


ANSWER = ("a", "ANSWER", {"facts": {"day": "2025-01-01"}})
REPLAY = ("r", "REPLAY", {"replays": "a", "facts": {"size": 4, "day": None}})
CORRECTION = ("c", "CORRECTION", {"supersedes": "a", "facts": {"day": "2025-02-02"}})


@pytest.mark.parametrize(
    ("entries", "standing"),
    [
        pytest.param([], None, id="nothing"),
        pytest.param([ANSWER], Standing("a", 0, {"day": "2025-01-01"}), id="answer"),
        pytest.param([ANSWER, REPLAY], Standing("a", 1, {"day": "2025-01-01", "size": 4}), id="newest-known-facts"),
        pytest.param(
            [ANSWER, REPLAY, ("w", "WITHDRAWAL", {"supersedes": "r", "replays": "a"})],
            Standing("a", 0, {"day": "2025-01-01"}),
            id="an-undone-replay-does-not-count",
        ),
        pytest.param([ANSWER, ("w", "WITHDRAWAL", {"supersedes": "a"})], None, id="withdrawn"),
        pytest.param(
            [ANSWER, ("w", "WITHDRAWAL", {"supersedes": "a"}), ("b", "ANSWER", {"supersedes": "w"})],
            Standing("b", 0, {}),
            id="answered-again",
        ),
        pytest.param(
            [ANSWER, REPLAY, CORRECTION], Standing("c", 0, {"day": "2025-02-02"}), id="corrected-with-its-own-facts"
        ),
        pytest.param(
            [ANSWER, REPLAY, CORRECTION, ("w", "WITHDRAWAL", {"supersedes": "c", "restores": "a"})],
            Standing("a", 1, {"day": "2025-01-01", "size": 4}),
            id="an-undone-correction-brings-the-answer-back",
        ),
    ],
)
def test_the_live_entry(entries, standing):
    assert standing_answers(line(*entries)).get(KEY) == standing


def test_each_key_has_a_line_of_its_own():
    other = Link("b", 2, EntryKind.ANSWER, "hire_period::boat")

    assert {key: s.entry_id for key, s in standing_answers([*line(ANSWER), other]).items()} == {
        KEY: "a", "hire_period::boat": "b",
    }  # fmt: skip
