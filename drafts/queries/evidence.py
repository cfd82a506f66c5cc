"""Gather everything that is kept about one conversation, and the packs that were made of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User

from drafts.decisions import evidence
from drafts.decisions.evidence_records import Corrected, Decided, Edit, Inclusion, Left, Records, Seal, Tried, Turn
from drafts.models import Attempt, Conversation, Correction, Decision, Delivery, EvidencePack, Message
from drafts.queries.visibility import may_read
from ledger.decisions.chain import Row
from ledger.decisions.checkpoints import SignedCheckpoint
from ledger.queries import inclusions
from ledger.queries.lines import first_covering, line

PACKS_SHOWN = 20
ACTORS = ("decided_by", "owner", "withdrawn_by", "corrected_by", "settled_by")


@dataclass(frozen=True, slots=True)
class MadePack:
    """One pack that was made: for whom, when, and what identifies its bytes."""

    id: UUID
    form: str
    made_at: datetime
    made_by: User | None
    sha256: str
    key_id: str


def made_packs(user: User | AnonymousUser, conversation: int, limit: int = PACKS_SHOWN) -> tuple[MadePack, ...]:
    """Return the newest packs made of a conversation, by its database key; nothing for whoever may not read it."""
    if not may_read(user):
        return ()
    found = EvidencePack.objects.filter(conversation=conversation).select_related("made_by").order_by("-made_at", "id")
    return tuple(MadePack(row.pk, row.form, row.made_at, row.made_by, row.sha256, row.key_id) for row in found[:limit])


def records_of(conversation: Conversation, kept: SignedCheckpoint | None = None) -> Records:
    """Return all that is kept about a conversation, in a fixed order. Raises TooLarge.

    The pack is tied to the first checkpoint that covers whatever is sealed of the conversation, and to `kept` where one
    is given. Read inside one snapshot, or the parts may not belong together.
    """
    told = line(conversation.external_id)
    evidence.refuse_too_large(conversation.messages.count() + len(told.rows))
    decisions = tuple(_decided(row) for row in _decisions(conversation))
    corrections = tuple(_corrected(row) for row in _corrections(conversation))
    deliveries = tuple(_left(row) for row in _deliveries(conversation))
    return Records(
        conversation_id=conversation.external_id,
        customer_id=conversation.customer_id,
        channel=conversation.channel,
        first_seen_at=conversation.created_at,
        transcript=tuple(_turn(row) for row in conversation.messages.prefetch_related("revisions").order_by("ordinal")),
        entries=told.rows,
        head=told.head,
        checkpoints=_seals(told.rows, kept),
        decisions=decisions,
        corrections=corrections,
        deliveries=deliveries,
        people=_people(told.rows, decisions, corrections, deliveries),
    )


def _seals(rows: Sequence[Row], kept: SignedCheckpoint | None) -> tuple[Seal, ...]:
    first = first_covering([row.entry_id for row in rows])
    notes = {first.note: first.size} if first else {}
    if kept is not None:
        notes[kept.note] = kept.says.size
    positions = {row.entry_id: row.position for row in rows}
    return tuple(Seal(note, _inclusions(positions, size)) for note, size in notes.items())


def _inclusions(positions: Mapping[str, int], size: int) -> tuple[Inclusion, ...]:
    found = inclusions(tuple(positions), size=size)
    proofs = (Inclusion(positions[one.entry_id], one.number, one.path) for one in found)
    return tuple(sorted(proofs, key=lambda proof: proof.position))


def _turn(row: Message) -> Turn:
    edits = sorted(row.revisions.all(), key=lambda revision: revision.pk)
    return Turn(
        ordinal=row.ordinal,
        id=row.external_id,
        role=row.role,
        text=row.text,
        sent_at=row.sent_at,
        received_at=row.received_at,
        through_desk=row.through_desk,
        earlier_texts=tuple(Edit(edit.text, edit.learnt_at, edit.replaced_at) for edit in edits),
    )


def _decisions(conversation: Conversation) -> Iterator[Decision]:
    found = Decision.objects.filter(item__conversation=conversation).order_by("decided_at", "id")
    return found.select_related("item", "decided_by", "owner", "withdrawn_by").iterator(chunk_size=1000)


def _decided(row: Decision) -> Decided:
    return Decided(
        id=str(row.pk),
        item=row.item.external_id,
        kind=row.kind,
        text=row.text,
        answer_text=row.answer_text,
        reason=row.reason,
        owner=_username(row.owner),
        seen_version=row.seen_version,
        entry_ids=tuple(map(str, row.entry_ids)),
        decided_by=row.decided_by.get_username(),
        decided_at=row.decided_at,
        withdrawn_at=row.withdrawn_at,
        withdrawn_by=_username(row.withdrawn_by),
        withdrawn_because=row.withdrawn_because,
    )


def _corrections(conversation: Conversation) -> Iterator[Correction]:
    found = conversation.corrections.order_by("corrected_at", "id")
    return found.select_related("owner", "corrected_by", "withdrawn_by", "outside_message").iterator(chunk_size=1000)


def _corrected(row: Correction) -> Corrected:
    return Corrected(
        id=str(row.pk),
        entry_id=str(row.entry_id),
        said_in_message=row.outside_message.ordinal if row.outside_message else None,
        question_key=row.question_key,
        old_text=row.old_text,
        new_text=row.new_text,
        message=row.message,
        reason=row.reason,
        owner=row.owner.get_username(),
        corrected_by=row.corrected_by.get_username(),
        corrected_at=row.corrected_at,
        withdrawn_at=row.withdrawn_at,
        withdrawn_by=_username(row.withdrawn_by),
        withdrawn_because=row.withdrawn_because,
    )


def _deliveries(conversation: Conversation) -> Iterator[Delivery]:
    found = conversation.deliveries.order_by("created_at", "id").select_related("destination", "settled_by")
    return found.prefetch_related("tries").iterator(chunk_size=1000)


def _left(row: Delivery) -> Left:
    return Left(
        id=str(row.pk),
        decision_id=str(row.decision_id) if row.decision_id else None,
        correction_id=str(row.correction_id) if row.correction_id else None,
        text=row.text,
        state=row.state,
        destination=row.destination.name if row.destination else None,
        created_at=row.created_at,
        delivered_at=row.delivered_at,
        because=row.because,
        settled_by=_username(row.settled_by),
        attempts=tuple(_tried(attempt) for attempt in sorted(row.tries.all(), key=lambda attempt: attempt.number)),
    )


def _tried(row: Attempt) -> Tried:
    return Tried(
        number=row.number,
        address=evidence.without_secrets(row.url),
        started_at=row.started_at,
        ended_at=row.ended_at,
        outcome=row.outcome,
        status=row.status,
        receiver_said=row.said,
    )


def _username(person: User | None) -> str | None:
    return person.get_username() if person else None


def _people(rows: Iterable[Row], *acts: Iterable[Decided] | Iterable[Corrected] | Iterable[Left]) -> Mapping[str, str]:
    """Return the full name of everybody who is named, by the name they sign in with."""
    names = {str(row.columns[who]) for row in rows for who in ("decided_by", "owner") if row.columns[who]}
    for act in (act for several in acts for act in several):
        names |= {getattr(act, who, None) or "" for who in ACTORS}
    found = User.objects.filter(username__in=names).order_by("username")
    return {person.get_username(): person.get_full_name() for person in found}
