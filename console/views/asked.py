"""One question of the message in words: what may be said about it, what the customer was told, and who must act."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.timezone import localdate

from console.views import words
from console.views.highlight import plain
from console.views.shapes import AskedShape, GateShape, LockedShape
from drafts.decisions.comparison import contains_verbatim
from drafts.decisions.structure import Piece
from ledger.decisions.vocabulary import Handler, KeyEntry, KeyOrigin, KeyStatus, Refusal, Version

Versions = Mapping[tuple[str, str], Version]


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
    told_at: datetime | None
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
    handler: str | None
    due_at: datetime | None
    missing: str | None
    required: tuple[Required, ...]
    route: RouteCard
    locked: LockedCard | None
    conflict: str | None
    told_is_required: bool


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
        handler=_handler(gate),
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


def _handler(gate: GateShape) -> str | None:
    """Name who must act, but for a reviewer without a deadline: that goes without saying."""
    handler = Handler(gate["handler"])
    return words.HANDLERS[handler] if handler is not Handler.REVIEWER or gate["due_at"] else None


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
        told_at=instant(locked.get("told_at")),
        locked_at=_other_day(instant(locked["locked_at"]), instant(locked.get("told_at"))),
        replay_count=locked["replay_count"],
    )


def _other_day(locked_at: datetime | None, told_at: datetime | None) -> datetime | None:
    """Return when an answer was locked, where that says more than when it was told."""
    same = locked_at and told_at and localdate(locked_at) == localdate(told_at)
    return None if same else locked_at


def instant(value: str | None) -> datetime | None:
    """Read an instant as the analysis writes it."""
    return datetime.fromisoformat(value) if value else None
