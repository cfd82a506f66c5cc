"""The review page as one typed object: what may be done is decided here and by the services, never in a template."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, cast
from uuid import UUID

from django.contrib.auth.models import User

from console.forms import NOTHING_SENT, REASON, Sent
from console.views import history, words
from console.views.highlight import Slice, marked, plain
from console.views.insertion import same_text
from console.views.panels import AskedCard, Reading, RetrievedRow, Versions, asked_card, read, retrieved_rows
from console.views.shapes import AnalysisShape
from console.views.standing import Standing, next_id, standing_of
from console.views.thread import Thread, thread_of
from console.views.ticket import TicketCard, ticket_card
from drafts import queries
from drafts.decisions.analysis import analyse
from drafts.decisions.classifier import classify
from drafts.decisions.given import Given
from drafts.decisions.report import as_json
from drafts.decisions.structure import Piece
from drafts.decisions.transitions import DecisionKind, approval_of, is_open
from ledger import queries as ledger
from ledger.decisions.vocabulary import KeyEntry, KeyStatus

if TYPE_CHECKING:
    from drafts.models import ReviewItem

ASKS_NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Notice:
    """What came of the last action: `refused` and `unusable` say what to do, `kept` is the text that was typed."""

    kind: str
    heading: str
    lines: tuple[str, ...] = ()
    field: str | None = None
    kept: str | None = None


@dataclass(frozen=True, slots=True)
class ApproveLabels:
    """What the button that approves says: now, while the saved text stands in the editor, and for a changed one."""

    shown: str
    saved: str
    changed: str


@dataclass(frozen=True, slots=True)
class Editor:
    """The reviewer's fields, filled with what was typed."""

    text: str
    version: int
    unsaved: bool
    labels: ApproveLabels
    stored: str
    answer_text: str
    proposed: str
    locks: bool
    insertions: tuple[str, ...]
    sent: Sent


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a select."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Everything the page shows."""

    item: "ReviewItem"
    title: str
    first_lines: tuple[Piece, ...]
    standing: Standing
    notice: Notice | None
    notes_shown: bool
    draft_went_out: bool
    asked: AskedCard
    also: tuple[AskedCard, ...]
    reading: Reading
    slices: tuple[Slice, ...]
    editor: Editor
    reasons: Mapping[str, str]
    opened: Mapping[str, bool]
    next_id: UUID | None
    newer_message: bool
    questions: tuple[Choice, ...]
    owners: tuple[Choice, ...]
    thread: Thread
    ticket: TicketCard | None
    facts: tuple[tuple[str, str], ...]
    retrieved: tuple[RetrievedRow, ...]
    raw_output: tuple[Piece, ...]
    missing_fields: tuple[str, ...]
    versions: tuple[history.VersionRow, ...]
    changes: tuple[history.Change, ...]
    parked: tuple[history.ParkedRow, ...]
    events: tuple[history.EventRow, ...]


@dataclass(frozen=True, slots=True)
class _Analysed:
    analysis: AnalysisShape
    registry: Mapping[str, KeyEntry]
    versions: Versions


def build(
    item: "ReviewItem",
    user: User,
    *,
    now: datetime,
    sent: Sent = NOTHING_SENT,
    notice: Notice | None = None,
    before: int | None = None,
) -> ReviewPage:
    """Gather the page for one person; the text that was sent stands in the editor in place of the stored one."""
    stored, original = queries.current_version(item).text, queries.original_text(item)
    standing = standing_of(item, user, now)
    text = sent.text if sent.text is not None and standing.workable else stored
    text = stored if same_text(text, stored) else text
    found = _analysed(item, text, now)
    reading = read(found.analysis, text, sent.reasons or {})
    asked = asked_card(found.analysis, text, found.registry, found.versions)
    versions = history.versions_of(item)
    return ReviewPage(
        item=item,
        title=item.reply_to.text if item.reply_to else item.external_id,
        first_lines=plain(item.reply_to.text[:300] if item.reply_to else item.external_id),
        standing=standing,
        notice=_without_repeats(notice, found.analysis),
        draft_went_out=bool(item.decided_at) and same_text(item.decision.text, stored),
        notes_shown=standing.workable or bool(reading.claims or reading.findings),
        asked=asked,
        also=tuple(asked_card(one, text, found.registry, found.versions) for one in found.analysis.get("also", [])),
        reading=reading,
        slices=marked(text, reading.marks),
        editor=_editor(item, text, stored=stored, original=original, sent=sent, analysis=found.analysis),
        reasons=sent.reasons or {},
        opened=_opened(sent, notice, uncertain=asked.uncertain),
        next_id=next_id(item, user, now),
        newer_message=any(b["code"] == "newer_customer_message" for b in found.analysis["blocked_by"]),
        questions=_questions(item, found.registry, sent),
        owners=_owners(user, sent),
        thread=thread_of(item, before),
        ticket=ticket_card(item.ticket),
        facts=tuple((name, str(value)) for name, value in sorted(item.facts.items()) if value is not None),
        retrieved=retrieved_rows(found.analysis.get("retrieved", [])),
        raw_output=plain(item.raw_output or ""),
        missing_fields=tuple(item.missing_fields),
        versions=versions,
        changes=history.changes(original, text),
        parked=history.parked_of(item),
        events=history.events_of(item),
    )


def _opened(sent: Sent, notice: Notice | None, *, uncertain: bool) -> Mapping[str, bool]:
    """Say which foldable parts stand open: those in which something was typed, and the one that was refused."""
    refused = notice.field if notice else None
    corrected = sent.new_answer or sent.reason("correct") or sent.message
    return {
        "question": uncertain or refused == "question",
        "correct": bool(corrected) or refused in {"new_answer", f"{REASON}correct", "owner"},
        "escalate": bool(sent.reason("escalate")) or refused == f"{REASON}escalate",
        "send_back": bool(sent.reason("send_back")) or refused == f"{REASON}send_back",
    }


def _without_repeats(notice: Notice | None, analysis: AnalysisShape) -> Notice | None:
    """Leave out of a refusal what the page lists anyway."""
    if notice is None or notice.kind != "refused":
        return notice
    listed = {blocker["message"] for blocker in analysis["blocked_by"]}
    return replace(notice, lines=tuple(line for line in notice.lines if line not in listed))


def _analysed(item: "ReviewItem", text: str, now: datetime) -> _Analysed:
    """Compute an open item's analysis afresh; of a closed one show what was known when it was closed."""
    registry = ledger.registry()
    if not is_open(item.state):
        analysis = cast("AnalysisShape", item.analysis)
        roots = {root for one in (analysis, *analysis.get("also", [])) if (root := one["gate"]["root_key"])}
        return _Analysed(analysis, registry, {(v.doc_id, v.version): v for v in ledger.versions(roots or None)})
    given: Given = queries.given_for(item, now=now, text=text)
    analysis = cast("AnalysisShape", as_json(analyse(given), given))
    return _Analysed(analysis, registry, {(v.doc_id, v.version): v for v in given.sources.versions})


def _editor(
    item: "ReviewItem", text: str, *, stored: str, original: str, sent: Sent, analysis: AnalysisShape
) -> Editor:
    proposed = analysis["answer_text"] or ""
    confirmed = sent.answer_text if sent.answer_text and sent.answer_text != sent.proposed else proposed
    codes = {b["code"] for b in analysis["blocked_by"]}
    return Editor(
        text=text,
        version=item.version,
        unsaved=text != stored,
        labels=ApproveLabels(
            shown=words.APPROVES[approval_of(text, saved=stored, original=original)],
            saved=words.APPROVES[approval_of(stored, saved=stored, original=original)],
            changed=words.APPROVES[DecisionKind.EDIT],
        ),
        stored=stored,
        answer_text=confirmed,
        proposed=proposed,
        locks=bool(proposed),
        insertions=_passages(analysis) if "answer_not_found" in codes else (),
        sent=sent,
    )


def _passages(analysis: AnalysisShape) -> tuple[str, ...]:
    """Return the passages that would answer what this customer is told for the first time."""
    first_asks = (one for one in (analysis, *analysis["also"]) if one["locked"] is None)
    return tuple(dict.fromkeys(p for one in first_asks if (p := one["router"]["passage"])))


def _questions(item: "ReviewItem", registry: Mapping[str, KeyEntry], sent: Sent) -> tuple[Choice, ...]:
    stored = ASKS_NOTHING if item.question_status == KeyStatus.NONE else item.question_key or ""
    chosen = sent.question or stored
    unclear = item.reply_to if item.question_status == KeyStatus.UNCERTAIN else None
    likely = classify(unclear.text, registry).suggestions if unclear else ()
    keys = sorted(registry.values(), key=lambda entry: (entry.key not in likely, entry.key))
    return (
        Choice("", "Choose the question…", chosen == ""),
        Choice(ASKS_NOTHING, "The customer asks for no commitment", chosen == ASKS_NOTHING),
        *(
            Choice(e.key, f"{e.question_canonical} ({e.key}{', likely' if e.key in likely else ''})", e.key == chosen)
            for e in keys
        ),
    )


def _owners(user: User, sent: Sent) -> tuple[Choice, ...]:
    people = User.objects.filter(is_active=True, groups__name__in=queries.ROLES).distinct().order_by("username")
    chosen = sent.owner or user.get_username()
    return tuple(Choice(p.username, f"{history.name_of(p)} ({p.username})", p.username == chosen) for p in people)
