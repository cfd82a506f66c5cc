"""Builders for tests: people's words through the real services, so that a test meets what production would hold.

Every conversation and draft gets a name of its own, since ledger rows cannot be removed. Policies and keys are stored
once per test by `return_policy()`; `item()` takes a draft in, `locked()` makes a customer who was answered.
"""

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta
from itertools import count

from django.contrib.auth.models import User
from django.utils import timezone

from drafts import queries
from drafts.decisions.arriving import AskIn, DraftIn, MessageIn, QuestionIn, TicketIn
from drafts.decisions.given import ModelNotes
from drafts.decisions.transitions import DecisionKind
from drafts.models import Delivery, Destination, DraftVersion, ReviewItem
from drafts.services import deciding, updates
from drafts.services.intake import take_in
from ledger.decisions.vocabulary import (
    CommitmentClass,
    DocumentKind,
    KeyEntry,
    KeyOrigin,
    Statement,
    Version,
    VersionStatus,
)
from ledger.models import PolicyDocument

RETURN_KEY = "return_window::online_store"
CHANNEL = "online-store"
PASSAGE = "An unused lamp can be returned within 14 days of receipt."
CLEAN = f"Hello Ana,\n\n{PASSAGE}\n\nKind regards,\nThe lamp shop"
UNBACKED = f"Hello Ana,\n\n{PASSAGE} Our agents are currently reviewing your order.\n\nKind regards,\nThe lamp shop"
QUESTION = "How long can I return the lamp?"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
_numbers = count(1)


def unique(prefix: str) -> str:
    """Return a name that no other test has used, in this run or before."""
    return f"{prefix}-{next(_numbers)}-{uuid.uuid4().hex[:8]}"


def calendar():
    """The calendar that production uses."""
    return queries.organisation_calendar()


def key(name: str = RETURN_KEY, *, by: User, **changes: object) -> KeyEntry:
    """Store a question key."""
    fields: dict[str, object] = {
        "question_canonical": "How long after receipt can an item be returned?",
        "commitment_class": CommitmentClass.BINDING_POLICY,
        "deciding_facts": ("received_on",),
    }
    entry = KeyEntry(key=name, **{**fields, **changes})
    updates.put_key(key=entry, actor=by, now=timezone.now(), calendar=calendar())
    return entry


def version(
    *,
    by: User,
    doc_id: str = "returns",
    name: str = "RET-1",
    passage: str = PASSAGE,
    key: str = RETURN_KEY,
    **changes: object,
) -> Version:
    """Store a policy version with one statement."""
    fields: dict[str, object] = {
        "title": "Returns in the online store",
        "kind": DocumentKind.OWN_POLICY,
        "channels": frozenset({CHANNEL}),
        "deciding_date": "received_on",
        "effective_from": date(2026, 1, 1),
        "effective_until": None,
        "status": VersionStatus.ACTIVE,
        "statements": (Statement(key, "2", passage),),
    }
    made = Version(doc_id=doc_id, version=name, **{**fields, **changes})
    updates.put_version(version=made, actor=by, now=timezone.now(), calendar=calendar())
    return made


def named_before(doc_id: str, name: str) -> None:
    """Store an empty draft under names that nothing new can get any more."""
    document, _ = PolicyDocument.objects.get_or_create(
        pk=doc_id, defaults={"kind": DocumentKind.OWN_POLICY.value, "deciding_date": "received_on"}
    )
    document.versions.create(
        version=name, title="Named before", channels=[CHANNEL], effective_from=date(2026, 1, 1),
        status=VersionStatus.DRAFT,
    )  # fmt: skip


def return_policy(by: User, *, doc_id: str = "returns") -> Version:
    """Store the key and the one version that most tests answer from.

    A test with real transactions names a document of its own: ledger entries outlive it and keep their source in use.
    """
    key(by=by)
    return version(by=by, doc_id=doc_id)


def message(text: str = QUESTION, role: str = "customer", *, name: str | None = None, at: datetime | None = None):
    """One turn of a thread."""
    return MessageIn(name or unique("m"), role, text, at)


def draft(
    text: str = CLEAN,
    *,
    conversation: str | None = None,
    messages: Sequence[MessageIn] | None = None,
    question: str | None = RETURN_KEY,
    facts: Mapping[str, object] | None = None,
    ticket: Mapping[str, object] | None = None,
    ticket_as_of: datetime | None = None,
    channel: str | None = CHANNEL,
    external_id: str | None = None,
    customer: str | None = "customer-1",
    model: str | None = "replybot-4",
    **notes: object,
) -> DraftIn:
    """A draft as a bot sends it; `question=None` leaves the question to the classifier."""
    ask = AskIn(
        conversation_id=conversation or unique("conversation"),
        messages=tuple(messages or (message(),)),
        customer_id=customer,
        channel=channel,
        question=QuestionIn(question, KeyOrigin.FORM) if question else None,
        facts={"received_on": "2026-10-02"} if facts is None else facts,
        ticket=TicketIn(unique("ticket"), ticket, ticket_as_of) if ticket is not None else None,
    )
    content = json.dumps([asdict(ask), text, notes], default=str).encode()
    return DraftIn(
        external_id=external_id or unique("draft"),
        ask=ask,
        text=text,
        digest=hashlib.sha256(content).hexdigest(),
        notes=ModelNotes(**notes),
        model_name=model,
    )


def item(text: str = CLEAN, *, now: datetime | None = None, **fields: object) -> ReviewItem:
    """Take a draft in and return its review item; the fields are those of `draft`."""
    return take_in(draft(text, **fields), now=now or timezone.now(), calendar=calendar()).item


def approve(waiting: ReviewItem, by: User, *, text: str | None = None) -> object:
    """Decide an item as a reviewer would."""
    wanted = deciding.Wanted(DecisionKind.EDIT if text else DecisionKind.APPROVE, waiting.version, text)
    return deciding.decide(item_id=waiting.pk, wanted=wanted, actor=by, now=timezone.now(), calendar=calendar())


def locked(by: User, *, conversation: str | None = None) -> str:
    """Return a conversation whose customer was answered with PASSAGE; needs `return_policy`."""
    first = item(CLEAN, conversation=conversation)
    outcome = approve(first, by)
    assert isinstance(outcome, deciding.Decided), getattr(outcome, "blockers", outcome)
    return first.conversation.external_id


def destination(name: str | None = None, *, channels: Sequence[str] = (), url: str = "https://desk.example/in"):
    """Store a place where replies go."""
    return Destination.objects.create(
        name=name or unique("destination"), url=url, secret=SECRET, channels=list(channels), created_at=timezone.now()
    )


def delivery(by: User, text: str = CLEAN, **fields: object) -> Delivery:
    """Approve a new draft and return the delivery of its reply; needs `return_policy`."""
    waiting = item(text, **fields)
    outcome = approve(waiting, by)
    assert isinstance(outcome, deciding.Decided), getattr(outcome, "blockers", outcome)
    return Delivery.objects.get(decision=outcome.decision)


def many(number: int, *, like: ReviewItem) -> list[ReviewItem]:
    """Store many waiting items at once, each a copy of one that was really taken in, one second apart."""
    first = like.draft_versions.get(number=1)
    copies = [
        ReviewItem(
            external_id=unique("copy"),
            content_digest=like.content_digest,
            conversation=like.conversation,
            reply_to=like.reply_to,
            question_status=like.question_status,
            question_key=like.question_key,
            question_by=like.question_by,
            analysis=like.analysis,
            branch=like.branch,
            handler=like.handler,
            created_at=like.created_at + timedelta(seconds=place),
        )
        for place in range(1, number + 1)
    ]
    made = ReviewItem.objects.bulk_create(copies)
    DraftVersion.objects.bulk_create(
        DraftVersion(item=one, number=1, text=first.text, created_at=one.created_at) for one in made
    )
    return made
