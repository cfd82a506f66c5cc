"""Approvals under fire: many hands on one item, and a database that is killed while answers are being given."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.utils import timezone
from psycopg.conninfo import make_conninfo

from console.database.places import place
from drafts import queries
from drafts.decisions.transitions import DecisionKind
from drafts.models import Decision, Delivery, ParkedText
from drafts.services.deciding import Wanted, decide
from drafts.services.outcomes import Decided, Overtaken
from ledger import queries as ledger
from tests import builders

ROOT = Path(__file__).resolve().parent.parent.parent
HANDS = 64
ITEMS = 120
KILLS = 3


@pytest.mark.django_db(transaction=True)
def test_of_64_approvals_at_once_one_stands_and_63_learn_who_won(people):
    builders.return_policy(people["owner"])
    item = builders.item()
    agent, agent2 = people["agent"], people["agent2"]

    def approve(number: int):
        text = f"{builders.PASSAGE} Hello from reviewer number {number}."
        try:
            return decide(
                item_id=item.pk,
                wanted=Wanted(DecisionKind.EDIT, seen_version=1, text=text),
                actor=agent if number % 2 else agent2,
                now=timezone.now(),
                calendar=queries.organisation_calendar(),
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(approve, range(HANDS)))

    won = [o for o in outcomes if isinstance(o, Decided)]
    lost = [o for o in outcomes if isinstance(o, Overtaken)]
    winner = won[0].decision.decided_by.get_username()
    assert (len(won), len(lost)) == (1, HANDS - 1)
    assert {o.who for o in lost} == {winner}
    assert Decision.objects.filter(item=item).count() == 1
    assert Delivery.objects.filter(decision__item=item).count() == 1
    assert len(ledger.entries(item.conversation.external_id)) == 1
    assert ParkedText.objects.filter(item=item).count() == HANDS - 1


@pytest.fixture
def installation(open_path):
    """A prepared database of its own, which a test may kill."""
    environment = {
        **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "DATABASE_APP_URL"}},
        "DATA_DIR": str(open_path),
    }
    for command in (["prepare_database"], ["create_people"]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, timeout=120)
    found = place(environment)
    yield environment, found
    found.cluster.stop()


def test_a_killed_database_loses_no_acknowledged_approval_and_keeps_none_by_halves(installation):
    environment, found = installation
    _run("tests.faults.filling", environment, str(ITEMS))

    command = [sys.executable, "-m", "tests.faults.approving", str(ITEMS)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as program:
        acknowledged = _read_while_killing(program, found)

        assert program.wait(timeout=120) == 0
    decided, entries, deliveries, torn = _state(found)
    assert set(acknowledged) <= decided, "an acknowledged approval is missing"
    assert len(decided) == len(entries) == len(deliveries) == ITEMS
    assert decided == deliveries
    assert torn == 0
    _run_manage(environment, "verify_ledger")


def _read_while_killing(program: subprocess.Popen, found) -> list[str]:
    acknowledged: list[str] = []
    kills = [ITEMS * n // (KILLS + 1) for n in range(1, KILLS + 1)]
    assert program.stdout.readline().strip() == "ready"
    for line in program.stdout:
        acknowledged.append(line.strip())
        if kills and len(acknowledged) >= kills[0]:
            kills.pop(0)
            _kill(found)
            found.cluster.start()
    assert not kills, "every kill has to have happened while items were being approved"
    return acknowledged


def _kill(found) -> None:
    """Kill -9 the postmaster and every backend."""
    pid = int((found.cluster.data / "postmaster.pid").read_text().split()[0])
    children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()
    for victim in [pid, *map(int, children)]:
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _state(found) -> tuple[set[str], list[str], set[str], int]:
    with psycopg.connect(make_conninfo(**found.admin)) as session:
        decided = {str(r[0]) for r in session.execute("SELECT item_id FROM drafts_decision")}
        entries = [str(r[0]) for r in session.execute("SELECT id FROM ledger.entry")]
        deliveries = {
            str(r[0])
            for r in session.execute(
                "SELECT d.item_id FROM drafts_delivery o JOIN drafts_decision d ON d.id = o.decision_id"
            )
        }
        torn = session.execute(
            "SELECT count(*) FROM drafts_reviewitem i LEFT JOIN drafts_decision d ON d.item_id = i.id"
            " WHERE (i.state = 'approved') <> (d.id IS NOT NULL)"
        ).fetchone()
    return decided, entries, deliveries, torn[0]


def _run(module: str, environment: dict[str, str], *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, env=environment, check=True, timeout=300)


def _run_manage(environment: dict[str, str], command: str) -> None:
    subprocess.run([sys.executable, "manage.py", command], cwd=ROOT, env=environment, check=True, timeout=120)
