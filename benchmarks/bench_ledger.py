"""The audit, the analysts' query and the pages that read the ledger, on a million entries (see million.py).

Run it on an installation of its own: DATA_DIR names a new folder, which is filled first (a quarter of an hour on two
slow cores) and used again by the next run. Each query is read twice; of the second, warm run stand the database's own
clock (EXPLAIN ANALYZE) and, after it, the processor time of a third one without parallel workers: what other programs
do on the machine does not count there. For pages it is that of the web process and its database session together.
COUNTERSIGN_PLANS=1 prints the plans.
"""

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from common import ROOT, table
from million import million

VIEWS = 30
LONGEST = 5.0
MULTI_ANSWER = """
    SELECT conversation_id, question_key, count(DISTINCT answer_text) AS distinct_answers, count(*) AS times_asked,
        min(locked_at) AS first_answered, array_agg(DISTINCT answer_source->>'doc_id') AS sources_used
    FROM answer_ledger
    WHERE locked_at > now() - interval '90 days'
    GROUP BY conversation_id, question_key
    HAVING count(DISTINCT answer_text) > 1
    ORDER BY times_asked DESC
"""
EVERY_COLUMN = "SELECT * FROM answer_ledger WHERE locked_at > now() - interval '7 days'"
ONE_CUSTOMER = "SELECT * FROM answer_ledger WHERE customer_id = 'customer-40000' ORDER BY locked_at"
HOT = "SELECT * FROM answer_ledger WHERE conversation_id = 'million-100000' ORDER BY locked_at"


def queries() -> dict[str, str]:
    from drafts.queries import auditing as drafts
    from ledger.queries import auditing

    checks = {
        1: auditing._SEVERAL_ANSWERS,
        3: drafts._FRESH,
        4: auditing._INCOMPLETE_CORRECTIONS,
        5: auditing._UNSOURCED,
    }
    return {
        "analysts: several answers, 90 days": MULTI_ANSWER,
        "analysts: several answers, a year": MULTI_ANSWER.replace("90 days", "365 days"),
        "analysts: every column, 7 days": EVERY_COLUMN,
        "analysts: one customer": ONE_CUSTOMER,
        "analysts: one conversation": HOT,
        **{f"audit check {number}": query for number, query in checks.items()},
    }


def explained(query: str) -> tuple[float, float, str, str]:
    """Return milliseconds by the clock and of the processor, blocks read, and the plan of the second run."""
    from django.db import connection

    with connection.cursor() as cursor:
        for _ in range(2):
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {query}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        used = session_seconds()
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {query}")
        used = session_seconds() - used
        cursor.execute("RESET max_parallel_workers_per_gather")
    seconds = re.search(r"Execution Time: ([\d.]+) ms", plan)
    blocks = re.search(r"Buffers: shared (.*)", plan)
    assert seconds, plan
    return float(seconds[1]), used * 1e3, blocks[1] if blocks else "", plan


def session_seconds() -> float:
    """Return the processor seconds that this session's server process has used, where it runs on this machine."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    path = Path(f"/proc/{pid}/stat")
    if not path.exists():
        return 0.0
    ticks = path.read_text().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def measured(call) -> tuple[float, float]:
    """Return the median by the clock and the mean processor time, in milliseconds, of some views after a first one."""
    call()
    found: list[float] = []
    used = time.process_time() + session_seconds()
    while len(found) < VIEWS and sum(found) < LONGEST:
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    used = time.process_time() + session_seconds() - used
    return statistics.median(found) * 1e3, used / len(found) * 1e3


def pages() -> list[tuple[str, str, str, str]]:
    """Return the median of the pages, as a manager opens them."""
    from django.contrib.auth.models import User
    from django.test import Client

    from drafts.models import Conversation

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="manager"))
    conversation = Conversation.objects.get(external_id="million-100000")
    urls = {
        "page: conversation": f"/conversations/{conversation.pk}/",
        "page: conversations": "/conversations/",
        "page: customer": "/customers/customer-40000/",
        "page: audit": "/audit/",
        "page: audit check 1": "/audit/checks/1/",
        "page: several answers, 90 days": "/audit/answers/?days=90",
        "page: several answers, a year": "/audit/answers/?days=365",
    }
    rows = []
    for name, url in urls.items():
        if client.get(url).status_code == 200:
            clock, processor = measured(lambda url=url: client.get(url))
            rows.append((name, f"{clock:.1f}", f"{processor:.1f}", ""))
    return rows


def main() -> None:
    million()
    rows = [("what", "clock, ms", "processor, ms", "blocks")]
    for name, query in queries().items():
        clock, processor, blocks, plan = explained(query)
        rows.append((name, f"{clock:.1f}", f"{processor:.0f}", blocks))
        if os.environ.get("COUNTERSIGN_PLANS"):
            print(f"\n{name}\n{plan}")
    rows += pages()
    table("A million ledger entries (aims: queries under 2,000 ms, the conversation page under 50 ms)", rows)


if __name__ == "__main__":
    try:
        main()
    finally:
        subprocess.run([sys.executable, str(ROOT / "manage.py"), "database", "stop"], check=True)
