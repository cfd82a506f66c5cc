"""What publishing a version would mean, worked out before anybody publishes it (rules 3.1 and 3.3)."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ledger.decisions.differences import Agreement, ValueRow, differences, in_words
from ledger.decisions.policies import Plan, Refused, plan_version, rivals
from ledger.decisions.vocabulary import Statement, Version, VersionStatus


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that the predecessor has otherwise; values in words, empty where there is none."""

    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PassageChange:
    """What becomes of the answer to one key: None where one of the versions does not answer it.

    `values` are those in which the two passages differ, as (predecessor, version).
    """

    question_key: str
    before: Statement | None
    after: Statement | None
    values: tuple[ValueRow, ...]

    @property
    def is_same(self) -> bool:
        """Say whether the passage and its section stay to the letter."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Contest:
    """A key that other documents would answer as well, with those of their versions that can meet this one."""

    question_key: str
    rivals: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """Who answers a key where one version no longer does, and the version's channels on which nobody does."""

    question_key: str
    heirs: tuple[Version, ...]
    left_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What publishing means: what is stored, what ends with it, what changes, and who else would answer.

    `digest` stands for all of it: another preview of the same meaning has the same one.
    """

    plan: Plan
    predecessor: Version | None
    fields: tuple[FieldChange, ...]
    passages: tuple[PassageChange, ...]
    contests: tuple[Contest, ...]
    digest: str

    @property
    def question_keys(self) -> tuple[str, ...]:
        """Return the keys that the version or its predecessor answers, by name."""
        return tuple(change.question_key for change in self.passages)


def preview(
    sent: Version,
    *,
    stored: Version | None,
    others: Sequence[Version],
    elsewhere: Iterable[Version],
    in_use: bool = False,
    document_in_use: bool = False,
) -> Preview | Refused:
    """Say what storing a version would mean, or why it is refused; nothing is decided by it.

    `others` are the document's other versions, `elsewhere` those of other documents that answer one of its keys.
    """
    plan = plan_version(sent, stored=stored, others=others, in_use=in_use, document_in_use=document_in_use)
    if isinstance(plan, Refused):
        return plan
    before = predecessor(plan.version, others)
    contests = tuple(_contests(plan.version, tuple(elsewhere)))
    return Preview(
        plan=plan,
        predecessor=before,
        fields=tuple(_fields(before, plan.version)) if before else (),
        passages=tuple(_passages(before, plan.version)),
        contests=contests,
        digest=_digest(plan, contests),
    )


def predecessor(version: Version, others: Iterable[Version]) -> Version | None:
    """Return the published version that this one follows: the latest before it, on a shared channel if any."""
    earlier = [
        v
        for v in others
        if v.status is not VersionStatus.DRAFT
        and v.version != version.version
        and v.effective_from < version.effective_from
    ]
    return max(
        earlier,
        key=lambda v: (bool(v.channels & version.channels), v.status is VersionStatus.ACTIVE, v.effective_from),
        default=None,
    )


def without(version: Version, remaining: Iterable[Version], on: date) -> tuple[Without, ...]:
    """Say for each key of an active version what answers it on a day without it, and on which of its channels nothing.

    `remaining` are the versions that would still stand, of whatever document.
    """
    standing = [v for v in remaining if (v.doc_id, v.version) != (version.doc_id, version.version)]
    return tuple(_without(version, statement.question_key, standing, on) for statement in version.statements)


def told(meant: Preview) -> tuple[str, ...]:
    """Say what a version changes against its predecessor, one line for each thing; dates as they are written."""
    before = meant.predecessor
    lines = [f"follows {before.version}"] if before else []
    lines += [f"{one.field}: {one.before or 'none'} -> {one.after or 'none'}" for one in meant.fields]
    lines += [line for change in meant.passages if (line := _told_of(change, first=before is None))]
    lines += [f"{one.question_key} is also answered by {_names(one.rivals)}" for one in meant.contests]
    return tuple(lines)


def _told_of(change: PassageChange, *, first: bool) -> str:
    if change.after is None:
        return f"{change.question_key}: no longer answered"
    if change.before is None:
        return f"{change.question_key}: answered{'' if first else ' from now on'}"
    if change.is_same:
        return ""
    values = [
        f"{' / '.join(in_words(fact) if fact else 'nothing' for fact in row.facts)}"
        for row in change.values
        if row.agreement is not Agreement.NEAR
    ]
    return f"{change.question_key}: the passage changes{': ' + '; '.join(values) if values else ''}"


def _names(versions: Iterable[Version]) -> str:
    return ", ".join(f"{version.doc_id}/{version.version}" for version in versions)


def fingerprint(version: Version) -> str:
    """Return a digest of everything that a version says, so that a form can tell whether it moved on."""
    return _hashed(_plain(version))


def _without(version: Version, key: str, standing: Iterable[Version], on: date) -> Without:
    heirs = tuple(
        v
        for v in standing
        if v.answers_for_us
        and v.status is VersionStatus.ACTIVE
        and v.channels & version.channels
        and (v.effective_until is None or v.effective_until > on)
        and v.statement_for(key) is not None
    )
    return Without(key, heirs, tuple(sorted(version.channels.difference(*(v.channels for v in heirs)))))


def _fields(before: Version, after: Version) -> Iterator[FieldChange]:
    pairs = (
        ("title", before.title, after.title),
        ("channels", _named(before.channels), _named(after.channels)),
        ("effective_from", before.effective_from.isoformat(), after.effective_from.isoformat()),
        ("effective_until", _day(before.effective_until), _day(after.effective_until)),
    )
    return (FieldChange(*pair) for pair in pairs if pair[1] != pair[2])


def _passages(before: Version | None, after: Version) -> Iterator[PassageChange]:
    known = before.statements if before else ()
    keys = dict.fromkeys(s.question_key for s in (*after.statements, *known))
    for key in keys:
        old, new = before.statement_for(key) if before else None, after.statement_for(key)
        yield PassageChange(key, old, new, _values(old, new))


def _values(old: Statement | None, new: Statement | None) -> tuple[ValueRow, ...]:
    if old is None or new is None or old.text == new.text:
        return ()
    return tuple(row for row in differences((old.text, new.text)) if row.agreement is not Agreement.SAME)


def _contests(version: Version, elsewhere: Sequence[Version]) -> Iterator[Contest]:
    if version.status is not VersionStatus.ACTIVE:
        return
    others = [v for v in elsewhere if v.doc_id != version.doc_id]
    for key in sorted(s.question_key for s in version.statements):
        if met := rivals((version,), others, key):
            yield Contest(key, met)


def _digest(plan: Plan, contests: Iterable[Contest]) -> str:
    met = [(one.question_key, [_plain(v) for v in one.rivals]) for one in contests]
    return _hashed([_plain(plan.version), [_plain(v) for v in plan.closes], met])


def _plain(version: Version) -> list[object]:
    statements = [(s.question_key, s.section, s.text) for s in version.statements]
    return [
        version.doc_id, version.version, version.title, version.kind, sorted(version.channels), version.deciding_date,
        version.effective_from.isoformat(), _day(version.effective_until), version.status, statements, version.body,
        version.permitted,
    ]  # fmt: skip


def _hashed(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def _named(channels: frozenset[str]) -> str:
    return ", ".join(sorted(channels))


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""
