"""What policy owners type: a version with its passages, a day on which it ends, a reason."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from django.http import QueryDict

from console.views.insertion import unix_lines
from drafts.decisions.textgate import TextRefused, check_text
from ledger.decisions.router import BadDate, plain_date
from ledger.decisions.sending import Malformed, read_version
from ledger.decisions.text import day_in_words, is_blank, stands_in
from ledger.decisions.vocabulary import DocumentKind, Version, VersionStatus

MOST_ROWS = 60
NAMES = ("doc_id", "version", "title", "kind", "deciding_date", "channels", "effective_from", "effective_until", "body")
ASKED_FOR = {
    "doc_id": "Give the document a short name, by which it is known for good.",
    "version": "Give the version a name, for example RET-3 or 2027-01.",
    "title": "Give it a title that colleagues recognise.",
    "kind": "Say where the document comes from.",
    "deciding_date": "Name the date that chooses between the versions, for example received_on.",
    "channels": "Name at least one channel.",
    "effective_from": "Give the first day on which it holds.",
}
LABELS = {
    "effective_from": "In force from",
    "effective_until": "Until before",
    "deciding_date": "Date that chooses the version",
    "doc_id": "Document",
}
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2999, 12, 31)
OUT_OF_RANGE = f"Give a day between {day_in_words(FIRST_DAY)} and {day_in_words(LAST_DAY)}."
NOT_IN_TEXT = "This passage does not stand in the whole text word for word. Mark it there, or copy it from there."


@dataclass(frozen=True, slots=True)
class Row:
    """One passage as it was typed, with the question it answers."""

    question_key: str = ""
    section: str = ""
    passage: str = ""

    @property
    def is_empty(self) -> bool:
        """Say whether nothing stands in the row."""
        return not self.question_key and is_blank(self.section) and is_blank(self.passage)


@dataclass(frozen=True, slots=True)
class TypedVersion:
    """A version as it was typed; `seen` is the fingerprint of the draft it replaces, empty for a new one."""

    doc_id: str = ""
    version: str = ""
    title: str = ""
    kind: str = DocumentKind.OWN_POLICY.value
    deciding_date: str = ""
    channels: str = ""
    effective_from: str = ""
    effective_until: str = ""
    body: str = ""
    rows: tuple[Row, ...] = (Row(),)
    seen: str = ""

    @property
    def channel_list(self) -> list[str]:
        """Return the channels, which are typed with commas or on lines of their own."""
        return [part.strip() for part in self.channels.replace("\n", ",").split(",") if part.strip()]

    def with_row(self) -> "TypedVersion":
        """Return the same with one more empty row."""
        return replace(self, rows=(*self.rows, Row()) if len(self.rows) < MOST_ROWS else self.rows)

    def without_row(self, place: int) -> "TypedVersion":
        """Return the same without one row."""
        kept = tuple(row for at, row in enumerate(self.rows) if at != place)
        return replace(self, rows=kept or (Row(),))


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a form: the version it says, or what cannot be used of it, by field."""

    version: Version | None
    faults: Mapping[str, str] = field(default_factory=dict)


def typed_version(sent: QueryDict) -> TypedVersion:
    """Return what was typed, to the letter; nothing is judged here."""
    fields = {name: unix_lines(sent.get(name, "")) for name in NAMES}
    given = sent.get("rows", "")
    count = min(int(given), MOST_ROWS) if given.isascii() and given.isdecimal() and len(given) < 4 else 1
    rows = tuple(
        Row(*(unix_lines(sent.get(f"{name}-{place}", "")) for name in ("key", "section", "passage")))
        for place in range(count)
    )
    kept = {name: value if name == "body" else value.strip() for name, value in fields.items()}
    return TypedVersion(**kept, rows=rows or (Row(),), seen=sent.get("seen", ""))


def typed_from(version: Version, *, seen: str = "") -> TypedVersion:
    """Return a stored version as it stands in the form."""
    rows = tuple(Row(one.question_key, one.section, one.text) for one in version.statements)
    return TypedVersion(
        doc_id=version.doc_id,
        version=version.version,
        title=version.title,
        kind=version.kind.value,
        deciding_date=version.deciding_date,
        channels=", ".join(sorted(version.channels)),
        effective_from=version.effective_from.isoformat(),
        effective_until=version.effective_until.isoformat() if version.effective_until else "",
        body=version.body or "",
        rows=rows or (Row(),),
        seen=seen,
    )


def read_typed(typed: TypedVersion) -> Read:
    """Read a version from what was typed; every fault stands under the name of its field."""
    faults = {**dict(_faults_of_rows(typed)), **dict(_faults_of_fields(typed))}
    if faults:
        return Read(None, faults)
    try:
        return Read(read_version(typed.doc_id, typed.version, _as_sent(typed)))
    except Malformed as malformed:
        field = field_of(malformed.field, typed)
        return Read(None, {field: in_labels(malformed.message)})


def in_labels(message: str) -> str:
    """Return a refusal with the labels of this form instead of the names that the API has for its fields."""
    for name, label in LABELS.items():
        message = message.replace(name, f"“{label}”")
    return message


def field_of(field_sent: str, typed: TypedVersion) -> str:
    """Return the field of the form that a field of the API stands for; rows that are empty were not sent."""
    if not field_sent.startswith("statements["):
        return field_sent if field_sent in NAMES else "whole"
    place, _, member = field_sent.removeprefix("statements[").partition("].")
    sent = [at for at, row in enumerate(typed.rows) if not row.is_empty]
    name = {"question_key": "key", "text": "passage"}.get(member, member or "key")
    return f"{name}-{sent[int(place)]}" if place.isdecimal() and int(place) < len(sent) else "whole"


def _as_sent(typed: TypedVersion) -> dict[str, object]:
    return {
        "title": typed.title,
        "kind": typed.kind,
        "channels": typed.channel_list,
        "deciding_date": typed.deciding_date,
        "effective_from": typed.effective_from,
        "effective_until": typed.effective_until or None,
        "status": VersionStatus.DRAFT.value,
        "body": typed.body,
        "statements": [
            {"question_key": row.question_key, "section": row.section, "text": row.passage}
            for row in typed.rows
            if not row.is_empty
        ],
    }


def _faults_of_fields(typed: TypedVersion) -> Iterator[tuple[str, str]]:
    for name in NAMES:
        value = getattr(typed, name)
        if name in ASKED_FOR and is_blank(value):
            yield name, ASKED_FOR[name]
        elif fault := unfit(value):
            yield name, fault
    for name in ("effective_from", "effective_until"):
        if value := getattr(typed, name):
            day = read_day(value)
            if not isinstance(day, date):
                yield name, day


def _faults_of_rows(typed: TypedVersion) -> Iterator[tuple[str, str]]:
    for place, row in enumerate(typed.rows):
        if row.is_empty:
            continue
        for name, value in (("key", row.question_key), ("section", row.section), ("passage", row.passage)):
            if fault := unfit(value):
                yield f"{name}-{place}", fault
        if not row.question_key:
            yield f"key-{place}", "Choose the question that this passage answers."
        if is_blank(row.passage):
            yield f"passage-{place}", "Mark or paste the passage that answers the question."
        elif not is_blank(typed.body) and not stands_in(row.passage, typed.body):
            yield f"passage-{place}", NOT_IN_TEXT


def unfit(text: str) -> str:
    """Say why a text cannot be kept; empty where it can."""
    try:
        check_text("text", text)
    except TextRefused as refused:
        return refused.message
    return ""


def read_day(typed: str) -> date | str:
    """Read a day, or say what is wrong with it."""
    try:
        day = plain_date("on", typed.strip())
    except BadDate:
        return "This is no day of the calendar. Write it as YYYY-MM-DD."
    return day if FIRST_DAY <= day <= LAST_DAY else OUT_OF_RANGE
