"""Read what the review workflow knows, as plain values or query sets; `visible_items` alone decides who sees what."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from drafts.decisions.comparison import answer_in_thread, contains_verbatim
from drafts.decisions.given import Dismissed, Given, ModelNotes, Retrieved, Sources
from drafts.decisions.transitions import OPEN_STATES
from drafts.decisions.vocabulary import Message as ThreadMessage
from drafts.models import Decision, DraftVersion, Message, ReviewItem, Ticket
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.router import plain_date
from ledger.decisions.vocabulary import REPLAY_BRANCHES, KeyEntry, KeyOrigin, KeyStatus, QuestionKey
from ledger.queries import AuditCheck


def organisation_calendar() -> BusinessCalendar:
    """Return the organisation's zone, working days, opening hours and closed days."""
    hours = settings.ORGANISATION_HOURS
    return BusinessCalendar(
        zone=ZoneInfo(settings.TIME_ZONE),
        workdays=frozenset(day - 1 for day in hours.workdays),
        opens=hours.opens,
        closes=hours.closes,
        holidays=settings.ORGANISATION_HOLIDAYS,
    )


def questions_of(item: ReviewItem) -> tuple[QuestionKey, ...]:
    """Return the item's own question first, then the others of the same message."""
    first = QuestionKey(
        KeyStatus(item.question_status),
        item.question_key,
        KeyOrigin(item.question_by) if item.question_by else None,
        item.question_score,
    )
    others = (
        QuestionKey(KeyStatus.ESTABLISHED, other["key"], KeyOrigin(other["by"]), other.get("score"))
        for other in item.also_asked
    )
    return (first, *others)


def sources(
    told_in: str | None, questions: Iterable[QuestionKey], registry: Mapping[str, KeyEntry] | None = None
) -> Sources:
    """Return what a reply may rest on, for the questions asked.

    `told_in` names the conversation whose ledger counts; None where nothing can have been told yet.
    """
    known = ledger.registry() if registry is None else registry
    roots = {root_of(q.key, known) for q in questions if q.key and q.key in known}
    versions = ledger.versions(roots) if roots else ()
    told = ledger.told(told_in) if told_in is not None else None
    return Sources(
        registry=known,
        versions=versions,
        version_names=frozenset(v.version for v in versions) if roots else ledger.version_names(),
        locked=told.live if told else {},
        recorded_texts=told.texts if told else (),
    )


def requested_on(facts: Mapping[str, object], asked_at: datetime | None, now: datetime, zone: ZoneInfo) -> date:
    """Return the request day: the fact, else the answered message's day in the organisation's zone, else today."""
    given = facts.get("requested_on")
    if given is not None:
        return plain_date("facts.requested_on", given)
    return (asked_at or now).astimezone(zone).date()


def given_for(
    item: ReviewItem, *, now: datetime, text: str | None = None, calendar: BusinessCalendar | None = None
) -> Given:
    """Gather everything that one analysis of an item needs; `text` replaces the newest draft version's."""
    calendar = calendar or organisation_calendar()
    newest = current_version(item)
    first = item.draft_versions.get(number=1).text if newest.number > 1 else newest.text
    body = newest.text if text is None else text
    thread = list(item.conversation.messages.all())
    questions = questions_of(item)
    reply_to = next((m for m in thread if m.pk == item.reply_to_id), None)
    return Given(
        text=body,
        questions=questions,
        now=now,
        requested_on=requested_on(item.facts, reply_to.sent_at if reply_to else None, now, calendar.zone),
        written_on=(now if body != newest.text else newest.created_at).astimezone(calendar.zone).date(),
        calendar=calendar,
        notes=notes_of(item),
        messages=tuple(ThreadMessage(m.external_id, m.role, m.text, m.sent_at) for m in thread),
        reply_to=reply_to.external_id if reply_to else None,
        desk_messages=frozenset(m.external_id for m in thread if m.through_desk),
        sources=sources(item.conversation.external_id, questions),
        facts=item.facts,
        channel=item.conversation.channel,
        ticket=ticket_values(item.ticket),
        dismissed=tuple(Dismissed(d.subject, d.quote) for d in item.dismissals.all()),
        edited=body != first,
        newer_message=is_overtaken(item, thread),
    )


def notes_of(item: ReviewItem) -> ModelNotes:
    """Return what the model said beside its text."""
    return ModelNotes(
        raw_output=item.raw_output,
        selected_version=item.selected_version,
        missing_fields=tuple(item.missing_fields),
        retrieved=tuple(Retrieved(r["doc_id"], r.get("section"), r.get("score")) for r in item.retrieved),
    )


def ticket_values(ticket: Ticket | None) -> Mapping[str, object] | None:
    """Return the ticket as the helpdesk sent it, with its id and `as_of`; None where there is none."""
    if ticket is None:
        return None
    return {**ticket.fields, "id": ticket.external_id, "as_of": ticket.as_of}


def is_overtaken(item: ReviewItem, thread: Iterable[Message]) -> bool:
    """Say whether the customer wrote after the newest message this draft's reviewer has answered."""
    return any(m.role == "customer" and m.ordinal > item.seen_ordinal for m in thread)


def current_version(item: ReviewItem) -> DraftVersion:
    """Return the newest text of a draft."""
    return item.draft_versions.get(number=item.version)


def original_text(item: ReviewItem) -> str:
    """Return the text as the draft brought it in."""
    return item.draft_versions.get(number=1).text


def visible_items(user: User | AnonymousUser) -> QuerySet[ReviewItem]:
    """Return the items a person may see. The one rule for list, detail, count, search, export and API.

    Whoever has one of the four roles sees all items; anybody else sees none.
    """
    if not may_read(user):
        return ReviewItem.objects.none()
    return ReviewItem.objects.all()


HELD_ROLES = "_held_roles"
"""Where a person object keeps its roles; such an object lives for one request, so a change counts from the next."""
ROLES = frozenset({"agent", "policy_owner", "manager", "administrator"})


def roles_of(user: User | AnonymousUser) -> frozenset[str]:
    """Return the roles of an active person; nobody else has any."""
    if not user.is_active or user.is_anonymous:
        return frozenset()
    held: frozenset[str] | None = user.__dict__.get(HELD_ROLES)
    if held is None:
        held = frozenset(user.groups.values_list("name", flat=True)) & ROLES
        user.__dict__[HELD_ROLES] = held
    return held


def may_read(user: User | AnonymousUser) -> bool:
    """Say whether this person may read items, ledger, policies and corrections."""
    return bool(roles_of(user))


def open_items() -> QuerySet[ReviewItem]:
    """Return the items that wait for a decision, oldest first."""
    return ReviewItem.objects.filter(state__in=OPEN_STATES).order_by("created_at", "id")


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """One repeat answered without the locked text: a decided reply, or one posted outside the desk."""

    conversation_id: str
    question_key: str
    text: str
    said_by: str


def audit() -> tuple[AuditCheck, ...]:
    """Run the five checks of rule 3.8; what the ledger cannot see of check 3 comes from the replies."""
    return ledger.audit({3: [asdict(each) for each in fresh_answers()]})


def fresh_answers() -> tuple[FreshAnswer, ...]:
    """Return the repeats answered from fresh retrieval (audit check 3)."""
    return (*_decided_without_replay(), *_posted_outside())


def _decided_without_replay() -> Iterator[FreshAnswer]:
    unreplayed = Decision.objects.filter(branch__in=REPLAY_BRANCHES, kind__in=("approve", "edit"), entry_ids=[])
    for decision in unreplayed.select_related("item__conversation", "decided_by").order_by("decided_at"):
        yield FreshAnswer(
            decision.item.conversation.external_id,
            decision.root_key or "",
            decision.text,
            decision.decided_by.get_username(),
        )


def _posted_outside() -> Iterator[FreshAnswer]:
    """Hold each agent message from outside the desk against the answers its customer had been given."""
    told = ledger.recorded_texts_by_key()
    outside = Message.objects.filter(role="agent", through_desk=False, conversation__external_id__in=list(told))
    for message in outside.select_related("conversation").order_by("conversation_id", "ordinal"):
        conversation = message.conversation.external_id
        for key, texts in told[conversation].items():
            if any(contains_verbatim(message.text, text) for text in texts):
                continue
            if answer_in_thread(message.text, texts[-1]) is not None:
                yield FreshAnswer(conversation, key, message.text, "outside the desk")
