"""Read a ticket snapshot by dotted paths, and say in words what it records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from drafts.decisions.claims.mapping import RecordMapping
from drafts.decisions.vocabulary import Ticket, Verdict
from ledger.decisions.calendar import BusinessCalendar


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with the record behind it, or with what would support the claim."""

    verdict: Verdict
    record: str | None = None
    needs: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """One ticket field that has a value: its path, the value as compared, and the instant where it is one."""

    path: str
    value: object
    word: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Records:
    """A ticket snapshot as the judge reads it; zones and the moment of sending beside it."""

    ticket: Ticket
    mapping: RecordMapping
    now: datetime
    calendar: BusinessCalendar

    def first(self, paths: Sequence[str]) -> Field | None:
        """Return the first of these fields that has a value."""
        for path in paths:
            value = self._value(path)
            if value is not None and value not in ("", [], {}, ()):
                return Field(path, value, as_word(value), instant_of(value, self.calendar))
        return None

    def empty_contradicts(self, paths: Sequence[str]) -> bool:
        """Say whether one of these fields is authoritative, so that its emptiness is an answer."""
        return any(path in self.mapping.authoritative for path in paths)

    def _value(self, path: str) -> object:
        value: object = self.ticket
        for name in path.split("."):
            if not isinstance(value, Mapping):
                return None
            value = value.get(name)
        return value

    def told(self, field: Field) -> str:
        """Return `field = value` as a reviewer reads it: instants on the wall clock, parcels by the day."""
        if field.at is None or (isinstance(field.value, str) and len(field.value) <= 10):
            return f"{field.path} = {field.value}"
        local = self.calendar.local(field.at)
        if field.path in (*self.mapping.shipped, *self.mapping.delivered):
            return f"{field.path} = {local:%Y-%m-%d}"
        return f"{field.path} = {local:%Y-%m-%d %H:%M} ({self.calendar.zone.key})"

    @property
    def is_over(self) -> Field | None:
        """Return the field that says that nobody works on this ticket any more."""
        if merged := self.first(self.mapping.merged):
            return merged
        status = self.first(self.mapping.status)
        return status if status and status.word in self.mapping.over else None

    @property
    def in_hand(self) -> Field | None:
        """Return the assignee of a ticket that is not over, as the sign that somebody will act."""
        assignee, status = self.first(self.mapping.assignee), self.first(self.mapping.status)
        open_ = status is None or status.word not in self.mapping.over
        return assignee if open_ else None


def supported(record: str) -> Judged:
    """Return a verdict that the record bears the claim out."""
    return Judged(Verdict.SUPPORTED, record)


def contradicted(record: str, needs: str | None = None) -> Judged:
    """Return a verdict that the record says otherwise."""
    return Judged(Verdict.CONTRADICTED, record, needs)


def unsupported(needs: str, record: str | None = None) -> Judged:
    """Return a verdict that no record bears the claim out, with what would."""
    return Judged(Verdict.UNSUPPORTED, record, needs)


def as_word(value: object) -> str:
    """Return a value as it is compared: lower case, `_` for spaces and dashes."""
    return "_".join(str(value).strip().lower().replace("-", " ").replace("_", " ").split())


def instant_of(value: object, calendar: BusinessCalendar) -> datetime | None:
    """Return the instant of an ISO text or datetime; one without a zone is on the organisation's clock."""
    moment: datetime | None = None
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, str) and len(value) >= 10 and value[:4].isdecimal():
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=calendar.zone)).astimezone(UTC)
    except OverflowError:  # the first or last day of all that exist, in a zone beyond it
        return None
