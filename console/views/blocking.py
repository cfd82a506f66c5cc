"""The list of what stands in the way, each with its place, the record's word on it, and what one press can do."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from console.views import words
from console.views.fixes import Fix, Lead, fixes_for, lead_for
from console.views.highlight import plain
from console.views.panels import FindingRow, ListedFindings, Reading, sure_claims
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
    code: str
    note: int | None
    anchor: str | None
    name: str
    message: tuple[Piece, ...]
    place: tuple[Piece, ...]
    fixes: tuple[Fix, ...]
    lead: Lead | None
    settle: Settle | None
    is_claim: bool


@dataclass(frozen=True, slots=True)
class BlockerGroup:
    """Reasons told together: of one `message` each row is a place; of one press, `fixes` stand once below them."""

    message: tuple[Piece, ...]
    rows: tuple[BlockerRow, ...]
    fixes: tuple[Fix, ...]


def blocker_rows(
    analysis: AnalysisShape, reading: Reading, text: str, typed: Mapping[str, str]
) -> tuple[BlockerRow, ...]:
    """Return the rows in the order of the analysis; `typed` holds reasons by the value that settles a blocker."""
    notes = _Notes(analysis, text)
    anchors = {mark.number: mark.anchor for mark in reading.marks}
    rows = []
    for number, blocker in enumerate(analysis["blocked_by"], 1):
        note, claim = notes.of(blocker)
        start, end = blocker["start"] or 0, blocker["end"] or 0
        rows.append(
            BlockerRow(
                number=number,
                code=blocker["code"],
                note=note,
                anchor=anchors.get(note) if note else None,
                name=words.finding_name(blocker["code"]),
                message=plain(_told(blocker, claim)),
                place=plain(text[start:end]),
                fixes=fixes_for(blocker, analysis, text),
                lead=lead_for(blocker["code"], analysis),
                settle=_settle(blocker, claim, typed),
                is_claim=claim is not None,
            )
        )
    return tuple(rows)


def _told(blocker: FindingShape, claim: ClaimShape | None) -> str:
    if claim is None:
        return blocker["message"]
    return words.claim_in_the_way(claim["text"], claim["record"] if blocker["code"] == "claim_contradicted" else None)


def grouped(rows: Sequence[BlockerRow]) -> tuple[BlockerGroup, ...]:
    """Tell once what is said of several places, and offer once what one press does for several reasons."""
    groups: dict[tuple[Piece, ...] | tuple[Fix, ...], list[BlockerRow]] = {}
    messages = Counter(row.message for row in rows)
    for row in rows:
        groups.setdefault(row.message if messages[row.message] > 1 or not row.fixes else row.fixes, []).append(row)
    return tuple(_group(tuple(group)) for group in groups.values())


def _group(rows: tuple[BlockerRow, ...]) -> BlockerGroup:
    first, several = rows[0], len(rows) > 1
    same_message = several and all(row.message == first.message for row in rows)
    same_fixes = several and all(row.fixes == first.fixes for row in rows)
    return BlockerGroup(first.message if same_message else (), rows, first.fixes if same_fixes else ())


def told_once(reading: Reading, rows: Iterable[BlockerRow]) -> Reading:
    """Take the findings that the list of blockers tells out of the panel beside it, but for their names and numbers."""
    above = {row.note: row.number for row in rows}
    names: dict[str, list[FindingRow]] = {}
    for one in reading.findings:
        if one.number in above:
            names.setdefault(one.name, []).append(one)
    listed = tuple(ListedFindings(name, above[same[0].number], tuple(same)) for name, same in names.items())
    return replace(reading, findings=tuple(f for f in reading.findings if f.number not in above), listed=listed)


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
