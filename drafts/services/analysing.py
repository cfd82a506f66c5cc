"""Compute an item's analysis and keep it with the item. Part of other services; needs an open transaction."""

from collections.abc import Collection, Iterable
from datetime import datetime

from drafts import queries
from drafts.decisions import blockers
from drafts.decisions.analysis import analyse
from drafts.decisions.deadlines import deadline
from drafts.decisions.given import Analysis, Given
from drafts.decisions.report import as_json
from drafts.decisions.transitions import OPEN_STATES, ItemState
from drafts.models import Claim, Conversation, Finding, ReviewItem
from drafts.queries.affected import asking
from drafts.services import conflict_news
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.vocabulary import Branch, Handler
from ledger.services import conflicts

AT_ONCE = 500
"""Open items that one change analyses again in its own transaction; the rest is fresh when it is opened or decided."""

BY_AN_ASK = "ask"
"""What finds a conflict where nothing else changed: a customer asks."""

LOOKED_AT = ("analysis", "branch", "handler", "due_at", "deadline_at", "blocker_count")
"""The columns that an analysis sets."""


def refresh(item: ReviewItem, *, now: datetime, calendar: BusinessCalendar, found_by: str = BY_AN_ASK) -> Analysis:
    """Analyse an item's newest text, open the conflicts found, and store the result with the item.

    `found_by` says what led here, which a conflict that is opened keeps.
    """
    given = queries.given_for(item, now=now, calendar=calendar)
    analysis = look(item, given, now=now, found_by=found_by)
    keep(item, analysis, given)
    return analysis


def keep(item: ReviewItem, analysis: Analysis, given: Given) -> None:
    """Store an analysis with its item, in place of an earlier one."""
    _set(item, analysis, given)
    item.save(update_fields=LOOKED_AT)
    item.claims.all().delete()
    item.findings.all().delete()
    store_rows(item, analysis)


def look(item: ReviewItem, given: Given, *, now: datetime, found_by: str = BY_AN_ASK) -> Analysis:
    """Analyse what was given, open the conflicts found, and set the result on the item, which the caller saves."""
    analysis = analyse(given)
    _open_conflicts(analysis, given, now, found_by)
    _set(item, analysis, given)
    return analysis


def _set(item: ReviewItem, analysis: Analysis, given: Given) -> None:
    item.analysis = as_json(analysis, given)
    item.branch = analysis.first.gate.branch
    item.handler = Handler.POLICY_OWNER if item.state == ItemState.ESCALATED else analysis.first.gate.handler
    item.due_at = analysis.first.gate.due_at
    item.deadline_at = deadline(given, analysis.first.gate.due_at)
    item.blocker_count = len(analysis.blockers)


def refresh_all(
    items: Iterable[ReviewItem], *, now: datetime, calendar: BusinessCalendar, found_by: str = BY_AN_ASK
) -> int:
    """Analyse several items again and say how many."""
    count = 0
    for item in items:
        refresh(item, now=now, calendar=calendar, found_by=found_by)
        count += 1
    return count


def refresh_others(item: ReviewItem, *, now: datetime, calendar: BusinessCalendar) -> int:
    """Analyse a conversation's other open drafts again, since what its customer was told has changed."""
    others = ReviewItem.objects.filter(conversation=item.conversation_id, state__in=OPEN_STATES).exclude(pk=item.pk)
    return refresh_all(others.order_by("id")[:AT_ONCE], now=now, calendar=calendar)


def refresh_open_of(conversation: Conversation, *, now: datetime, calendar: BusinessCalendar) -> int:
    """Analyse a conversation's open drafts again, and say how many."""
    still_open = conversation.items.filter(state__in=OPEN_STATES).order_by("id")
    return refresh_all(still_open[:AT_ONCE], now=now, calendar=calendar)


def refresh_for_keys(roots: Collection[str], *, now: datetime, calendar: BusinessCalendar, found_by: str) -> int:
    """Analyse the oldest open drafts that ask one of these questions again, after their sources changed."""
    oldest = asking(roots).order_by("created_at", "id")[:AT_ONCE]
    return refresh_all(oldest, now=now, calendar=calendar, found_by=found_by)


def _open_conflicts(analysis: Analysis, given: Given, now: datetime, found_by: str) -> None:
    for one in analysis.asked:
        if one.gate.branch is Branch.SOURCES_CONFLICT and one.root is not None and given.channel is not None:
            met = conflicts.meet(
                key=one.root, channel=given.channel, versions=one.route.candidates, found_by=found_by, now=now,
                calendar=given.calendar,
            )  # fmt: skip
            if met.is_new:
                conflict_news.tell_of_open(now=now, calendar=given.calendar, only={str(met.conflict.pk)})


def store_rows(item: ReviewItem, analysis: Analysis) -> None:
    """Store the claims and findings of the item's newest draft version."""
    Claim.objects.bulk_create(
        Claim(
            item=item,
            version=item.version,
            start=c.start,
            end=c.end,
            cls=c.cls,
            sub=c.sub,
            tier=c.tier,
            rule=c.rule,
            verdict=c.verdict,
            record=c.record,
            needs=c.needs,
        )
        for c in analysis.claims
    )
    Finding.objects.bulk_create(
        Finding(
            item=item,
            version=item.version,
            code=f.code,
            message=f.message,
            start=f.start,
            end=f.end,
            blocking=blockers.blocks(f),
        )
        for f in analysis.findings
    )
