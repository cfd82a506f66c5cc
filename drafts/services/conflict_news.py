"""Tell people of conflicts: policy owners that one waits for them, agents that theirs is settled.

Part of other services; needs an open transaction.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
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
OPENED, GIVEN, SETTLED = "conflict_opened", "conflict_given", "conflict_settled"
_AGAIN = {
    Reminder.DUE_TODAY: ("conflict_due_today", "due today"),
    Reminder.OVERDUE: ("conflict_overdue", "overdue"),
}


def tell_of_open(*, now: datetime, calendar: BusinessCalendar, only: Collection[str] | None = None) -> int:
    """Tell the owners of open conflicts what they do not know yet, and remind them; return how many notices.

    `only` names conflicts by id; without it, all that are open are looked at. Repeating this tells nobody twice.
    """
    standing = [view for view in ledger.conflicts(state="open") if only is None or view.id in only]
    owners = tuple(policy_owners()) if standing else ()
    news = [
        (person, kind, about, heading, view)
        for view in standing
        for kind, about, heading in _news(view, now, calendar)
        for person in responsible(view.owner, owners)
    ]
    known = set(Notice.objects.filter(about__in={about for _, _, about, _, _ in news}).values_list("person", "about"))
    return sum(
        tell(
            person=person, kind=kind, about=about, subject=f"Conflict {heading}: {view.question_key}",
            text=_of_open(view, calendar.zone, now), path=_path(view), now=now,
        )
        for person, kind, about, heading, view in news
        if (person.pk, about) not in known
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
    )  # fmt: skip


def held(roots: Iterable[str]) -> tuple[ReviewItem, ...]:
    """Return the open items that a conflict about one of these root keys holds up."""
    known, wanted = ledger.registry(), set(roots)
    family = [key for key in known if root_of(key, known) in wanted]
    return tuple(_waiting().filter(question_key__in=family).select_related("holder").order_by("pk"))


def tell_released(before: Sequence[ReviewItem], settled: Iterable[str], *, now: datetime) -> int:
    """Note which of these items no longer wait for a conflict, and tell whoever holds or escalated each; how many.

    `settled` are the ids of conflicts that ended; an item belongs to the one on its channel.
    """
    views = [view for view in (ledger.conflict(one) for one in settled) if view is not None]
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


def _news(view: ConflictView, now: datetime, calendar: BusinessCalendar) -> Iterable[tuple[str, str, str]]:
    """Yield the news about an open conflict: its kind, what it is about, and how the subject calls it."""
    yield OPENED, f"conflict:{view.id}:opened", "to settle"
    due = reminder(opened_at=view.opened_at, due_at=view.due_at, now=now, calendar=calendar)
    if due is not None:
        kind, heading = _AGAIN[due.reminder]
        yield kind, f"conflict:{view.id}:{due.reminder}:{due.day}", heading


def _of_open(view: ConflictView, zone: ZoneInfo, now: datetime) -> str:
    names = ", ".join(f"{member.version} of {member.doc_id}" for member in view.members[:NAMED])
    more = f" and {len(view.members) - NAMED} more" if len(view.members) > NAMED else ""
    due = view.due_at.astimezone(zone)
    is_due = "was due" if view.due_at < now else "is due"
    return (
        f"“{view.question_canonical}” is answered by more than one document on the channel {view.channel}: "
        f"{names}{more}.\n\nNothing goes out on it until one of them is chosen. "
        f"It {is_due} on {due:%-d %B %Y} at {due:%H:%M}."
    )


def _path(view: ConflictView) -> str:
    return f"/conflicts/{view.id}/"
