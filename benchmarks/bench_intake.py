"""Intake of drafts against plain INSERT commits of the rows it leaves, in one run on one database."""

import json
import time
import uuid

from common import django as set_up
from common import drafts, table

ROUNDS = 3
TABLES = (
    "drafts_conversation",
    "drafts_message",
    "drafts_ticket",
    "drafts_ticketsnapshot",
    "drafts_reviewitem",
    "drafts_draftversion",
    "drafts_claim",
    "drafts_finding",
    "drafts_event",
)


def renamed(body: dict, tag: str) -> bytes:
    copy = json.loads(json.dumps(body))
    copy["external_id"] = f"{copy['external_id']}-{tag}"
    copy["conversation"]["id"] = f"{copy['conversation']['id']}-{tag}"
    if copy.get("ticket"):
        copy["ticket"]["id"] = f"{copy['ticket']['id']}-{tag}"
    return json.dumps(copy).encode()


def take_in_all(lines: list[bytes]) -> float:
    from django.utils import timezone

    from drafts import queries
    from drafts.decisions.bodies import draft_from
    from drafts.decisions.textgate import parse_json
    from drafts.services.intake import take_in

    calendar = queries.organisation_calendar()
    start = time.perf_counter()
    for line in lines:
        take_in(draft_from(parse_json(line)), now=timezone.now(), calendar=calendar)
    return time.perf_counter() - start


def rows_left(tag: str) -> list[list[tuple[str, list[str], tuple]]]:
    """Return, per item, the rows that its intake left, to be written again plainly."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, conversation_id, ticket_id FROM drafts_reviewitem WHERE external_id LIKE %s", [f"%-{tag}"]
        )
        items = cursor.fetchall()
        return [_rows_of(cursor, *item) for item in items]


def _rows_of(cursor, item: uuid.UUID, conversation: int, ticket: str) -> list[tuple[str, list[str], tuple]]:
    where = {
        "drafts_conversation": ("id", conversation),
        "drafts_message": ("conversation_id", conversation),
        "drafts_ticket": ("external_id", ticket),
        "drafts_ticketsnapshot": ("ticket_id", ticket),
        "drafts_reviewitem": ("id", item),
        "drafts_draftversion": ("item_id", item),
        "drafts_claim": ("item_id", item),
        "drafts_finding": ("item_id", item),
        "drafts_event": ("item_id", item),
    }
    found = []
    for name in TABLES:
        column, value = where[name]
        cursor.execute(f"SELECT * FROM {name} WHERE {column} = %s", [value])
        names = [c.name for c in cursor.description]
        found += [(name, names, row) for row in cursor.fetchall()]
    return found


def insert_plainly(items: list[list[tuple[str, list[str], tuple]]]) -> float:
    """Write the same rows into twin tables without any analysis: one transaction an item, one INSERT a table."""
    import psycopg
    from psycopg.conninfo import make_conninfo

    from console.database.places import current_place

    with psycopg.connect(make_conninfo(**current_place().owner)) as owner:
        owner.execute("CREATE SCHEMA plain")
        for name in TABLES:
            owner.execute(f"CREATE TABLE plain.{name} (LIKE public.{name} INCLUDING DEFAULTS INCLUDING INDEXES)")
        owner.commit()
        start = time.perf_counter()
        for rows in items:
            for name in TABLES:
                _insert(owner, name, [(n, r) for t, n, r in rows if t == name])
            owner.commit()
        seconds = time.perf_counter() - start
        owner.execute("DROP SCHEMA plain CASCADE")
    return seconds


def _insert(connection, name: str, rows: list[tuple[list[str], tuple]]) -> None:
    if not rows:
        return
    columns = ", ".join(f'"{c}"' for c in rows[0][0])
    one = "(" + ", ".join(["%s"] * len(rows[0][0])) + ")"
    values = [_plain(cell) for _, row in rows for cell in row]
    connection.execute(f"INSERT INTO plain.{name} ({columns}) VALUES {', '.join([one] * len(rows))}", values)


def _plain(cell: object) -> object:
    return json.dumps(cell) if isinstance(cell, dict | list) else cell


def main() -> None:
    set_up()
    bodies = drafts()
    rows = [("round", "items", "intake/s", "plain INSERT/s", "ratio")]
    for round_ in range(ROUNDS):
        tag = uuid.uuid4().hex[:8]
        taken = take_in_all([renamed(body, tag) for body in bodies])
        plain = insert_plainly(rows_left(tag))
        n = len(bodies)
        rows.append((round_ + 1, n, f"{n / taken:.0f}", f"{n / plain:.0f}", f"{plain / taken:.2f}"))
    table("Intake (aim: at least 0.25 of the plain rate)", rows)


if __name__ == "__main__":
    main()
