"""Callers of the API, and sources to ask about. Everything goes over HTTP, as a bot would do it."""

import itertools
import json
from dataclasses import dataclass

from django.test import Client
from django.utils import timezone

from console import tokens
from console.scopes import Scope

KEY = "repair_time::bicycle"
PASSAGE = "A bicycle repair takes at most 5 business days from drop-off."
_numbers = itertools.count(1)


@dataclass
class Caller:
    """Somebody with a token."""

    secret: str | None

    def __call__(self, method, path, body=None, *, headers=None, raw=None, content_type="application/json"):
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        auth = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        return Client().generic(
            method, f"/api/v1{path}", content, content_type=content_type, headers={**auth, **(headers or {})}
        )

    def get(self, path, **more):
        return self("GET", path, **more)

    def post(self, path, body=None, **more):
        return self("POST", path, body, **more)

    def put(self, path, body=None, **more):
        return self("PUT", path, body, **more)

    def patch(self, path, body=None, **more):
        return self("PATCH", path, body, **more)


def token_for(user, *scopes, name="test", expires_at=None):
    return tokens.issue(
        name=name, user=user, scopes=frozenset(scopes or Scope), expires_at=expires_at, now=timezone.now()
    )


def version_body(**changes):
    return {
        "title": "Workshop rules",
        "kind": "own_policy",
        "channels": ["chat", "email"],
        "deciding_date": "handed_in_on",
        "effective_from": "2026-01-01",
        "effective_until": None,
        "statements": [{"question_key": KEY, "section": "4", "text": PASSAGE}],
        **changes,
    }


def draft_body(text=PASSAGE, **changes):
    """A body of its own conversation; a blank draft can be approved as it is when the sources are there."""
    number = next(_numbers)
    return {
        "external_id": f"draft-{number}",
        "conversation": {
            "id": f"thread-{number}-{timezone.now().timestamp()}",
            "customer_id": "customer-1",
            "channel": "chat",
            "messages": [{"id": "m1", "role": "customer", "text": "How long will it take?", "sent_at": None}],
        },
        "question": {"key": KEY, "by": "form"},
        "facts": {"handed_in_on": "2026-03-02", "requested_on": "2026-03-03"},
        "ticket": {"id": f"ticket-{number}", "status": "open"},
        "draft": {"text": text},
        **changes,
    }


def approval(item, **more):
    return {"kind": "approve", "seen_version": item["version"], **more}


def problem(response, status):
    """The problem document of a refusal, after its form has been looked at."""
    assert response.status_code == status, (response.status_code, response.content[:400])
    assert response.headers["Content-Type"] == "application/problem+json"
    document = response.json()
    assert {"type", "title", "status", "detail", "errors"} <= set(document)
    assert document["status"] == status
    return document


def fields(document):
    return [each["field"] for each in document["errors"]]
