"""The ledger of one conversation on a page of its own, to read, to print, and to take away as a file."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from console import spreadsheets
from console.api.requests import reply
from console.http import ConsoleRequest, show
from console.views.conversation import find
from console.views.evidence import packs_part
from console.views.fact_words import facts_in_words
from console.views.shapes import EntryShape
from console.views.timeline import entries_of, timeline_of, wanted_by
from drafts.decisions.report import instant

COLUMNS = (
    "position",
    "kind",
    "counts_now",
    "question_key",
    "asked_key",
    "matched_by",
    "question",
    "answer_text",
    "typed_facts",
    "deciding_facts",
    "replay_count",
    "effective_at",
    "recorded_at",
    "decided_by",
    "owner",
    "reason",
    "source_document",
    "source_title",
    "source_version",
    "source_section",
    "source_effective_from",
    "source_effective_until",
    "passage",
    "passage_digest",
    "supersedes",
    "replays",
    "restores",
    "decision_id",
    "conversation_id",
    "customer_id",
    "channel",
    "entry_id",
    "prev_hash",
    "entry_hash",
)


@require_safe
def ledger_page(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Show a conversation's ledger across the whole page; `all` shows every entry at once, for paper."""
    found = find(request, conversation_id)
    wanted = replace(wanted_by(request), whole="all" in request.GET)
    page = {"conversation": found, "timeline": timeline_of(request, found, wanted), "whole": wanted.whole}
    context = {"page": page, "evidence": packs_part(request, found.pk)}
    return show(request, "conversation_ledger.html", context)


@require_safe
def ledger_json(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Send the ledger as the API does."""
    found = find(request, conversation_id)
    answer = reply({"conversation_id": found.external_id, "entries": _asked_for(request, found.external_id)})
    answer["Content-Disposition"] = f'attachment; filename="{_name(conversation_id)}.json"'
    answer["Cache-Control"] = "no-store"
    return answer


@require_safe
def ledger_csv(request: ConsoleRequest, conversation_id: int) -> StreamingHttpResponse:
    """Send the ledger as a table for a spreadsheet; instants are UTC, as the API writes them."""
    found = find(request, conversation_id)
    entries = _asked_for(request, found.external_id)
    return spreadsheets.download(f"{_name(conversation_id)}.csv", COLUMNS, _cells(entries))


def _name(conversation_id: int) -> str:
    """Name a file by the conversation's number here, since its own id may be any text."""
    return f"ledger-of-conversation-{conversation_id}"


def _asked_for(request: ConsoleRequest, conversation: str) -> Sequence[EntryShape]:
    key = wanted_by(request).key
    return [entry for entry in entries_of(conversation) if not key or entry["question_key"] == key]


def _cells(entries: Sequence[EntryShape]) -> Iterator[tuple[object, ...]]:
    """Write one row in the order of COLUMNS."""
    for entry in entries:
        source = entry["answer_source"]
        yield (
            entry["position"],
            entry["kind"],
            "yes" if entry["locked"] else "",
            entry["question_key"],
            entry["asked_key"],
            entry["matched_by"],
            entry["question_canonical"],
            entry["answer_text"],
            "; ".join(facts_in_words(entry["typed_facts"])),
            json.dumps(entry["deciding_facts"], ensure_ascii=False, sort_keys=True),
            entry["replay_count"],
            instant(entry["effective_at"]),
            instant(entry["locked_at"]),
            entry["decided_by"],
            entry["owner"],
            entry["reason"],
            source and source["doc_id"],
            source and source.get("title"),
            source and source.get("version"),
            source and source.get("section"),
            source and source.get("effective_from"),
            source and source.get("effective_until"),
            source and source.get("passage"),
            source and source.get("passage_digest"),
            entry["supersedes"],
            entry["replays"],
            entry["restores"],
            entry["decision_id"],
            entry["conversation_id"],
            entry["customer_id"],
            entry["channel"],
            entry["entry_id"],
            entry["prev_hash"],
            entry["entry_hash"],
        )
