"""A change of the answer that a recorded correction stands behind is no drift; any other is."""

from datetime import UTC, datetime, timedelta

import pytest

from drafts.decisions.drift_corrections import judged
from drafts.decisions.drifting import Answer, Document, DriftRow

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
RECEIVED = [START + timedelta(hours=hour) for hour in range(10)]


def at(hour):
    return START + timedelta(hours=hour)


def row(*given):
    """A row of answers by turn: (turn, answer)."""
    answers = tuple(dict.fromkeys(answer for _turn, answer in given))
    return DriftRow(
        "c-1",
        "warranty_duration",
        2,
        answers,
        tuple(Answer(f"It is {answer}.", turn, answer) for turn, answer in given),
        tuple(Document(answer, "warranty", "1", "2") for answer in answers),
    )


CHANGED = ((1, "24 months"), (3, "12 months"))
QUOTED = ((1, "24 months"), (3, "24 months"), (3, "12 months"), (5, "12 months"))
BACK = (*CHANGED, (5, "24 months"))


@pytest.mark.parametrize(
    ("given", "corrections", "distinct", "corrected"),
    [
        pytest.param(CHANGED, [], 2, 0, id="no-correction"),
        pytest.param(CHANGED, [at(2)], 1, 1, id="corrected-between"),
        pytest.param(CHANGED, [at(1)], 1, 1, id="corrected-at-once"),
        pytest.param(CHANGED, [at(0.5)], 2, 0, id="corrected-before"),
        pytest.param(CHANGED, [at(4)], 2, 0, id="corrected-after"),
        pytest.param(QUOTED, [at(2)], 1, 1, id="the-correction-quotes-what-it-takes-back"),
        pytest.param(QUOTED, [], 2, 0, id="two-answers-in-one-message"),
        pytest.param(BACK, [at(2)], 2, 1, id="taken-back-and-said-again"),
        pytest.param(BACK, [at(2), at(4)], 1, 2, id="corrected-twice"),
        pytest.param((*CHANGED, (5, "lifetime")), [at(2)], 3, 1, id="a-third-without-correction"),
        pytest.param(((1, "24 months"), (1, "12 months"), (3, "12 months")), [at(2)], 2, 0, id="differs-in-the-first"),
        pytest.param(((1, "12 months"), (3, "12 months")), [at(2)], 1, 0, id="never-changed"),
        pytest.param((), [at(2)], 0, 0, id="never-answered"),
    ],
)
def test_only_what_no_correction_joins_is_drift(given, corrections, distinct, corrected):
    found = judged(row(*given), RECEIVED, corrections)

    assert (len(found.row.distinct_answers), found.corrected) == (distinct, corrected)


def test_what_was_taken_back_is_left_out_with_its_sentences_and_documents():
    found = judged(row(*QUOTED), RECEIVED, [at(2)]).row

    assert found.distinct_answers == ("12 months",)
    assert [(one.turn, one.value) for one in found.evidence] == [(3, "12 months"), (5, "12 months")]
    assert [document.answer for document in found.documents] == ["12 months"]
    assert found.times_asked == 2
