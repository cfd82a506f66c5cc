"""When the database is busy or away: a clean refusal that says to come again, never a fault of ours."""

import threading

import pytest
from django.db import connection, connections, transaction

from tests.api.calling import KEY, Caller, draft_body, problem, token_for, version_body


@pytest.fixture
def bot(transactional_db, people):
    owner = Caller(token_for(people["owner"]))
    owner.put(f"/keys/{KEY}", {"question_canonical": "How long?", "deciding_facts": ["handed_in_on"]})
    owner.put("/policies/workshop/versions/W1", version_body())
    return Caller(token_for(people["agent"]))


def test_a_conversation_that_somebody_holds_too_long_is_busy(bot):
    body = draft_body()
    bot.post("/drafts", body)
    held, finish = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM drafts_conversation FOR UPDATE")
            held.set()
            finish.wait(30)
        connections.close_all()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '100ms'")
    try:
        response = bot.post("/drafts", {**body, "external_id": "another"})
    finally:
        finish.set()
        thread.join(30)
        connection.close()

    refusal = problem(response, 503)
    assert refusal["type"].endswith(":busy")
    assert response.headers["Retry-After"] == "2"
    assert bot.post("/drafts", {**body, "external_id": "another"}).status_code == 201


def test_a_lost_session_is_a_clean_refusal_and_the_next_request_works(bot, admin_connection):
    bot.get("/drafts")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    admin_connection.execute("SELECT pg_terminate_backend(%s)", [pid])

    response = bot.get("/drafts")
    connection.close()

    problem(response, 503)
    assert bot.get("/drafts").status_code == 200
