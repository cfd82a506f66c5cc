"""The audit, with the check that the ledger cannot see: repeats that were answered from fresh retrieval (rule 3.8).

Check 3 has two kinds of rows. A *decided* reply to a question with a locked answer that wrote no REPLAY stands until a
correction on that key tells the customer what holds. A *reply from outside* that states a value (see
`drafts.decisions.outside_commitments`) stands until a person settles it with a reason, or a correction of that reply or
on that key comes after it. A correction that was undone before it left mends nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from django.contrib.auth.models import User

from drafts.models import AuditRun, Conversation
from ledger.decisions.vocabulary import REPLAY_BRANCHES
from ledger.queries import auditing as ledger
from ledger.queries.auditing import FIRST_ROWS, NAMES, AuditCheck

_CORRECTED = """EXISTS (
    SELECT FROM drafts_correction k
    WHERE k.conversation_id = {conversation} AND k.withdrawn_at IS NULL AND k.corrected_at > {at} AND {which}
)"""
_BRANCHES = ", ".join(f"'{branch.value}'" for branch in sorted(REPLAY_BRANCHES))
_OUTSIDE_MENDED = _CORRECTED.format(
    conversation="o.conversation_id",
    at="o.found_at",
    which="(k.question_key = o.question_key OR k.outside_message_id = o.message_id)",
)
_DECIDED_MENDED = _CORRECTED.format(
    conversation="i.conversation_id", at="d.decided_at", which="k.question_key = d.root_key"
)
_FRESH = f"""
    SELECT c.external_id AS conversation_id, o.question_key, o.sentence AS text, 'outside the desk' AS said_by,
        o.found_at AS said_at, o.id AS commitment_id, NULL AS item_id, o.differs, o.entry_id::text AS entry_id
    FROM drafts_outsidecommitment o JOIN drafts_conversation c ON c.id = o.conversation_id
    WHERE o.settled_at IS NULL AND NOT {_OUTSIDE_MENDED}
    UNION ALL
    SELECT c.external_id, coalesce(d.root_key, ''), d.text, u.username, d.decided_at, NULL, i.id::text, NULL, NULL
    FROM drafts_decision d
    JOIN drafts_reviewitem i ON i.id = d.item_id
    JOIN drafts_conversation c ON c.id = i.conversation_id
    JOIN auth_user u ON u.id = d.decided_by_id
    WHERE d.branch IN ({_BRANCHES}) AND d.kind IN ('approve', 'edit') AND d.entry_ids = '[]'::jsonb
    AND d.withdrawn_at IS NULL AND NOT {_DECIDED_MENDED}
    ORDER BY said_at, conversation_id, commitment_id
"""  # noqa: S608 - constants of this module


def audit(*, limit: int = FIRST_ROWS) -> tuple[AuditCheck, ...]:
    """Run the five checks of rule 3.8, each with its count and its first rows."""
    return tuple(audit_check(number, limit=limit) for number in NAMES)


def audit_check(number: int, *, start: int = 0, limit: int = FIRST_ROWS) -> AuditCheck:
    """Run one check and return its count with one part of its rows. Raises KeyError for a number that is none."""
    if number == 3:
        return ledger.counted(number, _FRESH, start=start, limit=limit)
    return ledger.check(number, start=start, limit=limit)


def audit_rows(number: int) -> Iterator[Mapping[str, object]]:
    """Yield every row of one check while it is read. Raises KeyError for a number that is none."""
    return ledger.streamed(_FRESH) if number == 3 else ledger.every_row(number)


def audit_runs(*, start: int = 0, limit: int) -> tuple[AuditRun, ...]:
    """Return a part of the recorded runs with their results, the newest first."""
    rows = AuditRun.objects.select_related("started_by").prefetch_related("results").order_by("-started_at", "-pk")
    return tuple(rows[start : start + limit])


def audit_run(run_id: int) -> AuditRun | None:
    """Return one recorded run with its results, or None."""
    return AuditRun.objects.select_related("started_by").prefetch_related("results").filter(pk=run_id).first()


def nightly_run_since(instant: datetime) -> bool:
    """Say whether a nightly run was started at or after an instant."""
    return AuditRun.objects.filter(how="nightly", started_at__gte=instant).exists()


def managers() -> Iterable[User]:
    """Return the active managers, who are told when a check is not healthy."""
    return User.objects.filter(is_active=True, groups__name="manager").order_by("pk")


def conversation_pages(names: Iterable[str]) -> Mapping[str, int]:
    """Return the database key of each of these conversations, by which its page is addressed."""
    return dict(Conversation.objects.filter(external_id__in=set(names)).values_list("external_id", "pk"))
