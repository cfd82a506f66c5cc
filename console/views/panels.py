"""What the review page says about an analysis: typed rows, words chosen here, so that templates only print and loop."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from console.views import words
from console.views.highlight import Mark, placed, plain
from console.views.shapes import AnalysisShape, AskedShape, ClaimShape, FindingShape, LockedShape, RetrievedShape
from drafts.decisions.blockers import ADVICE
from drafts.decisions.comparison import contains_verbatim
from drafts.decisions.structure import Piece
from drafts.decisions.vocabulary import Tier, Verdict
from ledger.decisions.vocabulary import Handler, KeyEntry, KeyOrigin, KeyStatus, Refusal, Version

Versions = Mapping[tuple[str, str], Version]


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
class Reading:
    """Everything marked in one text: marks for the text itself, rows for the lists beside it."""

    marks: tuple[Mark, ...]
    claims: tuple[ClaimRow, ...]
    possible: tuple[ClaimRow, ...]
    findings: tuple[FindingRow, ...]


@dataclass(frozen=True, slots=True)
class RouteCard:
    """The version the router selected, or why it selected none."""

    version: str | None
    document: str | None
    section: str | None
    passage: tuple[Piece, ...]
    effective_from: date | None
    effective_until: date | None
    channels: str
    deciding: str
    refused: str | None
    missing: str | None
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Required:
    """A text that the reply must contain to the letter."""

    text: str
    pieces: tuple[Piece, ...]
    present: bool


@dataclass(frozen=True, slots=True)
class LockedCard:
    """The answer this customer already has."""

    key: str
    pieces: tuple[Piece, ...]
    text: str
    source: str
    locked_at: datetime | None
    replay_count: int


@dataclass(frozen=True, slots=True)
class AskedCard:
    """One question of the message with its branch, what must be said and who must act."""

    canonical: str
    key: str | None
    known: str
    uncertain: bool
    branch: str
    sentence: str
    handler: str
    due_at: datetime | None
    missing: str | None
    required: tuple[Required, ...]
    route: RouteCard
    locked: LockedCard | None
    conflict: str | None
    told_is_required: bool


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
    verdict, _ = words.VERDICTS[Verdict(claim["verdict"])]
    label = f"{words.CLASSES.get(claim['class'], claim['class'])}: {verdict}"
    return Mark(claim["start"], claim["end"], _style(claim), number, label, f"note-{number}")


def _style(claim: ClaimShape) -> str:
    return "possible" if claim["tier"] != Tier.CLAIM else claim["verdict"].lower()


def _claim_row(claim: ClaimShape, number: int, places: Mapping[int, str]) -> ClaimRow:
    verdict, shape = words.VERDICTS[Verdict(claim["verdict"])]
    kind = words.CLASSES.get(claim["class"], claim["class"])
    sub = f", {words.field_name(claim['sub'])}" if claim["sub"] else ""
    return ClaimRow(
        number=number,
        anchor=places.get(number),
        what=kind + sub,
        pieces=plain(claim["text"]),
        verdict=verdict,
        shape=shape,
        style=_style(claim),
        record=claim["record"],
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


def asked_card(
    asked: AskedShape, text: str, registry: Mapping[str, KeyEntry], versions: Versions, conflict: str | None = None
) -> AskedCard:
    """Tell one question of the message; `conflict` is the id of the open conflict that holds it."""
    question, gate = asked["question_key"], asked["gate"]
    told = words.branch_told(gate["branch"])
    entry = registry.get(question["key"] or "")
    return AskedCard(
        canonical=entry.question_canonical if entry else words.NO_QUESTION[KeyStatus(question["status"])],
        key=question["key"],
        known=words.ORIGINS[KeyOrigin(question["by"])] if question["by"] else "",
        uncertain=question["status"] == KeyStatus.UNCERTAIN,
        branch=told.short,
        sentence=told.sentence,
        handler=words.HANDLERS[Handler(gate["handler"])],
        due_at=instant(gate["due_at"]),
        missing=words.field_name(gate["missing_field"]) if gate["missing_field"] else None,
        required=tuple(
            Required(one, plain(one), contains_verbatim(text, one) is not None) for one in gate["must_contain"]
        ),
        route=_route_card(asked, versions),
        locked=_locked_card(asked["locked"]),
        conflict=conflict,
        told_is_required=asked["locked"] is not None and asked["locked"]["answer_text"] in gate["must_contain"],
    )


def _route_card(asked: AskedShape, versions: Versions) -> RouteCard:
    router, sought = asked["router"], asked["question_key"]["key"] is not None
    chosen = versions.get((router["doc_id"] or "", router["version"] or ""))
    return RouteCard(
        version=router["version"],
        document=chosen.title if chosen else router["doc_id"],
        section=router["section"],
        passage=plain(router["passage"] or ""),
        effective_from=chosen.effective_from if chosen else None,
        effective_until=chosen.effective_until if chosen else None,
        channels=", ".join(sorted(chosen.channels)) if chosen else "",
        deciding=words.field_name(chosen.deciding_date) if chosen else "",
        refused=words.REFUSALS[Refusal(router["refusal"])] if router["refusal"] and sought else None,
        missing=words.field_name(router["missing_field"]) if router["missing_field"] else None,
        candidates=tuple(f"{c['doc_id']} {c['version']}" for c in router["candidates"]),
    )


def _locked_card(locked: LockedShape | None) -> LockedCard | None:
    if locked is None:
        return None
    return LockedCard(
        key=locked["question_key"],
        pieces=plain(locked["answer_text"]),
        text=locked["answer_text"],
        source=", ".join(part for part in (locked["version"], locked["section"]) if part),
        locked_at=instant(locked["locked_at"]),
        replay_count=locked["replay_count"],
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


def instant(value: str | None) -> datetime | None:
    """Read an instant as the analysis writes it."""
    return datetime.fromisoformat(value) if value else None
