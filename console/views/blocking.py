"""The list of what stands in the way, each with its place, the record's word on it, and what one press can do."""

from collections.abc import Mapping
from dataclasses import dataclass

from console.views import words
from console.views.fixes import Fix, Lead, fixes_for, lead_for
from console.views.highlight import plain
from console.views.panels import Reading, sure_claims
from console.views.shapes import AnalysisShape, ClaimShape, FindingShape
from drafts.decisions.blockers import SETTLED_BY_A_PERSON
from drafts.decisions.structure import Piece
from drafts.decisions.vocabulary import Verdict


@dataclass(frozen=True, slots=True)
class Settle:
    """How a person says that a blocker is none: `value` is what the button sends, `typed` the reason so far."""

    value: str
    question: str
    label: str
    press: str
    typed: str


@dataclass(frozen=True, slots=True)
class BlockerRow:
    """One reason why the text cannot be approved; `note` is the number under which the panel beside tells more."""

    number: int
    note: int | None
    anchor: str | None
    name: str
    message: tuple[Piece, ...]
    fixes: tuple[Fix, ...]
    lead: Lead | None
    settle: Settle | None


def blocker_rows(
    analysis: AnalysisShape, reading: Reading, text: str, typed: Mapping[str, str]
) -> tuple[BlockerRow, ...]:
    """Return the rows in the order of the analysis; `typed` holds reasons by the value that settles a blocker."""
    notes = _Notes(analysis, text)
    anchors = {mark.number: mark.anchor for mark in reading.marks}
    rows = []
    for number, blocker in enumerate(analysis["blocked_by"], 1):
        note, claim = notes.of(blocker)
        rows.append(
            BlockerRow(
                number=number,
                note=note,
                anchor=anchors.get(note) if note else None,
                name=words.finding_name(blocker["code"]),
                message=plain(blocker["message"]),
                fixes=fixes_for(blocker, analysis, text),
                lead=lead_for(blocker["code"], analysis),
                settle=_settle(blocker, claim, typed),
            )
        )
    return tuple(rows)


def _settle(blocker: FindingShape, claim: ClaimShape | None, typed: Mapping[str, str]) -> Settle | None:
    if claim is not None:
        value = f"{claim['class']}:{claim['start']}:{claim['end']}"
        question, label, press = "It is no claim, because…", "Why this is not a claim", "Mark as no claim"
    elif blocker["code"] in SETTLED_BY_A_PERSON:
        start, end = blocker["start"], blocker["end"]
        value = f"{blocker['code']}:{'' if start is None else start}:{'' if end is None else end}"
        question, label, press = "It may stay, because…", "Why this may stay", "Mark as looked at"
    else:
        return None
    return Settle(value, question, label, press, typed.get(value, ""))


class _Notes:
    """Finds the note that tells more about a blocker; of several claims on one stretch each is used once."""

    def __init__(self, analysis: AnalysisShape, text: str) -> None:
        self._findings = {_identity(f): n for n, f in enumerate(analysis["findings"], 1)}
        numbered = enumerate(sure_claims(analysis, text), len(analysis["findings"]) + 1)
        self._claims = [(n, c) for n, c in numbered if c["verdict"] != Verdict.SUPPORTED]

    def of(self, blocker: FindingShape) -> tuple[int | None, ClaimShape | None]:
        """Return the number of the note and, where it is one, the claim."""
        if not blocker["code"].startswith("claim_"):
            return self._findings.get(_identity(blocker)), None
        here = [one for one in self._claims if (one[1]["start"], one[1]["end"]) == (blocker["start"], blocker["end"])]
        if not here:
            return None, None
        self._claims.remove(here[0])
        return here[0]


def _identity(finding: FindingShape) -> tuple[str, str, int | None, int | None]:
    return finding["code"], finding["message"], finding["start"], finding["end"]
