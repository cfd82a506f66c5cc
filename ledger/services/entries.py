"""Write what was promised into the ledger. Part of other services; needs an open transaction.

The database decides place, time, hashes and links; it refuses a second live answer and whatever is incomplete.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NoReturn, TypedDict, Unpack

from django.db import IntegrityError, OperationalError, connection, transaction

from ledger.decisions.facts import Fact
from ledger.decisions.vocabulary import EntryKind, KeyOrigin, Statement, Version, VersionStatus
from ledger.models import Entry, QuestionKey

ENTRY_IDS = uuid.UUID("5f1f7f5e-0c2b-4f52-9a55-6f1f6c0f3d9a")
"""Namespace of entry ids: the same decision about the same key gets the same id, so it is written at most once."""


class EntryRefused(Exception):
    """The ledger does not take this entry; the message says why. Nothing is written."""


class AnswerAlreadyLocked(EntryRefused):
    """The conversation already has a live answer to this question."""


class EntrySuperseded(EntryRefused):
    """The entry that this one builds on is no longer the live answer."""


class EntryRepeatedSince(EntryRefused):
    """The answer has been repeated to the customer and can only be corrected."""


class SourceChanged(EntryRefused):
    """The policy version has changed, or is being changed, since the answer was prepared."""


class Asking(TypedDict):
    """What every entry says about ask and decision: `question_key` is the root key, `effective_at` an instant."""

    conversation_id: str
    customer_id: str | None
    channel: str | None
    question_key: str
    asked_key: str | None
    matched_by: KeyOrigin | None
    decided_by: str
    decision_id: str
    effective_at: datetime


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry as written: `entry_hash` in hex, `recorded_at` by the database's clock."""

    entry_id: str
    position: int
    entry_hash: str
    recorded_at: datetime


def record_answer(
    *,
    answer_text: str,
    version: Version | None,
    statement: Statement | None,
    retrieved_score: float | None = None,
    facts: Mapping[str, object] | None = None,
    typed_facts: Sequence[Fact] = (),
    **asking: Unpack[Asking],
) -> Recorded:
    """Lock a first answer, or the first after a withdrawal.

    Raises AnswerAlreadyLocked, SourceChanged, EntryRefused.
    """
    return _append(
        EntryKind.ANSWER,
        asking,
        **_promise(
            question_key=asking["question_key"],
            answer_text=answer_text,
            version=version,
            statement=statement,
            retrieved_score=retrieved_score,
            typed_facts=typed_facts,
        ),
        deciding_facts=dict(facts or {}),
    )


def record_replay(
    *,
    replays: str,
    facts: Mapping[str, object] | None = None,
    **asking: Unpack[Asking],
) -> Recorded:
    """Record that the live answer `replays` was told again. Raises EntrySuperseded, EntryRefused."""
    return _append(EntryKind.REPLAY, asking, replays=replays, deciding_facts=dict(facts or {}))


def record_correction(
    *,
    supersedes: str,
    answer_text: str,
    version: Version | None,
    statement: Statement | None,
    reason: str,
    owner: str,
    retrieved_score: float | None = None,
    facts: Mapping[str, object] | None = None,
    typed_facts: Sequence[Fact] = (),
    **asking: Unpack[Asking],
) -> Recorded:
    """Replace the live answer `supersedes`; the reason and the owner's user name are kept with it.

    Raises EntrySuperseded, SourceChanged, EntryRefused.
    """
    return _append(
        EntryKind.CORRECTION,
        asking,
        **_promise(
            question_key=asking["question_key"],
            answer_text=answer_text,
            version=version,
            statement=statement,
            retrieved_score=retrieved_score,
            typed_facts=typed_facts,
        ),
        supersedes=supersedes,
        reason=reason,
        owner=owner,
        deciding_facts=dict(facts or {}),
    )


def record_withdrawal(
    *,
    supersedes: str,
    reason: str | None = None,
    **asking: Unpack[Asking],
) -> Recorded:
    """Undo an ANSWER, CORRECTION or REPLAY that has not left; an undone correction brings the answer before it back.

    Raises EntryRepeatedSince for an answer that was repeated since, EntrySuperseded, EntryRefused.
    """
    return _append(EntryKind.WITHDRAWAL, asking, supersedes=supersedes, reason=reason)


def withdraw(entry_id: str, *, decided_by: str, reason: str, effective_at: datetime) -> Recorded | None:
    """Undo an entry that has not left, by its id; None where a later entry has replaced it already.

    A REPLAY is withdrawn also when the answer it repeated was replaced. Raises EntryRepeatedSince, EntryRefused.
    """
    undone = Entry.objects.get(pk=entry_id)
    try:
        return record_withdrawal(
            supersedes=entry_id,
            reason=reason,
            conversation_id=undone.conversation_id,
            customer_id=undone.customer_id,
            channel=undone.channel,
            question_key=undone.question_key,
            asked_key=undone.asked_key,
            matched_by=KeyOrigin(undone.matched_by),
            decided_by=decided_by,
            decision_id=undone.decision_id,
            effective_at=effective_at,
        )
    except EntrySuperseded:
        return None


def _promise(
    *,
    question_key: str,
    answer_text: str,
    version: Version | None,
    statement: Statement | None,
    retrieved_score: float | None,
    typed_facts: Sequence[Fact],
) -> dict[str, object]:
    key = QuestionKey.objects.filter(pk=question_key).first()
    if key is None:
        raise EntryRefused(f"The key {question_key!r} is not in the registry.")
    source = None
    if version is not None and statement is not None:
        _hold_source(version, statement)
        source = _snapshot(version, statement, retrieved_score)
    return {
        "question_canonical": key.question_canonical,
        "commitment_class": key.commitment_class,
        "answer_text": answer_text,
        "answer_source": source,
        "typed_facts": [_fact(fact) for fact in typed_facts],
    }


def _hold_source(version: Version, statement: Statement) -> None:
    """Keep the passage from changing until this transaction ends, and make sure that it still says what was read."""
    query = """
        SELECT v.status, s.text FROM ledger_policyversion v
        JOIN ledger_policystatement s ON s.version_id = v.id AND s.question_key_id = %s
        WHERE v.document_id = %s AND v.version = %s FOR SHARE OF v NOWAIT
    """
    name = f"{version.doc_id}/{version.version}"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query, [statement.question_key, version.doc_id, version.version])
            found = cursor.fetchone()
    except OperationalError as busy:
        raise SourceChanged(f"The policy version {name} is being changed right now. Look at the item again.") from busy
    if found != (VersionStatus.ACTIVE.value, statement.text):
        raise SourceChanged(f"The policy version {name} has changed since this was prepared. Look at the item again.")


def _snapshot(version: Version, statement: Statement, retrieved_score: float | None) -> dict[str, object]:
    return {
        "doc_id": version.doc_id,
        "version": version.version,
        "title": version.title,
        "kind": version.kind.value,
        "deciding_date": version.deciding_date,
        "section": statement.section,
        "effective_from": version.effective_from.isoformat(),
        "effective_until": version.effective_until.isoformat() if version.effective_until else None,
        "retrieved_score": retrieved_score,
        "passage": statement.text,
    }


def _fact(fact: Fact) -> dict[str, object]:
    return {
        "kind": fact.kind.value,
        "unit": fact.unit,
        "low": _number(fact.low),
        "high": _number(fact.high),
        "bound": fact.bound.value,
        "per": fact.per,
        "anchor": fact.anchor,
        "applies_to": fact.applies_to,
        "polarity": fact.polarity,
        "start": fact.start,
        "end": fact.end,
        "topics": sorted(fact.topics),
    }


def _number(value: Decimal | None) -> str | None:
    return None if value is None else format(value, "f")


def _append(kind: EntryKind, asking: Asking, **more: object) -> Recorded:
    if not connection.in_atomic_block:
        raise RuntimeError("A ledger entry is written inside the transaction of the decision it belongs to.")
    name = "\n".join((asking["conversation_id"], asking["decision_id"], kind, asking["question_key"]))
    given = {
        **asking,
        **more,
        "asked_key": asking["asked_key"] or asking["question_key"],
        "id": str(uuid.uuid5(ENTRY_IDS, name)),
        "kind": kind.value,
        "effective_at": asking["effective_at"].isoformat(),
    }
    query = "SELECT id::text, position, encode(entry_hash, 'hex'), recorded_at FROM ledger.append(%s::jsonb)"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query, [json.dumps(given, ensure_ascii=False, allow_nan=False)])
            return Recorded(*cursor.fetchone())
    except IntegrityError as refused:
        _refuse(refused)


def _refuse(refused: IntegrityError) -> NoReturn:
    """Translate the constraint that refused an entry into words."""
    diagnosis = getattr(refused.__cause__, "diag", None)
    because = {
        "entry_one_first_answer": AnswerAlreadyLocked,
        "entry_superseded_once": EntrySuperseded,
        "entry_repeated_since": EntryRepeatedSince,
    }.get(getattr(diagnosis, "constraint_name", None) or "", EntryRefused)
    raise because(getattr(diagnosis, "message_primary", None) or str(refused)) from refused
