"""The queue and an item's page with 1,000 and with 100,000 open items, measured in one run on one database.

Run it on an installation of its own (DATA_DIR): it fills the queue.
"""

import statistics
import sys
import time
import uuid
from urllib.parse import quote

from common import django as set_up
from common import table

SIZES = (1_000, 100_000)
VIEWS = 30

COPY = """
WITH numbers AS (SELECT n, gen_random_uuid() AS item FROM generate_series(%(first)s, %(last)s) AS n),
conversations AS (
    INSERT INTO drafts_conversation (external_id, customer_id, channel, created_at)
    SELECT %(tag)s || n, 'bench', 'chat', now() FROM numbers RETURNING id, external_id
), messages AS (
    INSERT INTO drafts_message (conversation_id, external_id, ordinal, role, text, received_at, through_desk)
    SELECT c.id, 'm1', 1, 'customer', m.text || ' case' || replace(c.external_id, '-', ''), now(), false
    FROM conversations c, (SELECT text FROM drafts_message WHERE id = %(message)s) m RETURNING id, conversation_id
), items AS (
    INSERT INTO drafts_reviewitem ({columns}, id, external_id, conversation_id, reply_to_id, created_at, deadline_at)
    SELECT {columns}, numbers.item, %(tag)s || n, c.id, m.id, now() - interval '1 second' * (%(last)s - n),
        CASE WHEN n %% 2 = 0 THEN now() + interval '1 minute' * (n %% 5000) END
    FROM numbers JOIN conversations c ON c.external_id = %(tag)s || n JOIN messages m ON m.conversation_id = c.id,
    (SELECT {columns} FROM drafts_reviewitem WHERE id = %(item)s) original
    RETURNING id
)
INSERT INTO drafts_draftversion (item_id, number, text, created_at)
SELECT items.id, 1, v.text, now()
FROM items, (SELECT text FROM drafts_draftversion WHERE item_id = %(item)s AND number = 1) v
"""
OWN = {"id", "external_id", "conversation_id", "reply_to_id", "created_at", "deadline_at"}


def fill(up_to: int, item) -> None:
    """Copy one analysed item until there are so many open ones."""
    from django.db import connection

    from drafts.models import ReviewItem

    have = ReviewItem.objects.count()
    columns = ", ".join(f.column for f in ReviewItem._meta.concrete_fields if f.column not in OWN)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for first in range(have + 1, up_to + 1, 10_000):
            values = {
                "first": first,
                "last": min(first + 9_999, up_to),
                "tag": f"{uuid.uuid4().hex[:6]}-",
                "item": item.pk,
                "message": item.reply_to_id,
            }
            cursor.execute(COPY.format(columns=columns), values)


def analyse_tables() -> None:
    """Let the planner know the new sizes, as autovacuum would within a minute."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("RESET statement_timeout")
    import psycopg
    from psycopg.conninfo import make_conninfo

    from console.database.places import current_place

    with psycopg.connect(make_conninfo(**current_place().owner), autocommit=True) as owner:
        owner.execute("ANALYZE")


def measure(client, url: str) -> float:
    def get() -> None:
        response = client.get(url)
        assert response.status_code == 200, (url, response.status_code)

    for _ in range(3):
        get()
    seconds = []
    for _ in range(VIEWS):
        start = time.perf_counter()  # the database's time counts too
        get()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds) * 1e3


def queue_pages() -> dict[str, str]:
    """The first page of the lists, one far down, and searches for what is common, rare and not there."""
    from drafts.models import ReviewItem
    from drafts.queries import waiting

    items = ReviewItem.objects.filter(state="pending")
    deep = waiting.part(items, waiting.BY_DEADLINE, limit=1, backwards=True)[0]
    for _ in range(4):  # some 200 before the last, where few remain to be read
        place = waiting.Place(deep.deadline_at, deep.created_at, deep.pk)
        deep = waiting.part(items, waiting.BY_DEADLINE, limit=50, beyond=place, backwards=True)[-1]
    due = deep.deadline_at.isoformat() if deep.deadline_at else "none"
    cursor = quote(f"{due}_{deep.created_at.isoformat()}_{deep.pk}_900")
    some = items.order_by("-created_at")[10].external_id
    return {
        "waiting for me": "/",
        "everything open": "/?state=open",
        "decided": "/?state=decided",
        "all": "/?state=all",
        "far down": f"/?state=for-me&after={cursor}",
        "overdue": "/?state=for-me&due=overdue",
        "search: an id": f"/?q={some}",
        "search: a rare word": f"/?q=case{some.replace('-', '')}",
        "search: words of all": "/?q=return+lamp",
        "search: not there": "/?q=zeppelin",
    }


def main() -> None:
    set_up()
    from django.contrib.auth.models import User
    from django.test import Client

    from tests import builders

    builders.return_policy(User.objects.get(username="owner"))
    item = builders.item()
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="agent"))
    found: dict[str, list[float]] = {}
    for size in SIZES:
        fill(size, item)
        analyse_tables()
        for name, url in {**queue_pages(), "item": f"/review/{item.pk}/"}.items():
            found.setdefault(name, []).append(measure(client, url))
    rows = [("page", *(f"{size:,} items, ms" for size in SIZES), "ratio")]
    rows += [(name, *(f"{ms:.1f}" for ms in times), f"{times[-1] / times[0]:.2f}") for name, times in found.items()]
    table("Pages (aim: the larger at most 1.5 times the smaller)", rows)


if __name__ == "__main__":
    sys.exit(main())
