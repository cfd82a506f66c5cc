"""Shared by the benchmarks: drafts to measure on, timing of one call, and one printed table."""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

BUILT_IN = [
    "Thanks for writing. Every repair is covered for 12 months from the day it was finished. Anything else I can do?",
    "I have passed your photos to our workshop and they will call you by Friday. The refund takes 3-5 business days.",
    "Sorry to hear that. Could you tell me which day the parcel arrived? Then I can look up the terms for you.",
    "Our team is currently checking your order. You will receive an email shortly.\n\n1. Your case is with billing.",
]


def drafts() -> list[dict[str, object]]:
    """Return intake bodies: the JSON Lines file named by DRAFTS, else a few built-in texts repeated to 400."""
    if path := os.environ.get("DRAFTS"):
        return [json.loads(line) for line in Path(path).read_text().splitlines() if line.strip()]
    print("DRAFTS is not set: measuring on a few built-in texts. `make bench DRAFTS=file.jsonl` uses your own.")
    return [_body(n, BUILT_IN[n % len(BUILT_IN)]) for n in range(400)]


def _body(number: int, text: str) -> dict[str, object]:
    message = {"id": "m1", "role": "customer", "text": "How long is the warranty?", "sent_at": None}
    return {
        "external_id": f"bench-{number}",
        "conversation": {"id": f"bench-{number}", "customer_id": None, "channel": "chat", "messages": [message]},
        "ticket": {"id": f"bench-{number}", "status": "open", "assignee": None},
        "draft": {"text": text},
    }


def timed(calls: Iterable[Callable[[], object]]) -> list[float]:
    """Return the processor seconds each call took; what other programs do on the machine does not count."""
    seconds = []
    for call in calls:
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return seconds


def table(title: str, rows: Sequence[Sequence[object]]) -> None:
    """Print one table; the first row is its head."""
    widths = [max(len(str(row[c])) for row in rows) for c in range(len(rows[0]))]
    print(f"\n{title}")
    for row in rows:
        print("  " + "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)))


def spread(seconds: Sequence[float], unit: float = 1e3) -> tuple[str, ...]:
    """Return least, median, 95th percentile and greatest in a unit (1e3: milliseconds, 1e6: microseconds)."""
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    return tuple(f"{value * unit:.2f}" for value in (ordered[0], statistics.median(ordered), p95, ordered[-1]))


def django() -> None:
    """Set Django up with the database of DATABASE_URL, or the embedded one."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    import django as package  # only benchmarks with a database need it

    package.setup()
