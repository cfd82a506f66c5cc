"""Look for conflicts between sources, remind their owners, give one to somebody else. Each is one transaction."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from drafts.queries.policy_owners import policy_owners
from drafts.services import analysing, conflict_news
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.queries import ConflictView
from ledger.services import conflicts
from ledger.services.conflicts import ConflictNotSettled


@transaction.atomic(durable=True)
def search(*, now: datetime, calendar: BusinessCalendar) -> tuple[str, ...]:
    """Look at every key for sources that compete, and end what no longer does; return the ids of new conflicts.

    Drafts that a new conflict holds up, or an ended one sets free, are analysed again.
    """
    closed = conflicts.close_obsolete(now=now)
    found = conflicts.find_conflicts(ledger.registry(), found_by="nightly", now=now, calendar=calendar)
    follow(closed, {one.question_key_id for one in found}, found_by="nightly", now=now, calendar=calendar)
    return tuple(str(one.pk) for one in found)


@transaction.atomic(durable=True)
def remind(*, now: datetime, calendar: BusinessCalendar) -> int:
    """Tell the owners of open conflicts what is due; return how many notices were written."""
    return conflict_news.tell_of_open(now=now, calendar=calendar)


@transaction.atomic(durable=True)
def reassign_conflict(
    *, conflict_id: UUID | str, to: str, actor: User, now: datetime, calendar: BusinessCalendar
) -> ConflictView:
    """Give an open conflict to another policy owner, who is told. Says what stands.

    Raises Conflict.DoesNotExist, ConflictNotSettled where it is closed or `to` is no active policy owner.
    """
    owner = policy_owners().filter(username=to).first()
    if owner is None:
        raise ConflictNotSettled("to", f"{to!r} is no active policy owner. Choose one of the list.")
    given = conflicts.reassign(conflict_id=conflict_id, owner=owner)
    view = ledger.conflict(conflict_id)
    if view is None:
        raise ConflictNotSettled("state", "This conflict is gone.")
    if given:
        conflict_news.tell_new_owner(view, owner, actor, now=now, zone=calendar.zone)
    return view


def published(keys: Iterable[str], *, now: datetime, calendar: BusinessCalendar, ended: Iterable[str] = ()) -> int:
    """After sources changed: end and open conflicts, and analyse the drafts that ask these root keys again; how many.

    `ended` are conflicts that the change itself settled. Part of other services; needs an open transaction.
    """
    roots = set(keys)
    closed = conflicts.close_obsolete(now=now)
    conflicts.find_conflicts(roots, found_by="publishing", now=now, calendar=calendar)
    return follow((*ended, *closed), roots, found_by="publishing", now=now, calendar=calendar)


def follow(
    closed: Iterable[str], roots: Iterable[str], *, found_by: str, now: datetime, calendar: BusinessCalendar
) -> int:
    """Analyse the drafts of these root keys and of the conflicts that ended, and tell whom it concerns; how many.

    Part of other services; needs an open transaction.
    """
    ended = [view for view in (ledger.conflict(one) for one in closed) if view is not None]
    concerned = {*roots, *(view.question_key for view in ended)}
    before = conflict_news.held(concerned) if ended else ()
    count = analysing.refresh_for_keys(concerned, now=now, calendar=calendar, found_by=found_by) if concerned else 0
    conflict_news.tell_released(before, [view.id for view in ended], now=now)
    conflict_news.tell_of_open(now=now, calendar=calendar)
    return count
