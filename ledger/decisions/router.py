"""Deterministic choice of the one policy version that applies, or a refusal with its reason (rule 3.1)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from operator import attrgetter

from ledger.decisions.vocabulary import Refusal, Version, VersionStatus

_PLAIN_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class BadDate(ValueError):
    """A date is not written as `YYYY-MM-DD`, or is no day of the calendar."""

    def __init__(self, field: str, value: object) -> None:
        super().__init__(f"{field} must be a calendar date written as YYYY-MM-DD, not {value!r}.")
        self.field = field
        self.value = value


class OverlappingVersions(ValueError):
    """Two versions of one document are in force on the same day and channel, so no date can choose between them."""

    def __init__(self, first: Version, second: Version, channel: str) -> None:
        super().__init__(
            f"{first.doc_id}: the versions {first.version} and {second.version} overlap on the channel {channel}."
        )
        self.versions = (first.version, second.version)
        self.channel = channel


@dataclass(frozen=True, slots=True)
class Route:
    """The router's answer: exactly one version, or one refusal, or several candidates, which is a conflict.

    `missing_field` names the absent date of `date_missing`; `deciding_field` the date that any refusal about a date
    is about.
    """

    version: Version | None = None
    refusal: Refusal | None = None
    missing_field: str | None = None
    candidates: tuple[Version, ...] = ()
    deciding_field: str | None = None


def plain_date(field: str, value: object) -> date:
    """Read a calendar date written exactly as `YYYY-MM-DD`; no padding, no time, no other notation.

    Raises BadDate, which names the field.
    """
    if type(value) is date:
        return value
    if not isinstance(value, str) or _PLAIN_DATE.fullmatch(value) is None:
        raise BadDate(field, value)
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise BadDate(field, value) from None


def in_force(version: Version, day: date) -> bool:
    """Say whether an active version's dates include a day: the first day counts, the last does not."""
    if version.status is not VersionStatus.ACTIVE or day < version.effective_from:
        return False
    return version.effective_until is None or day < version.effective_until


def route(
    *,
    key: str | None,
    channel: str | None,
    facts: Mapping[str, object],
    requested_on: date,
    versions: Sequence[Version],
) -> Route:
    """Select the one version that answers `key` on this channel for the customer's own dates (rule 3.1).

    `key` is a root key or None when none is established; dates are calendar dates in the organisation's zone. Each
    document is asked by its own deciding date, and `requested_on` stands for itself. Where more than one document
    answers, none is selected: the candidates are returned. A document that could answer but whose date is missing
    (or lies after the request) is never passed over in favour of another one: the date is asked for first.

    Raises BadDate for a deciding date that is no plain calendar date, OverlappingVersions for versions of one
    document that are in force on the same day and channel.
    """
    covering = [v for v in versions if _answers(v, key)]
    if not covering:
        return Route(refusal=Refusal.SUBJECT_NOT_COVERED)
    if not channel:
        return Route(refusal=Refusal.CHANNEL_MISSING)
    documents = {v.doc_id for v in covering}
    on_channel = [v for v in versions if v.doc_id in documents and _is_offered(v, channel)]
    outcomes = []
    for own in _by_document(on_channel):
        _refuse_overlaps(own, channel)
        if answering := [v for v in own if v.statement_for(key or "") is not None]:
            outcomes.append(_by_date(answering, facts, requested_on))
    return _combine(outcomes) if outcomes else Route(refusal=Refusal.CHANNEL_UNSUPPORTED)


def _is_offered(version: Version, channel: str) -> bool:
    return version.status is VersionStatus.ACTIVE and channel in version.channels


def _answers(version: Version, key: str | None) -> bool:
    """A draft covers nothing yet, and a third party's document answers for us only where it is permitted."""
    if key is None or version.status is VersionStatus.DRAFT or not version.answers_for_us:
        return False
    return version.statement_for(key) is not None


def _by_document(versions: Sequence[Version]) -> Iterable[Sequence[Version]]:
    """Group versions by document, each group in the order of its dates; documents in the order of their ids."""
    groups: dict[str, list[Version]] = {}
    for version in versions:
        groups.setdefault(version.doc_id, []).append(version)
    return (sorted(groups[doc_id], key=_IN_ORDER) for doc_id in sorted(groups))


_IN_ORDER = attrgetter("effective_from", "version")


def _refuse_overlaps(own: Sequence[Version], channel: str) -> None:
    for earlier, later in pairwise(own):
        if earlier.effective_until is None or earlier.effective_until > later.effective_from:
            raise OverlappingVersions(earlier, later, channel)


@dataclass(frozen=True, slots=True)
class _ByDate:
    """What one document says to the dates at hand; `could_answer` when some day up to the request would select it."""

    route: Route
    could_answer: bool


def _by_date(own: Sequence[Version], facts: Mapping[str, object], requested_on: date) -> _ByDate:
    field = own[0].deciding_date
    could_answer = any(v.effective_from <= requested_on for v in own)
    value = requested_on if field == "requested_on" else facts.get(field)
    if value is None:
        return _ByDate(Route(refusal=Refusal.DATE_MISSING, missing_field=field, deciding_field=field), could_answer)
    day = plain_date(f"facts.{field}", value)
    if day > requested_on:
        return _ByDate(Route(refusal=Refusal.DATE_AFTER_REQUEST, deciding_field=field), could_answer)
    found = next((v for v in own if in_force(v, day)), None)
    if found is None:
        return _ByDate(Route(refusal=Refusal.OUTSIDE_EVERY_VERSION, deciding_field=field), could_answer=False)
    return _ByDate(Route(version=found), could_answer)


def _combine(outcomes: Sequence[_ByDate]) -> Route:
    """Weigh the documents: an open date first, then the versions found, then why there is none."""
    if len(outcomes) == 1:
        return outcomes[0].route
    for refusal in (Refusal.DATE_MISSING, Refusal.DATE_AFTER_REQUEST):
        for outcome in outcomes:
            if outcome.route.refusal is refusal and outcome.could_answer:
                return outcome.route
    found = tuple(o.route.version for o in outcomes if o.route.version is not None)
    if len(found) > 1:
        return Route(candidates=found)
    if found:
        return Route(version=found[0])
    order = (Refusal.DATE_MISSING, Refusal.DATE_AFTER_REQUEST, Refusal.OUTSIDE_EVERY_VERSION)
    return next(o.route for refusal in order for o in outcomes if o.route.refusal is refusal)
