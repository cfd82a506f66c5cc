"""What the review page says about an analysis: typed rows, words chosen here, so that templates only print and loop."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from console.views import words
from console.views.highlight import Mark, placed, plain
from console.views.shapes import (
    AnalysisShape,
    ClaimShape,
    FindingShape,
    RetrievedShape,
)
from drafts.decisions.blockers import ADVICE
from drafts.decisions.structure import Piece
from drafts.decisions.vocabulary import Tier, Verdict


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim with the record behind it."""

    number: int
    anchor: str | None
    what: str
    pieces: tuple[Piece, ...]
    verdict: str
    shape: str
    style: str
    record: str | None
    needs: str | None
    rule: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in words, and where it is."""

    number: int
    anchor: str | None
    name: str
    message: tuple[Piece, ...]
    blocks: bool


@dataclass(frozen=True, slots=True)
class ListedFindings:
    """Findings of one name that the list of blockers tells in full; `blocker` is the number of the first of them."""

    name: str
    blocker: int
    rows: tuple[FindingRow, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything marked in one text: marks for the text itself, rows for the lists beside it."""

    marks: tuple[Mark, ...]
    claims: tuple[ClaimRow, ...]
    possible: tuple[ClaimRow, ...]
    findings: tuple[FindingRow, ...]
    listed: tuple[ListedFindings, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievedRow:
    """A passage that the model says it read, and what that source is to us."""

    source: str
    standing: str


def read(analysis: AnalysisShape, text: str) -> Reading:
    """Number every claim and finding once; what has a place in the text is also a mark there."""
    sure = sure_claims(analysis, text)
    loose = [c for c in _claims_in(analysis, text) if c["tier"] != Tier.CLAIM]
    findings = analysis["findings"]
    from_claim, from_loose = len(findings) + 1, len(findings) + len(sure) + 1
    marks = placed(
        text,
        [
            *(m for n, f in enumerate(findings, 1) if (m := _finding_mark(f, n)) is not None),
            *(_claim_mark(c, n) for n, c in enumerate(sure, from_claim)),
            *(_claim_mark(c, n) for n, c in enumerate(loose, from_loose)),
        ],
    )
    places = {m.number: m.anchor for m in marks}
    return Reading(
        marks=tuple(marks),
        claims=tuple(_claim_row(c, n, places) for n, c in enumerate(sure, from_claim)),
        possible=tuple(_claim_row(c, n, places) for n, c in enumerate(loose, from_loose)),
        findings=tuple(_finding_row(f, n, places) for n, f in enumerate(findings, 1)),
    )


def sure_claims(analysis: AnalysisShape, text: str) -> list[ClaimShape]:
    """Return the claims that stand in this text, without the loose ones."""
    return [c for c in _claims_in(analysis, text) if c["tier"] == Tier.CLAIM]


def _claims_in(analysis: AnalysisShape, text: str) -> list[ClaimShape]:
    return [c for c in analysis["claims"] if text[c["start"] : c["end"]] == c["text"]]


def _finding_mark(finding: FindingShape, number: int) -> Mark | None:
    start, end = finding["start"], finding["end"]
    if start is None or end is None:
        return None
    style = "advice" if finding["code"] in ADVICE else "finding"
    return Mark(start, end, style, number, words.finding_name(finding["code"]), f"note-{number}")


def _claim_mark(claim: ClaimShape, number: int) -> Mark:
    label = f"{words.CLASSES.get(claim['class'], claim['class'])}: {_verdict(claim)}"
    return Mark(claim["start"], claim["end"], _style(claim), number, label, f"note-{number}")


def _verdict(claim: ClaimShape) -> str:
    """Name the verdict; what may be no claim at all has none, unless a record speaks against it."""
    verdict, _ = words.VERDICTS[Verdict(claim["verdict"])]
    if claim["tier"] == Tier.CLAIM:
        return verdict
    return f"Possible, {verdict.lower()}" if claim["verdict"] == Verdict.CONTRADICTED else "Possible, not blocking"


def _style(claim: ClaimShape) -> str:
    return "possible" if claim["tier"] != Tier.CLAIM else claim["verdict"].lower()


def _claim_row(claim: ClaimShape, number: int, places: Mapping[int, str]) -> ClaimRow:
    _, shape = words.VERDICTS[Verdict(claim["verdict"])]
    kind = words.CLASSES.get(claim["class"], claim["class"])
    sub = f", {words.field_name(claim['sub'])}" if claim["sub"] else ""
    return ClaimRow(
        number=number,
        anchor=places.get(number),
        what=kind + sub,
        pieces=plain(claim["text"]),
        verdict=_verdict(claim),
        shape=shape,
        style=_style(claim),
        record=claim["record"] if claim["tier"] == Tier.CLAIM or claim["verdict"] == Verdict.CONTRADICTED else None,
        needs=claim["needs"],
        rule=claim["rule"],
    )


def _finding_row(finding: FindingShape, number: int, places: Mapping[int, str]) -> FindingRow:
    return FindingRow(
        number=number,
        anchor=places.get(number),
        name=words.finding_name(finding["code"]),
        message=plain(finding["message"]),
        blocks=finding["code"] not in ADVICE,
    )


def retrieved_rows(retrieved: Iterable[RetrievedShape]) -> tuple[RetrievedRow, ...]:
    """Tell what the model read; its scores decide nothing and are not shown."""
    return tuple(
        RetrievedRow(
            f"{one['doc_id']}, {one['section']}" if one["section"] else one["doc_id"],
            words.STANDINGS.get(one["standing"], one["standing"]),
        )
        for one in retrieved
    )
