"""How versions of a document follow each other, and which of them compete for a question (rules 3.1 and 3.3)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import combinations

from ledger.decisions.text import stands_in
from ledger.decisions.vocabulary import Version, VersionStatus


class RefusedBecause(StrEnum):
    """Why a version cannot be stored as it was sent."""

    MALFORMED = "malformed"
    OVERLAP = "overlap"
    IN_USE = "in_use"


@dataclass(frozen=True, slots=True)
class Refused:
    """One reason with the field it is about, in words that say what to do."""

    because: RefusedBecause
    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What storing a version means: the version as it will stand, and the predecessors that end with it."""

    version: Version
    changed: bool
    closes: tuple[Version, ...] = ()


def plan_version(
    sent: Version, *, stored: Version | None, others: Sequence[Version], in_use: bool, document_in_use: bool
) -> Plan | Refused:
    """Say what sending a version changes, or why it is refused.

    `others` are the document's other versions. A later version ends its open-ended predecessor on its first day; a
    version sent with an open end ends where its successor begins, so the order of arrival does not matter and sending
    a predecessor again changes nothing. A version sent without its whole text keeps the text it has, as long as its
    passages stand in it; permission to answer is never sent. Where ledger entries rest on a version (`in_use`), only
    its status and an earlier end can change; where they rest on any version of the document, its kind and deciding
    date stay.
    """
    wanted = replace(
        sent,
        effective_until=_end_of(sent, stored, others, in_use=in_use),
        body=_body_of(sent, stored),
        permitted=any(v.permitted and v.kind is sent.kind for v in ([stored] if stored else others)),
    )
    if stored is not None and _content(stored) == _content(wanted):
        return Plan(stored, changed=False)
    if refused := next(_objections(wanted, stored, others, in_use=in_use, document_in_use=document_in_use), None):
        return refused
    if wanted.status is not VersionStatus.ACTIVE:
        return Plan(wanted, changed=True)
    closes = tuple(replace(v, effective_until=wanted.effective_from) for v in others if _precedes(v, wanted))
    beside = [v for v in others if not _precedes(v, wanted)]
    overlapping = sorted(v.version for v in beside if overlap(v, wanted))
    if overlapping:
        names = ", ".join(overlapping)
        message = (
            f"{wanted.version} overlaps {names} of the same document on a channel and at least one day. "
            "Give one of them other dates or channels."
        )
        return Refused(RefusedBecause.OVERLAP, "effective_from", message)
    return Plan(wanted, changed=True, closes=closes)


def overlap(one: Version, other: Version) -> bool:
    """Say whether two active versions share a channel and a day."""
    if not (_active(one) and _active(other) and one.channels & other.channels):
        return False
    return _days_overlap(one, other)


def competing(versions: Iterable[Version], key: str, channel: str | None = None) -> tuple[Version, ...]:
    """Return the active versions of different documents that can answer `key` for one customer at once.

    A third party's document answers only where it is permitted. Documents with different deciding dates can meet
    whatever their days are.
    """
    answering = [
        v
        for v in versions
        if _active(v)
        and v.answers_for_us
        and v.statement_for(key) is not None
        and (channel is None or channel in v.channels)
    ]
    found = {
        (v.doc_id, v.version): v
        for one, other in combinations(answering, 2)
        if _compete(one, other)
        for v in (one, other)
    }
    return tuple(found[name] for name in sorted(found))


def first_day_together(one: Version, other: Version) -> date | None:
    """Return the first day on which both versions of a competing pair hold; None where different dates choose them."""
    return max(one.effective_from, other.effective_from) if one.deciding_date == other.deciding_date else None


def rivals(own: Iterable[Version], others: Iterable[Version], key: str) -> tuple[Version, ...]:
    """Return the versions among `others` that compete with one of `own` for `key`; see `competing`."""
    mine = tuple(own)
    found = [other for other in others if any(other in competing((one, other), key) for one in mine)]
    return tuple(sorted(found, key=lambda version: (version.doc_id, version.version)))


def _compete(one: Version, other: Version) -> bool:
    if one.doc_id == other.doc_id or not one.channels & other.channels:
        return False
    return one.deciding_date != other.deciding_date or _days_overlap(one, other)


def _days_overlap(one: Version, other: Version) -> bool:
    latest_start = max(one.effective_from, other.effective_from)
    return all(v.effective_until is None or latest_start < v.effective_until for v in (one, other))


def _active(version: Version) -> bool:
    return version.status is VersionStatus.ACTIVE


def _precedes(earlier: Version, later: Version) -> bool:
    """An active, open-ended version on a shared channel that began before: it ends where the later one begins."""
    return (
        _active(earlier)
        and earlier.effective_until is None
        and earlier.effective_from < later.effective_from
        and bool(earlier.channels & later.channels)
    )


def _end_of(sent: Version, stored: Version | None, others: Sequence[Version], *, in_use: bool) -> date | None:
    if sent.effective_until is not None:
        return sent.effective_until
    starts = [v.effective_from for v in others if _active(v) and v.channels & sent.channels]
    successor = min((day for day in starts if day > sent.effective_from), default=None)
    standing = stored.effective_until if stored is not None else None
    keeps_its_end = in_use or successor is not None or not _active(sent)
    if standing is not None and standing > sent.effective_from and keeps_its_end:
        return standing
    return successor if _active(sent) else None


def _body_of(sent: Version, stored: Version | None) -> str | None:
    if sent.body is not None:
        return sent.body or None
    known = stored.body if stored is not None else None
    return known if known and all(stands_in(s.text, known) for s in sent.statements) else None


def _content(version: Version) -> tuple[object, ...]:
    passages = sorted((s.question_key, s.section, s.text) for s in version.statements)
    return (replace(version, statements=()), tuple(passages))


def _objections(
    wanted: Version, stored: Version | None, others: Sequence[Version], *, in_use: bool, document_in_use: bool
) -> Iterator[Refused]:
    yield from _of_document(wanted, stored, others, document_in_use=document_in_use)
    if in_use and stored is not None:
        yield from _of_used_version(wanted, stored)


def _of_document(
    wanted: Version, stored: Version | None, others: Sequence[Version], *, document_in_use: bool
) -> Iterator[Refused]:
    """A document has one kind and one deciding date, whatever its versions."""
    known = stored or next(iter(others), None)
    beside = sorted(v.version for v in others if _active(v))
    for field in ("kind", "deciding_date"):
        if known is None or getattr(known, field) == getattr(wanted, field):
            continue
        standing = f"The document {wanted.doc_id} has the {field} {getattr(known, field)}"
        if document_in_use:
            yield Refused(RefusedBecause.IN_USE, field, f"{standing}; answers rest on it, so it stays.")
        elif beside:
            message = f"{standing} in {', '.join(beside)}; all its versions share it. Use another doc_id."
            yield Refused(RefusedBecause.MALFORMED, field, message)


def _of_used_version(wanted: Version, stored: Version) -> Iterator[Refused]:
    rest = f"Answers rest on {stored.version}: only its status and an earlier end can change. Publish a new version."
    for field in ("title", "channels", "effective_from"):
        if getattr(wanted, field) != getattr(stored, field):
            yield Refused(RefusedBecause.IN_USE, field, rest)
    if _content(wanted)[1] != _content(stored)[1]:
        yield Refused(RefusedBecause.IN_USE, "statements", rest)
    if wanted.body != stored.body:
        yield Refused(RefusedBecause.IN_USE, "body", rest)
    if (wanted.effective_until or date.max) > (stored.effective_until or date.max):
        yield Refused(RefusedBecause.IN_USE, "effective_until", rest)
    if wanted.status is VersionStatus.DRAFT:
        yield Refused(RefusedBecause.IN_USE, "status", f"{rest} Retire it instead of making it a draft again.")
