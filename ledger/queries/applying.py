"""What applied on one day in one channel, for looking back: no customer's own dates are known here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q

from ledger.decisions.vocabulary import Version, VersionStatus
from ledger.models import PolicyVersion
from ledger.queries.catalogue import VersionLine, line_of
from ledger.queries.sources import as_version, registry, with_statements


@dataclass(frozen=True, slots=True)
class AppliedDocument:
    """A document with the version that was in force."""

    version: Version
    line: VersionLine
    retired_at: datetime | None


@dataclass(frozen=True, slots=True)
class AppliedPassage:
    """What one document said to a question."""

    version: Version
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class AppliedQuestion:
    """A question with every passage that could answer it; none and several are told in words."""

    question_key: str
    question_canonical: str
    passages: tuple[AppliedPassage, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """The versions in force on a day and channel, and what they say to each registered root question."""

    documents: tuple[AppliedDocument, ...]
    answered: tuple[AppliedQuestion, ...]
    unanswered: tuple[AppliedQuestion, ...]


def applied_on(*, on: date, channel: str) -> Applied:
    """Return what was in force on a day, in the organisation's zone, for questions asked in one channel.

    A version that was retired after that day applied on it, so it is returned with the moment of its retirement.
    """
    ending = Q(effective_until__isnull=True) | Q(effective_until__gt=on)
    stood = Q(status=VersionStatus.ACTIVE) | Q(status=VersionStatus.RETIRED, retired_at__date__gt=on)
    rows = list(
        with_statements(
            PolicyVersion.objects.filter(ending, stood, channels__contains=[channel], effective_from__lte=on)
        )
    )
    standing = [as_version(row) for row in rows]
    questions = tuple(_questions(standing))
    return Applied(
        documents=tuple(
            AppliedDocument(version, line_of(version, on=on, channel=channel), row.retired_at)
            for row, version in zip(rows, standing, strict=True)
        ),
        answered=tuple(one for one in questions if one.passages),
        unanswered=tuple(one for one in questions if not one.passages),
    )


def _questions(standing: Sequence[Version]) -> Iterator[AppliedQuestion]:
    for key, entry in registry().items():
        passages = tuple(
            AppliedPassage(version, statement.section, statement.text)
            for version in standing
            if version.answers_for_us and (statement := version.statement_for(key)) is not None
        )
        if passages or entry.parent is None:
            yield AppliedQuestion(key, entry.question_canonical, passages)
