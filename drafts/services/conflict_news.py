"""Tell people of conflicts: policy owners that one waits for them, agents that theirs is settled.

Part of other services; needs an open transaction.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from drafts.decisions.reminding import Reminder, reminder
from drafts.decisions.transitions import OPEN_STATES
from drafts.models import Event, Notice, ReviewItem
from drafts.queries.policy_owners import policy_owners, responsible
from drafts.services.notices import tell
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.keys import root_of
from ledger.decisions.vocabulary import Branch
from ledger.queries import ConflictView

NAMED = 6
LISTED = 20
"""Conflicts that one notice names."""
OPENED, GIVEN, SETTLED = "conflict_opened", "conflict_given", "conflict_settled"
_OPENED = "opened"
_NOTHING_LEAVES = "Nothing goes out on it until one of them is chosen."
_NOTHING_LEAVES_ON_THESE = "Nothing goes out on these questions until one of the documents is chosen for each."
_OVER = "The conflict was over before the mail left."
_AGAIN = {
    Reminder.DUE_TODAY: ("conflict_due_today", "due today"),
    Reminder.OVERDUE: ("conflict_overdue", "overdue"),
}


@dataclass(frozen=True, slots=True)
class _News:
    """What there is to tell of an open conflict, once to each person: `what` names it, `heading` is for the subject."""

    view: ConflictView
    kind: str
    what: str
    heading: str


def tell_of_open(*, now: datetime, calendar: BusinessCalendar, only: Collection[str] | None = None) -> int:
    """Tell the owners of open conflicts what they do not know yet, and remind them; return how many notices.

    `only` names conflicts by id; without it, all that are open are looked at. Repeating this tells nobody twice.
    """
    open_now = ledger.conflicts(state="open")
    standing = [view for view in open_now if only is None or view.id in only]
    owners = tuple(policy_owners()) if standing else ()
    known = _known(view.id for view in standing)
    news = [
        (person, one)
        for view in standing
        for one in _news(view, now, calendar)
        for person in responsible(view.owner, owners)
        if (person.pk, view.id, one.what) not in known
    ]
    opened = [(person, one.view) for person, one in news if one.kind == OPENED]
    reminded = sum(_remind(person, one, calendar.zone, now) for person, one in news if one.kind != OPENED)
    return _tell_opened(opened, {view.id: view for view in open_now}, calendar.zone, now) + reminded


def _known(ids: Iterable[str]) -> set[tuple[int, str, str]]:
    """Return who was told what of which conflict."""
    wanted = tuple(ids)
    rows = Notice.objects.filter(conflicts__has_any_keys=wanted) if wanted else Notice.objects.none()
    return {
        (person, conflict_id, about.split(":", 2)[2])
        for person, conflicts, about in rows.values_list("person", "conflicts", "about")
        for conflict_id in conflicts
    }


def _tell_opened(
    news: Iterable[tuple[User, ConflictView]], open_now: Mapping[str, ConflictView], zone: ZoneInfo, now: datetime
) -> int:
    """Write one notice a person, however many conflicts they hear of at once; return how many were written."""
    by_person: dict[User, list[ConflictView]] = {}
    for person, view in news:
        by_person.setdefault(person, []).append(view)
    return sum(
        _tell_together(person, [*_taken_back(person, open_now, now), *views], zone, now)
        for person, views in by_person.items()
    )


def _taken_back(person: User, open_now: Mapping[str, ConflictView], now: datetime) -> list[ConflictView]:
    """Take back what this transaction told the person already, to tell it together with the rest.

    Everything that a transaction tells bears the same instant.
    """
    earlier = Notice.objects.filter(person=person, kind=OPENED, created_at=now, read_at=None, mail_attempts=0)
    ids = [conflict_id for conflicts in earlier.values_list("conflicts", flat=True) for conflict_id in conflicts]
    earlier.delete()
    return [open_now[conflict_id] for conflict_id in ids if conflict_id in open_now]


def _tell_together(person: User, views: Sequence[ConflictView], zone: ZoneInfo, now: datetime) -> bool:
    ids = [view.id for view in views]
    if len(views) == 1:
        (view,) = views
        return tell(
            person=person, kind=OPENED, about=f"conflict:{view.id}:{_OPENED}",
            subject=f"Conflict to settle: {view.question_key}", text=_of_open(view, zone, now), path=_path(view),
            now=now, conflicts=ids,
        )  # fmt: skip
    named = [f"{_sides(view)} {_due(view, zone, now)}" for view in views[:LISTED]]
    more = [f"And {len(views) - LISTED} more."] if len(views) > LISTED else []
    return tell(
        person=person, kind=OPENED, about=f"conflict:{sha256(' '.join(ids).encode()).hexdigest()}:{_OPENED}",
        subject=f"{len(views)} conflicts to settle",
        text="\n\n".join([_NOTHING_LEAVES_ON_THESE, *named, *more]),
        path="/conflicts/", now=now, conflicts=ids,
    )  # fmt: skip


def _remind(person: User, news: _News, zone: ZoneInfo, now: datetime) -> bool:
    view = news.view
    return tell(
        person=person, kind=news.kind, about=f"conflict:{view.id}:{news.what}",
        subject=f"Conflict {news.heading}: {view.question_key}", text=_of_open(view, zone, now), path=_path(view),
        now=now, conflicts=[view.id],
    )  # fmt: skip


def tell_new_owner(view: ConflictView, owner: User, actor: User, *, now: datetime, zone: ZoneInfo) -> bool:
    """Tell a policy owner that a conflict was given to them; who takes one for themselves knows."""
    if owner == actor:
        return False
    given_by = actor.get_full_name() or actor.get_username()
    return tell(
        person=owner, kind=GIVEN, about=f"conflict:{view.id}:given:{now.isoformat()}",
        subject=f"Conflict given to you: {view.question_key}",
        text=f"{given_by} gave you this conflict.\n\n{_of_open(view, zone, now)}", path=_path(view), now=now,
        conflicts=[view.id],
    )  # fmt: skip


def held(roots: Iterable[str]) -> tuple[ReviewItem, ...]:
    """Return the open items that a conflict about one of these root keys holds up."""
    known, wanted = ledger.registry(), set(roots)
    family = [key for key in known if root_of(key, known) in wanted]
    return tuple(_waiting().filter(question_key__in=family).select_related("holder").order_by("pk"))


def tell_released(before: Sequence[ReviewItem], settled: Iterable[str], *, now: datetime) -> int:
    """Note which of these items no longer wait for a conflict, and tell whoever holds or escalated each; how many.

    `settled` are the ids of conflicts that ended; an item belongs to the one on its channel. Who was asked to settle
    them need not read that any more.
    """
    views = [view for view in (ledger.conflict(one) for one in settled) if view is not None]
    _mark_over([view.id for view in views], now)
    ended = {(view.question_key, view.channel): view for view in views}
    still = set(_waiting().filter(pk__in=[item.pk for item in before]).values_list("pk", flat=True))
    known = ledger.registry() if ended else {}
    freed = [item for item in before if item.pk not in still]
    for item in freed:
        root = root_of(item.question_key, known) if item.question_key else ""
        view = ended.get((root, item.conversation.channel or ""))
        if view is not None:
            _release(item, view, now)
    return len(freed)


def _mark_over(ended: Sequence[str], now: datetime) -> None:
    """Mark the notices as read whose conflicts are all over, and keep their mails from leaving."""
    asking = Notice.objects.filter(conflicts__has_any_keys=ended) if ended else Notice.objects.none()
    told = dict(asking.filter(Q(read_at=None) | Q(mail=Notice.Mail.WAITING)).values_list("pk", "conflicts"))
    over = ledger.ended_conflicts({one for conflicts in told.values() for one in conflicts}) if told else {}
    closed = Notice.objects.filter(pk__in=[pk for pk, conflicts in told.items() if over.keys() >= set(conflicts)])
    closed.filter(mail=Notice.Mail.WAITING).update(mail=Notice.Mail.NONE, mail_due_at=None, mail_because=_OVER)
    closed.filter(read_at=None).update(read_at=now)


def _release(item: ReviewItem, view: ConflictView, now: datetime) -> None:
    Event.objects.create(
        item=item, kind="item:conflict:settled", happened_at=now, detail={"conflict": view.id, "kept": view.kept}
    )
    what = f"{view.kept} answers from now on." if view.kept else "Its sources stopped competing."
    for person in _waiting_people(item):
        tell(
            person=person, kind=SETTLED, about=f"conflict:{view.id}:settled:{item.pk}",
            subject=f"Conflict settled: {view.question_key}",
            text=f"The conflict about “{view.question_canonical}” is settled. {what}\n\n"
            f"The draft {item.external_id} waited for it and can be decided now.",
            path=f"/review/{item.pk}/", now=now,
        )  # fmt: skip


def _waiting_people(item: ReviewItem) -> tuple[User, ...]:
    """Return who holds the item and who escalated it last, each once."""
    last = item.escalations.select_related("escalated_by").order_by("-escalated_at", "-pk").first()
    people = (item.holder, last.escalated_by if last else None)
    return tuple({person.pk: person for person in people if person is not None}.values())


def _waiting() -> QuerySet[ReviewItem]:
    return ReviewItem.objects.filter(Q(branch=Branch.SOURCES_CONFLICT), state__in=OPEN_STATES).select_related(
        "conversation"
    )


def _news(view: ConflictView, now: datetime, calendar: BusinessCalendar) -> Iterable[_News]:
    """Yield what there is to tell of an open conflict."""
    yield _News(view, OPENED, _OPENED, "to settle")
    due = reminder(opened_at=view.opened_at, due_at=view.due_at, now=now, calendar=calendar)
    if due is not None:
        kind, heading = _AGAIN[due.reminder]
        yield _News(view, kind, f"{due.reminder}:{due.day}", heading)


def _of_open(view: ConflictView, zone: ZoneInfo, now: datetime) -> str:
    return f"{_sides(view)}\n\n{_NOTHING_LEAVES} {_due(view, zone, now)}"


def _sides(view: ConflictView) -> str:
    names = ", ".join(f"{member.version} of {member.doc_id}" for member in view.members[:NAMED])
    more = f" and {len(view.members) - NAMED} more" if len(view.members) > NAMED else ""
    return (
        f"“{view.question_canonical}” is answered by more than one document on the channel {view.channel}: "
        f"{names}{more}."
    )


def _due(view: ConflictView, zone: ZoneInfo, now: datetime) -> str:
    due = view.due_at.astimezone(zone)
    is_due = "was due" if view.due_at < now else "is due"
    return f"It {is_due} on {due:%-d %B %Y} at {due:%H:%M}."


def _path(view: ConflictView) -> str:
    return f"/conflicts/{view.id}/"
