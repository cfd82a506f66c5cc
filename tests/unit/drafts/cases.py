"""Values that the tests of analysis share: one calendar, two policies, and a Given to vary."""

from dataclasses import replace
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from drafts.decisions.given import Given, Sources
from drafts.decisions.vocabulary import Message
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.vocabulary import (
    DocumentKind,
    KeyEntry,
    KeyOrigin,
    KeyStatus,
    LockedAnswer,
    QuestionKey,
    Statement,
    Version,
    VersionStatus,
)

NOW = datetime(2026, 5, 12, 9, tzinfo=UTC)  # a Tuesday
CALENDAR = BusinessCalendar(ZoneInfo("Europe/Lisbon"), frozenset(range(5)), time(9), time(18), frozenset())
KEY = "warranty_duration::bicycle"
CHAIN = "warranty_duration::chain"
RETURNS = "return_window::shop"
BOUNDARY = "The chain falls under the same guarantee; it has no term of its own."
PASSAGE = "Every bicycle we build carries an 18-month guarantee from the day of delivery."
OTHER_PASSAGE = "Bicycles carry a 36-month guarantee from the day of delivery."
RETURN_PASSAGE = "Unused goods may be returned within 21 calendar days of delivery."
REGISTRY = {
    KEY: KeyEntry(KEY, "How long is the guarantee on a bicycle?", deciding_facts=("delivered_on",)),
    CHAIN: KeyEntry(CHAIN, "How long is the guarantee on the chain?", parent=KEY, boundary=BOUNDARY),
    RETURNS: KeyEntry(RETURNS, "How long may goods be returned?", deciding_facts=("delivered_on",)),
}
FACTS = {"delivered_on": "2026-04-20"}


def version(
    name: str, text: str, *, doc: str = "guarantee", key: str = KEY, status: VersionStatus = VersionStatus.ACTIVE
):
    return Version(
        doc_id=doc,
        version=name,
        title="Guarantee terms",
        kind=DocumentKind.OWN_POLICY,
        channels=frozenset({"chat"}),
        deciding_date="delivered_on",
        effective_from=date(2026, 1, 1),
        effective_until=None,
        status=status,
        statements=(Statement(key, "1", text),),
    )


GUARANTEE = version("GUA-1", PASSAGE)
RETURN_TERMS = version("RET-7", RETURN_PASSAGE, doc="returns", key=RETURNS)


def asked(key: str | None = KEY) -> QuestionKey:
    return QuestionKey(KeyStatus.ESTABLISHED, key, KeyOrigin.FORM) if key else QuestionKey(KeyStatus.NONE)


def given(text: str = PASSAGE, **changes: object) -> Given:
    base = Given(
        text=text,
        questions=(asked(),),
        now=NOW,
        requested_on=date(2026, 5, 12),
        written_on=date(2026, 5, 12),
        calendar=CALENDAR,
        messages=(Message("m1", "customer", "How long is my bicycle guaranteed?"),),
        reply_to="m1",
        sources=Sources(REGISTRY, (GUARANTEE, RETURN_TERMS)),
        facts=FACTS,
        channel="chat",
    )
    return replace(base, **changes)


def locked(text: str = PASSAGE, **changes: object) -> LockedAnswer:
    base = LockedAnswer(
        entry_id="e1",
        question_key=KEY,
        answer_text=text,
        doc_id="guarantee",
        version="GUA-1",
        section="1",
        facts=FACTS,
        locked_at=datetime(2026, 5, 2, 9, tzinfo=UTC),
    )
    return replace(base, **changes)


def told(answer: LockedAnswer | None = None, versions: tuple[Version, ...] = (GUARANTEE, RETURN_TERMS)) -> Sources:
    """Sources of a conversation in which the answer was given before."""
    answer = answer or locked()
    return Sources(REGISTRY, versions, locked={answer.question_key: answer}, recorded_texts=(answer.answer_text,))
