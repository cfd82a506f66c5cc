"""Reading keys and policy versions as they are sent: JSON values in, plain values out, and every fault named."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from ledger.decisions.fields import KEY_FIELDS, STATEMENT_FIELDS, VERSION_FIELDS, as_place, no_such_field, stray
from ledger.decisions.keys import valid_key
from ledger.decisions.router import BadDate, plain_date
from ledger.decisions.text import is_blank, stands_in, unfit
from ledger.decisions.vocabulary import (
    CommitmentClass,
    DocumentKind,
    KeyEntry,
    Statement,
    Version,
    VersionStatus,
)

_FACT_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WILDCARDS = frozenset({"*", "all", "any"})
_SHOWN = 80
LONGEST_NAME = 256
"""Characters of the name of a document, a version or a channel."""


class Malformed(ValueError):
    """What was sent cannot be read; `field` names the place, the message says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def read_version(doc_id: str, version: str, body: Mapping[str, object]) -> Version:
    """Read the body of a policy version; `doc_id` and `version` are the path's, which win. Raises Malformed.

    Left out, the title is the document's id, the kind own_policy, the status active, the end open and the whole text
    (`body`) unknown. A field that is not known is refused, so that a slip in a name loses nothing unseen.
    """
    _refuse_stray(body, VERSION_FIELDS)
    read = Version(
        doc_id=doc_id,
        version=version,
        title=_text(body, "title", default=doc_id),
        kind=_one_of(body, "kind", DocumentKind, DocumentKind.OWN_POLICY),
        channels=frozenset(_texts(body, "channels")),
        deciding_date=_text(body, "deciding_date"),
        effective_from=_day(body, "effective_from") or date.min,
        effective_until=_day(body, "effective_until"),
        status=_one_of(body, "status", VersionStatus, VersionStatus.ACTIVE),
        statements=tuple(_statements(body)),
        body=_whole_text(body),
    )
    if body.get("effective_from") is None:
        raise Malformed("effective_from", "Give the first day on which the version holds, as YYYY-MM-DD.")
    check_version(read)
    return read


def check_version(version: Version) -> None:
    """Raise Malformed for the first rule a version breaks in itself, whatever else is stored."""
    for field in ("doc_id", "version", "title"):
        if is_blank(getattr(version, field)):
            raise Malformed(field, "This must not be blank.")
        if field != "title" and len(getattr(version, field)) > LONGEST_NAME:
            raise Malformed(field, f"This is too long: at most {LONGEST_NAME} characters fit.")
    _refuse_unfit(version.title, "title")
    _check_channels(version.channels)
    if not _FACT_NAME.fullmatch(version.deciding_date):
        raise Malformed("deciding_date", "Name a fact in lower case, for example received_on.")
    if version.effective_until is not None and version.effective_until <= version.effective_from:
        raise Malformed("effective_until", "The first day on which it no longer holds must lie after effective_from.")
    _check_statements(version.statements)
    _check_body(version)


def read_key(key: str, body: Mapping[str, object]) -> KeyEntry:
    """Read the body of a question key; `owner` is a user name. Raises Malformed, for a field that is not known too."""
    _refuse_stray(body, KEY_FIELDS)
    read = KeyEntry(
        key=key,
        question_canonical=_text(body, "question_canonical"),
        commitment_class=_one_of(body, "commitment_class", CommitmentClass, CommitmentClass.BINDING_POLICY),
        deciding_facts=_texts(body, "deciding_facts"),
        parent=_optional(body, "parent"),
        boundary=_optional(body, "boundary"),
        examples=_texts(body, "examples"),
        owner=_optional(body, "owner"),
    )
    check_key(read)
    return read


def check_key(entry: KeyEntry) -> None:
    """Raise Malformed for the first rule a key breaks in itself."""
    if not valid_key(entry.key):
        raise Malformed("key", "A key reads topic::scope, in lower-case letters a-z, digits and underscores.")
    if is_blank(entry.question_canonical):
        raise Malformed("question_canonical", "Give the question in one sentence.")
    _refuse_unfit(entry.question_canonical, "question_canonical")
    _refuse_unfit(entry.boundary or "", "boundary")
    for field in ("deciding_facts", "examples"):
        for text in getattr(entry, field):
            _refuse_unfit(text, field)
    if entry.parent == entry.key:
        raise Malformed("parent", "A key cannot be its own parent.")
    if entry.parent is not None and is_blank(entry.boundary or ""):
        raise Malformed("boundary", "A key with a parent needs the sentence that sets it off from the parent.")
    if entry.parent is None and entry.boundary is not None:
        raise Malformed("boundary", "Only a key with a parent has a boundary sentence.")
    if blank := [name for name in entry.deciding_facts if is_blank(name)]:
        raise Malformed("deciding_facts", f"Every fact needs a name, not {blank[0]!r}.")


def _check_channels(channels: frozenset[str]) -> None:
    if not channels:
        raise Malformed("channels", "Name at least one channel.")
    for channel in sorted(channels):
        if is_blank(channel):
            raise Malformed("channels", "A channel must not be blank.")
        if len(channel) > LONGEST_NAME:
            raise Malformed("channels", f"A channel is too long: at most {LONGEST_NAME} characters fit.")
        _refuse_unfit(channel, "channels")
        if channel.lower() in _WILDCARDS:
            raise Malformed("channels", f"{channel!r} stands for no channel; name each one.")


def _check_statements(statements: tuple[Statement, ...]) -> None:
    seen: set[str] = set()
    for place, statement in enumerate(statements):
        if not valid_key(statement.question_key):
            raise Malformed(f"statements[{place}].question_key", f"{statement.question_key!r} is no question key.")
        if statement.question_key in seen:
            message = f"A version has at most one statement for {statement.question_key}."
            raise Malformed(f"statements[{place}].question_key", message)
        if is_blank(statement.text):
            raise Malformed(f"statements[{place}].text", "The passage must not be blank.")
        _refuse_unfit(statement.text, f"statements[{place}].text")
        _refuse_unfit(statement.section, f"statements[{place}].section")
        seen.add(statement.question_key)


def _refuse_unfit(text: str, field: str) -> None:
    if fault := unfit(text):
        raise Malformed(field, fault)


def _check_body(version: Version) -> None:
    if not version.body:
        return
    _refuse_unfit(version.body, "body")
    for place, statement in enumerate(version.statements):
        if not stands_in(statement.text, version.body):
            message = (
                f"This passage does not stand in the whole text: {_beginning(statement.text)!r}. Copy it from there."
            )
            raise Malformed(f"statements[{place}].text", message)


def _beginning(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _whole_text(body: Mapping[str, object]) -> str | None:
    sent = _optional(body, "body")
    return None if sent is None else sent.replace("\r\n", "\n").replace("\r", "\n")


def _statements(body: Mapping[str, object]) -> Iterator[Statement]:
    sent = body.get("statements")
    if not isinstance(sent, list):
        raise Malformed("statements", "Send a list of {question_key, section, text}.")
    for place, one in enumerate(sent):
        where = f"statements[{place}]"
        if not isinstance(one, Mapping):
            raise Malformed(where, "Send an object with question_key, section and text.")
        _refuse_stray(one, STATEMENT_FIELDS, within=where)
        yield Statement(
            _text(one, "question_key", within=where),
            _optional(one, "section", within=where) or "",
            _text(one, "text", within=where),
        )


def _refuse_stray(body: Mapping[str, object], known: tuple[str, ...], *, within: str = "") -> None:
    name = stray(body, known)
    if name is not None:
        told = no_such_field(name, known)
        raise Malformed(_place(within, as_place(name)), told[0].upper() + told[1:])


def _text(body: Mapping[str, object], field: str, *, default: str | None = None, within: str = "") -> str:
    value = body.get(field)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise Malformed(_place(within, field), "Send a text.")
    return value


def _optional(body: Mapping[str, object], field: str, *, within: str = "") -> str | None:
    return None if body.get(field) is None else _text(body, field, within=within)


def _texts(body: Mapping[str, object], field: str) -> tuple[str, ...]:
    value = body.get(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Malformed(field, "Send a list of texts.")
    return tuple(value)


def _one_of[E: (DocumentKind, VersionStatus, CommitmentClass)](
    body: Mapping[str, object], field: str, enum: type[E], default: E
) -> E:
    value = body.get(field)
    if value is None:
        return default
    known = [member.value for member in enum]
    if value not in known:
        raise Malformed(field, f"Send one of {', '.join(known)}.")
    return enum(value)


def _day(body: Mapping[str, object], field: str) -> date | None:
    value = body.get(field)
    if value is None:
        return None
    try:
        return plain_date(field, value)
    except BadDate as bad:
        raise Malformed(field, str(bad)) from None


def _place(within: str, field: str) -> str:
    return f"{within}.{field}" if within else field
