"""Idempotency keys: one request however often it is sent, also at once and after a crash."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.db import connection, connections

from console.api import idempotency
from console.models import IdempotencyRecord
from tests.api.calling import KEY, Caller, draft_body, fields, problem, token_for, version_body


def send(caller, body, key, path="/drafts"):
    return caller.post(path, body, headers={"Idempotency-Key": key})


@pytest.mark.django_db
def test_the_same_request_is_answered_like_the_first(as_agent, sources):
    body = draft_body()
    first, again = send(as_agent, body, "k-1"), send(as_agent, body, "k-1")

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.django_db
def test_the_same_key_with_other_content_is_refused(as_agent, sources):
    body = draft_body()
    send(as_agent, body, "k-1")

    for caller_body, path in ((draft_body(), "/drafts"), (body, "/asks")):
        refusal = problem(send(as_agent, caller_body, "k-1", path), 422)
        assert fields(refusal) == ["Idempotency-Key"]
        assert "other content" in refusal["detail"]


@pytest.mark.django_db
def test_keys_of_another_token_are_another_matter(as_agent, agent, sources):
    send(as_agent, draft_body(), "k-1")

    response = send(Caller(token_for(agent)), draft_body(), "k-1")

    assert response.status_code == 201
    assert "Idempotency-Replayed" not in response.headers


@pytest.mark.django_db
def test_a_request_that_was_refused_frees_its_key(as_agent, sources):
    refused = send(as_agent, draft_body("  "), "k-1")

    mended = send(as_agent, draft_body(), "k-1")

    assert (refused.status_code, mended.status_code) == (422, 201)


@pytest.mark.django_db
def test_a_refused_decision_is_answered_the_same_again(as_agent, sources):
    item = as_agent.post("/drafts", draft_body("It takes 9 business days.")).json()
    path, body = f"/drafts/{item['id']}/decision", {"kind": "approve", "seen_version": 1}

    first, again = send(as_agent, body, "k-1", path), send(as_agent, body, "k-1", path)

    assert problem(again, 409) == problem(first, 409)
    assert again.headers["Idempotency-Replayed"] == "true"


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "a b", "a\tb", "ключ", "x" * 256])
def test_a_key_that_is_no_key_is_refused(as_agent, sources, key):
    assert fields(problem(send(as_agent, draft_body(), key), 400)) == ["Idempotency-Key"]


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["1", "x" * 255, "!~"])
def test_any_visible_ascii_is_a_key(as_agent, sources, key):
    assert send(as_agent, draft_body(), key).status_code == 201


def forget_answer(key):
    """Leave a key as a process does that died after its request ran and before the answer was kept."""
    assert IdempotencyRecord.objects.filter(key=key).update(status=None, body=None) == 1


@pytest.mark.django_db
def test_a_key_that_a_dead_process_left_behind_is_taken_over(as_agent, sources):
    body = draft_body()
    first = send(as_agent, body, "k-1")
    forget_answer("k-1")

    after, again = send(as_agent, body, "k-1"), send(as_agent, body, "k-1")

    assert (after.status_code, "Idempotency-Replayed" in after.headers) == (200, False)
    assert after.json()["id"] == first.json()["id"]
    assert again.content == after.content
    assert len(as_agent.get(f"/drafts?conversation={body['conversation']['id']}").json()["items"]) == 1


def in_thread(function, *args):
    """Run in a thread of its own and leave no connection open."""
    try:
        return function(*args)
    finally:
        connections.close_all()


@pytest.fixture
def world(transactional_db, people):
    """Callers and sources that other threads see too."""
    owner = Caller(token_for(people["owner"]))
    owner.put(f"/keys/{KEY}", {"question_canonical": "How long?", "deciding_facts": ["handed_in_on"]})
    owner.put("/policies/workshop/versions/W1", version_body())
    return Caller(token_for(people["agent"]))


def test_forty_at_once_are_one_draft(world):
    body = draft_body()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: in_thread(send, world, body, "k-40"), range(40)))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1


@contextlib.contextmanager
def still_running(caller, body, key):
    """Somebody else runs this request under the key: its record is there, and its lock is held."""
    send(caller, body, key)
    forget_answer(key)
    token = IdempotencyRecord.objects.get(key=key).token
    held, finish = threading.Event(), threading.Event()

    def hold():
        with idempotency._alone(SimpleNamespace(auth=token), key):
            held.set()
            finish.wait(30)

    thread = threading.Thread(target=in_thread, args=(hold,))
    thread.start()
    held.wait(30)
    try:
        yield
    finally:
        finish.set()
        thread.join(30)


def test_other_content_is_refused_at_once_while_the_first_still_runs(world):
    with still_running(world, draft_body(), "k-9"):
        refusal = problem(send(world, draft_body(), "k-9"), 422)

    assert fields(refusal) == ["Idempotency-Key"]
    assert "other content" in refusal["detail"]


def test_the_same_request_waits_and_is_asked_to_come_again(world, monkeypatch):
    monkeypatch.setattr(idempotency, "WAIT", "50ms")
    body = draft_body()

    with still_running(world, body, "k-9"):
        response = send(world, body, "k-9")

    problem(response, 409)
    assert response.headers["Retry-After"] == "1"
    assert send(world, body, "k-9").status_code == 200


def test_no_lock_outlives_its_request(world):
    send(world, draft_body(), "k-1")
    send(world, draft_body(" "), "k-2")

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        assert cursor.fetchone() == (0,)
