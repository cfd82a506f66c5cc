"""The source of an answer as it was when the answer was given, and what became of it since."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.timezone import localtime

from console.views.highlight import plain
from console.views.shapes import EntryShape, SourceShape
from drafts.decisions.structure import Piece
from ledger.decisions.vocabulary import VersionStatus
from ledger.queries.since import VersionNow, versions_now

type Versions = Mapping[tuple[str, str], VersionNow]


@dataclass(frozen=True, slots=True)
class SourceRow:
    """The policy version an answer rests on, as it was then; `since` says in sentences what has changed about it."""

    document: str
    name: str
    version: str
    section: str
    effective_from: date | None
    effective_until: date | None
    passage: tuple[Piece, ...]
    since: tuple[str, ...] = ()


def source_row(
    source: SourceShape | None, *, key: str | None = None, versions: Versions | None = None
) -> SourceRow | None:
    """Tell the snapshot of a source; with the versions as they stand now, also what became of it."""
    if source is None:
        return None
    return SourceRow(
        document=source.get("title") or source["doc_id"],
        name=source["doc_id"],
        version=source.get("version") or "",
        section=source.get("section") or "",
        effective_from=_day(source.get("effective_from")),
        effective_until=_day(source.get("effective_until")),
        passage=plain(source.get("passage") or ""),
        since=() if versions is None else tuple(_since(source, key, versions)),
    )


def versions_behind(entries: Iterable[EntryShape]) -> Versions:
    """Return the versions that entries rest on as they stand now."""
    sources = (source for entry in entries if (source := entry["answer_source"]))
    return versions_now({(source["doc_id"], source.get("version") or "") for source in sources})


def _since(source: SourceShape, key: str | None, versions: Versions) -> Iterable[str]:
    now = versions.get((source["doc_id"], source.get("version") or ""))
    if now is None:
        yield "This version is no longer among the policies."
        return
    if now.status == VersionStatus.RETIRED:
        yield f"This version was retired{f' on {_words(localtime(now.retired_at).date())}' if now.retired_at else ''}."
    then = _day(source.get("effective_from")), _day(source.get("effective_until"))
    if then != (now.effective_from, now.effective_until):
        until = f"until before {_words(now.effective_until)}" if now.effective_until else "with no end"
        yield f"Its dates were changed since: it is in force from {_words(now.effective_from)} {until}."
    passage = now.passages.get(key) if key is not None else source.get("passage")
    if passage is None:
        yield "This version has no passage for the question any more."
    elif passage != source.get("passage"):
        yield "Its passage reads otherwise now."


def _words(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None
