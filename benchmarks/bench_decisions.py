"""Router and gate per decision, and the whole analysis per draft: pure functions, no database."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from common import drafts, spread, table, timed

from drafts.decisions.analysis import analyse
from drafts.decisions.given import Given, Sources
from drafts.decisions.vocabulary import Message
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.gate import pass_gate
from ledger.decisions.router import route
from ledger.decisions.vocabulary import (
    DocumentKind,
    KeyEntry,
    KeyOrigin,
    KeyStatus,
    QuestionKey,
    Statement,
    Version,
    VersionStatus,
)

NOW = datetime(2026, 3, 10, 10, tzinfo=UTC)
KEY = "warranty_duration::repair"
CALENDAR = BusinessCalendar(ZoneInfo("Europe/Berlin"), frozenset(range(5)), time(9), time(18), frozenset())
REGISTRY = {KEY: KeyEntry(KEY, "How long is the warranty on a repair?", deciding_facts=("service_on",))}
ASKED = QuestionKey(KeyStatus.ESTABLISHED, KEY, KeyOrigin.FORM)


def version(number: int, start: int, end: int | None) -> Version:
    return Version(
        doc_id="WAR",
        version=f"WAR-{number}",
        title="Warranty",
        kind=DocumentKind.OWN_POLICY,
        channels=frozenset({"chat", "email"}),
        deciding_date="service_on",
        effective_from=date(start, 1, 1),
        effective_until=date(end, 1, 1) if end else None,
        status=VersionStatus.ACTIVE,
        statements=(Statement(KEY, "2.1", "Every repair is covered for 12 months from the day it was finished."),),
    )


VERSIONS = tuple(version(n, 2020 + n, 2021 + n if n < 6 else None) for n in range(7))
FACTS = {"service_on": "2026-02-01"}


def decide() -> None:
    chosen = route(key=KEY, channel="chat", facts=FACTS, requested_on=NOW.date(), versions=VERSIONS)
    pass_gate(
        question=ASKED,
        registry=REGISTRY,
        route=chosen,
        locked=None,
        facts=FACTS,
        requested_on=NOW.date(),
        versions=VERSIONS,
        asserts_other=False,
        now=NOW,
        calendar=CALENDAR,
    )


def given(body: dict) -> Given:
    messages = tuple(Message(m["id"], m["role"], m["text"]) for m in body["conversation"]["messages"])
    return Given(
        text=body["draft"]["text"],
        questions=(ASKED,),
        now=NOW,
        requested_on=NOW.date(),
        written_on=NOW.date(),
        calendar=CALENDAR,
        messages=messages,
        reply_to=messages[-1].id,
        facts=FACTS,
        channel="chat",
        sources=Sources(REGISTRY, VERSIONS),
        ticket=body.get("ticket"),
    )


def main() -> None:
    bodies = [given(body) for body in drafts()]
    for one in bodies[:20]:
        analyse(one)
    rows = [("what", "runs", "least", "median", "p95", "max", "unit")]
    batches = [seconds / 100 for seconds in timed([lambda: [decide() for _ in range(100)]] * 50)]
    rows.append(("router and gate, 7 versions", 5000, *spread(batches, 1e6), "µs"))
    seconds = timed([lambda one=one: analyse(one) for one in bodies])
    rows.append(("analysis without classifier", len(bodies), *spread(seconds), "ms"))
    table("Decisions (aims: router and gate under 20 µs, analysis median under 5 ms)", rows)


if __name__ == "__main__":
    main()
