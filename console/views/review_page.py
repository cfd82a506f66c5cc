"""The review page as one typed object: what may be done is decided here and by the services, never in a template."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, cast
from uuid import UUID

from django.contrib.auth.models import User

from console.forms import NOTHING_SENT, REASON, Sent
from console.views import history, words
from console.views.asked import AskedCard, Versions, asked_card
from console.views.blocking import BlockerGroup, blocker_rows, grouped, told_once
from console.views.editor import Editor, editor_of, text_shown, typed_beside
from console.views.highlight import Slice, marked, plain
from console.views.hindering import hindrances_of
from console.views.insertion import same_text
from console.views.leaving import CameBack, Leaving, came_back, leaving_of
from console.views.panels import Reading, RetrievedRow, read, retrieved_rows
from console.views.shapes import AnalysisShape, AskedShape
from console.views.standing import Standing, next_id, standing_of
from console.views.thread import MessageRow, Thread, thread_of
from console.views.ticket import FieldRow, TicketCard, fact_rows, ticket_card
from drafts import queries
from drafts.decisions.analysis import analyse
from drafts.decisions.classifier import classify
from drafts.decisions.given import Given
from drafts.decisions.report import as_json
from drafts.decisions.structure import Piece, PieceKind
from drafts.decisions.transitions import is_open
from ledger import queries as ledger
from ledger.decisions.vocabulary import Branch, KeyEntry, KeyStatus

if TYPE_CHECKING:
    from drafts.models import ReviewItem

ASKS_NOTHING = "none"
SHOWN_BEFORE_THE_ANSWERED = 2
TOLD_IN_PLACE = frozenset({"mended", "composed"})


@dataclass(frozen=True, slots=True)
class Notice:
    """What came of the last action: `refused` and `unusable` say what to do, `kept` is the text that was typed.

    `of_form` says that the form could not be read at all, so that none of its buttons works until `field` is mended.
    """

    kind: str
    heading: str
    lines: tuple[str, ...] = ()
    field: str | None = None
    kept: str | None = None
    of_form: bool = False

    @property
    def has_place(self) -> bool:
        """Say whether it is told where something changed, and not at the top of the page."""
        return self.kind in TOLD_IN_PLACE


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a select."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the model said beside its text."""

    retrieved: tuple[RetrievedRow, ...]
    raw_output: tuple[Piece, ...]
    missing_fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """What is kept of an item: its texts, those that were overtaken, and what happened."""

    versions: tuple[history.VersionRow, ...]
    parked: tuple[history.ParkedRow, ...]
    events: tuple[history.EventRow, ...]


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Everything the page shows."""

    item: "ReviewItem"
    standing: Standing
    notice: Notice | None
    draft_went_out: bool
    asked: AskedCard
    also: tuple[AskedCard, ...]
    reading: Reading
    blockers: tuple[BlockerGroup, ...]
    hindrances: tuple[str, ...]
    slices: tuple[Slice, ...]
    editor: Editor
    leaving: Leaving | None
    came_back: CameBack | None
    reasons: Mapping[str, str]
    opened: Mapping[str, bool]
    next_id: UUID | None
    questions: tuple[Choice, ...]
    owners: tuple[Choice, ...]
    thread: Thread
    folded: tuple[MessageRow, ...]
    unfolded: tuple[MessageRow, ...]
    ticket: TicketCard | None
    model: ModelCard
    changes: tuple[history.Change, ...]
    past: Past

    @property
    def notes_shown(self) -> bool:
        """Say whether there is anything to tell about claims and findings, now or as the text is typed."""
        told = self.reading.claims or self.reading.findings or self.reading.listed
        return self.standing.workable or bool(told)

    @property
    def marks_shown(self) -> bool:
        """Say whether the marked text tells more than the editor above it does."""
        hidden = any(piece.kind is PieceKind.HIDDEN for one in self.slices for piece in one.pieces)
        return not self.standing.may_type or hidden or any(one.styles for one in self.slices)

    @property
    def waits_for_conflict(self) -> bool:
        """Say whether a policy owner has to settle a conflict first, so that the page listens for it."""
        return self.item.branch == Branch.SOURCES_CONFLICT

    @property
    def first_lines(self) -> tuple[Piece, ...]:
        """Return how the message begins that the draft answers, or the draft's own name."""
        return plain(self.item.reply_to.text[:300] if self.item.reply_to else self.item.external_id)

    @property
    def facts(self) -> tuple[FieldRow, ...]:
        """Return what came as a fact with the draft."""
        return fact_rows(self.item.facts)

    @property
    def changes_small(self) -> bool:
        """Say whether the changes can stand open without filling the page."""
        return history.is_small(self.changes)

    @property
    def held_up(self) -> str:
        """Say how many things stand in the way."""
        return words.held_up(sum(len(group.rows) for group in self.blockers) + len(self.hindrances))

    @property
    def may_go_out(self) -> bool:
        """Say whether nothing stands in the way of the text, nor of approving it."""
        return not self.blockers and not self.hindrances

    @property
    def said_outside(self) -> tuple[str, ...]:
        """Return the item's question where the thread holds another answer to it from outside the desk."""
        differs = any(row.code == "thread_answer_differs" for group in self.blockers for row in group.rows)
        return (self.asked.key,) if differs and self.asked.key else ()

    @property
    def corrected_since(self) -> history.EventRow | None:
        """Return the line that tells of a correction since the text was last saved."""
        for event in self.past.events:
            if event.kind in {"item:answer:corrected", "item:draft:edited"}:
                return event if event.kind == "item:answer:corrected" else None
        return None

    @property
    def states_claims(self) -> bool:
        """Say whether a claim without a record stands in the way."""
        return any(row.is_claim for group in self.blockers for row in group.rows)


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
    """Gather the page for one person; what was sent, else what they were typing, stands in the editor."""
    stored, original = queries.current_version(item).text, queries.original_text(item)
    standing = standing_of(item, user, now)
    typed = item.working_texts.filter(author=user).first()
    text = text_shown(item, sent, typed, standing, stored)
    found = _analysed(item, text, now)
    reading = read(found.analysis, text)
    rows = blocker_rows(found.analysis, reading, text, sent.reasons or {})
    asked, *also = _asked_cards(item, found, text)
    thread, changes = thread_of(item, before), history.changes(original, text)
    folded, unfolded = _folded(thread, at_newest=before is None)
    hindrances = hindrances_of(text, standing, notice)
    return ReviewPage(
        item=item,
        standing=standing,
        notice=_without_repeats(notice, found.analysis),
        draft_went_out=item.decision is not None and same_text(item.decision.text, stored),
        asked=asked,
        also=tuple(also),
        reading=reading if standing.happened else told_once(reading, rows),
        blockers=grouped(rows),
        hindrances=hindrances,
        slices=marked(text, reading.marks),
        editor=editor_of(
            item, text, typed, stored=stored, original=original, sent=sent, analysis=found.analysis, hindered=hindrances
        ),
        leaving=leaving_of(item, user, now),
        came_back=came_back(item),
        reasons=sent.reasons or {},
        opened=_opened(sent, notice, uncertain=asked.uncertain),
        next_id=next_id(item, user, now),
        questions=_questions(item, found.registry, sent),
        owners=_owners(user, sent),
        thread=thread,
        folded=folded,
        unfolded=unfolded,
        ticket=ticket_card(item.ticket),
        model=_model_card(item, found.analysis),
        changes=changes,
        past=_past(item, typed_beside(item, typed, text)),
    )


def _model_card(item: "ReviewItem", analysis: AnalysisShape) -> ModelCard:
    retrieved = retrieved_rows(analysis.get("retrieved", []))
    missing = tuple(words.field_name(field) for field in item.missing_fields)
    return ModelCard(retrieved, plain(item.raw_output or ""), missing)


def _past(item: "ReviewItem", typed: tuple[history.ParkedRow, ...]) -> Past:
    return Past(history.versions_of(item), (*typed, *history.parked_of(item)), history.events_of(item))


def _folded(thread: Thread, *, at_newest: bool) -> tuple[tuple[MessageRow, ...], tuple[MessageRow, ...]]:
    """Fold what was said long before the answered message away, so that the editor is near it on a small screen."""
    answered = next((n for n, row in enumerate(thread.rows) if row.answered), len(thread.rows) - 1)
    start = max(0, answered - SHOWN_BEFORE_THE_ANSWERED) if at_newest else 0
    return thread.rows[:start], thread.rows[start:]


def _asked_cards(item: "ReviewItem", found: _Analysed, text: str) -> list[AskedCard]:
    """Tell every question of the message; one that sources dispute leads to its conflict."""
    analysis = found.analysis
    asked: list[AskedShape] = [analysis, *analysis.get("also", [])]
    disputed = [
        root for one in asked if one["gate"]["branch"] == Branch.SOURCES_CONFLICT and (root := one["gate"]["root_key"])
    ]
    conflicts = ledger.open_conflicts_of(disputed) if disputed else {}
    return [
        asked_card(one, text, found.registry, found.versions, _conflict(conflicts, one, item.conversation.channel))
        for one in asked
    ]


def _conflict(conflicts: Mapping[str, tuple[tuple[str, str], ...]], one: AskedShape, channel: str | None) -> str | None:
    known = conflicts.get(one["gate"]["root_key"] or "", ())
    return next((conflict_id for conflict_id, where in known if where == channel), None)


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
    chosen = sent.owner or user.get_username()
    return tuple(
        Choice(p.username, f"{history.name_of(p)} ({p.username})", p.username == chosen) for p in queries.correctors()
    )
