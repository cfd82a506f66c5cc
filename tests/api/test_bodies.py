"""Hostile and broken bodies: every one is refused in the same form, and none is a fault of ours."""

import itertools
import json

import pytest

from drafts.decisions.textgate import BODY_LIMIT_BYTES
from tests.api.calling import KEY, draft_body, problem

pytestmark = pytest.mark.django_db

WRITES = [
    ("POST", "/drafts"),
    ("POST", "/asks"),
    ("POST", "/messages"),
    ("PATCH", "/tickets/t-1"),
    ("POST", "/drafts/00000000-0000-4000-8000-000000000000/decision"),
    ("PATCH", "/drafts/00000000-0000-4000-8000-000000000000"),
    ("PUT", f"/keys/{KEY}"),
    ("PUT", "/policies/a/versions/b"),
    ("POST", "/conflicts/00000000-0000-4000-8000-000000000000/resolution"),
    ("POST", "/corrections"),
]
BROKEN = {
    "blank": b" ",
    "no-json": b"{",
    "no-object": b"[]",
    "null": b"null",
    "text": b'"text"',
    "nul-byte": b'{"a": "\x00"}',
    "nul-escape": b'{"external_id": "a\\u0000b"}',
    "nul-in-a-name": b'{"a\\u0000": 1}',
    "lone-surrogate": b'{"external_id": "\\ud800"}',
    "surrogate-bytes": b'{"external_id": "\xed\xa0\x80"}',
    "not-utf-8": b'{"external_id": "\xff"}',
    "utf-16": '{"external_id": "a"}'.encode("utf-16"),
    "byte-order-mark": b'\xef\xbb\xbf{"external_id": "a"}',
    "nan": b'{"score": NaN}',
    "infinity": b'{"score": -Infinity}',
    "too-large-a-number": b'{"score": 1e400}',
    "a-number-of-5000-digits": b'{"score": ' + b"9" * 5000 + b"}",
    "the-same-name-twice": b'{"external_id": "a", "external_id": "b"}',
    "deep": b'{"facts": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "deep-objects": b'{"a":' * 2_000 + b"1" + b"}" * 2_000,
    "proto": b'{"__proto__": {"admin": true}}',
}


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
def test_a_broken_body_is_refused_everywhere(as_owner, raw):
    for method, path in WRITES:
        response = as_owner(method, path, raw=raw)

        assert response.status_code in {400, 404, 422}, (method, path)
        problem(response, response.status_code)


@pytest.mark.parametrize("value", [None, 0, True, "", "x", [], [None], {}, {"key": []}, 2**70, -0.5])
def test_a_value_of_the_wrong_kind_is_refused_everywhere(as_owner, sources, value):
    names = [
        *("external_id", "conversation", "draft", "question", "facts", "ticket", "message", "conversation_id"),
        *("status", "as_of", "refund", "kind", "text", "seen_version", "reason", "owner", "answer_text", "dismissed"),
        *("commitment_class", "parent", "examples", "channels", "statements", "keep", "retire", "question_key"),
    ]

    for (method, path), name in itertools.product(WRITES, names):
        response = as_owner(method, path, {name: value})
        assert 400 <= response.status_code < 500, (method, path, name, response.content)
        problem(response, response.status_code)


@pytest.mark.parametrize(
    ("headers", "content_type", "status"),
    [
        pytest.param({}, "text/plain", 415, id="text"),
        pytest.param({}, "application/x-www-form-urlencoded", 415, id="form"),
        pytest.param({}, "multipart/form-data; boundary=x", 415, id="parts"),
        pytest.param({}, "application/json; charset=utf-16", 415, id="utf-16"),
        pytest.param({}, "", 415, id="nothing"),
        pytest.param({"Content-Encoding": "gzip"}, "application/json", 415, id="gzip"),
        pytest.param({"Content-Encoding": "br"}, "application/json", 415, id="brotli"),
        pytest.param({"Content-Length": "300000000"}, "application/json", 413, id="long"),
        pytest.param({"Content-Length": "many"}, "application/json", 400, id="no-number"),
    ],
)
def test_a_body_of_another_kind_is_refused_unread(as_agent, headers, content_type, status):
    response = as_agent.post("/drafts", draft_body(), headers=headers, content_type=content_type)

    problem(response, status)


def test_a_body_beyond_the_limit_is_refused_and_one_at_the_limit_is_read(as_agent, sources):
    body = draft_body(facts={"handed_in_on": "2026-03-02", "requested_on": "2026-03-03", "filling": []})
    room = BODY_LIMIT_BYTES - len(json.dumps(body).encode()) - 20
    pieces = [room // 8 - 10] * 8
    body["facts"]["filling"] = ["x" * size for size in pieces]
    body["facts"]["filling"][0] += "x" * (BODY_LIMIT_BYTES - len(json.dumps(body).encode()))

    fits = as_agent.post("/drafts", body)
    body["facts"]["filling"][0] += "x"
    too_large = as_agent.post("/drafts", body)

    assert fits.status_code == 201
    problem(too_large, 413)


def test_a_text_beyond_its_limit_is_refused_by_name(as_agent, sources):
    refusal = problem(as_agent.post("/drafts", draft_body("ä" * 40_000)), 422)

    assert refusal["errors"][0]["field"] == "draft.text"


@pytest.mark.parametrize("body", [{"fields": {"note": "a\x00b"}}, {"fields": {"a\x00b": "note"}}])
def test_nul_is_refused_in_values_and_in_names_of_ticket_fields(as_agent, item, body):
    response = as_agent.patch(f"/tickets/{item['ticket']['id']}", body)

    assert response.status_code in {400, 422}


def test_charset_utf_8_may_be_said(as_agent, sources):
    response = as_agent.post("/drafts", draft_body(), content_type="application/json; charset=UTF-8")

    assert response.status_code == 201
