"""Every page, every role, every method: nothing is open by accident."""

import uuid

import pytest
from django.conf import settings
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from drafts.models import AuditRun, Delivery, Destination, ReviewItem
from ledger.models import Conflict, QuestionKey
from tests import builders
from tests.web.conftest import ACTIONS, signed_in

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
READERS = ("agent", "owner", "manager", "admin")
DECIDERS = ("agent", "owner")
SOURCES = {"notices", "conflicts", "conflict", "policies", "policy", "keys", "keys-download", "key"}
LOOKING_BACK = {"policies-applied", "policy-export", "policy-told"}
EDIT_POLICIES = {f"policy-{action}" for action in ("new", "edit", "publish", "discard", "end", "permission")}
SENDING = {"deliveries", "delivery"}
READ = (
    {"queue", "review", "conversations", "conversation", "corrections", "corrections-csv"}
    | SOURCES
    | LOOKING_BACK
    | SENDING
)
DRIFT_READ = {"drift", "drift-report", "drift-print", "drift-chart", "drift-json", "drift-csv"}
DRIFT = DRIFT_READ | {"drift-file", "drift-own-past", "drift-cancel", "drift-delete"}  # who may: test_drift.py
DECIDE = {f"review-{action}" for action in ACTIONS} | {"review-set-aside", "review-undo"}
DECIDE_DELIVERY = {"delivery-send-again", "delivery-mark-delivered", "delivery-take-back"}
UNDO = {"delivery-undo"}
CONFIGURED = {"destinations"}
CONFIGURE = {"destination-add", "destination-change", "destination-switch", "destination-new-secret"}
SETTLE = {"conflict-resolve", "conflict-reassign", "key-delete"}
TOLD = {"notices-read", "notice-open", "notice-read"}  # each their own; another's is not found: test_notices.py
MAILS = {"notice-mail-again"}
LOG = {"corrections", "corrections-csv", "corrections-json", "corrections-print", "corrections-chart", "correction"}
TOLD_TO = {"conversation-ledger", "conversation-ledger-json", "conversation-ledger-csv", "customers", "customer"}
CORRECT = {
    "conversation-correct",
    "conversation-withdraw",
    "conversation-two-documents",
    "conversation-not-found",
    "conversation-policy-changed",
}
SITUATIONS = {"conversation-situations"}
AUDIT = {"audit", "audit-chart", "audit-run", "audit-check", "audit-check-csv", "audit-answers", "audit-answers-csv"}
RUN_AUDIT = {"audit-run-now"}
SETTLE_OUTSIDE = {"audit-settle"}
READ |= LOG | TOLD_TO | AUDIT
LOOK = {"review-news", "queue-news", "review-check", "review-preview", "review-delivery"}
PACKS = {"conversation-evidence"}
EDIT_KEYS = {"key-add", "key-change", "key-file"}
SIGNED = {"sample-receiver"}  # takes what is signed instead of who is signed in: test_sample_receiver.py
OPEN = {"login", "logout", "healthz", "evidence-verifier"} | SIGNED


def pages():
    """The named addresses of the pages; the API keeps a matrix of its own."""
    found = []
    for pattern in get_resolver("console.views.urls").url_patterns:
        assert isinstance(pattern, URLPattern)
        found.append(pattern)
    return found


def address(pattern, item_id):
    """Where a page is; one id stands for the item, for its conversation, for the conflict and for the delivery."""
    conversation = ReviewItem.objects.values_list("conversation", flat=True).get(pk=item_id)
    route = str(pattern.pattern).replace("<uuid:item_id>", str(item_id)).replace("<uuid:conflict_id>", str(item_id))
    route = route.replace("<int:conversation_id>", str(conversation)).replace("<int:destination_id>", "1")
    route = route.replace("<uuid:report_id>", str(item_id)).replace("<uuid:correction_id>", str(item_id))
    route = route.replace("<path:customer_id>", "customer-1")
    route = route.replace("<int:run_id>", "900000").replace("<int:number>", "1").replace("<int:commitment_id>", "1")
    route = route.replace("<uuid:delivery_id>", str(item_id)).replace("<uuid:notice_id>", str(item_id))
    route = route.replace("<path:doc_id>", "returns").replace("<path:key>", builders.RETURN_KEY)
    about = f"?document=returns&version=RET-1&key={builders.RETURN_KEY}"
    return "/" + route + (about if pattern.name in LOOKING_BACK | EDIT_POLICIES else "")


def conflict_called(name):
    """An open conflict under the id of an item."""
    now = timezone.now()
    key = QuestionKey.objects.get(pk=builders.RETURN_KEY)
    Conflict.objects.create(pk=name, question_key=key, channel="email", opened_at=now, due_at=now)


def delivery_called(name, agent):
    """The delivery of a correction under the id of an item, and a destination."""
    conversation = ReviewItem.objects.get(pk=name).conversation
    now = timezone.now()
    Destination.objects.create(pk=1, name="helpdesk", url="https://desk.example", secret="whsec_x", created_at=now)
    correction = conversation.corrections.create(
        pk=name,
        entry_id=uuid.uuid4(),
        question_key=builders.RETURN_KEY,
        reason="a reason",
        owner=agent,
        corrected_by=agent,
        corrected_at=now,
    )
    Delivery.objects.create(
        pk=name, conversation=conversation, correction=correction, text="text", created_at=now, undo_until=now
    )


def audit_run_known():
    """A recorded run of the audit, under an id that no other will get."""
    now = timezone.now()
    AuditRun.objects.create(pk=900_000, how="nightly", started_at=now, finished_at=now, is_healthy=True)


def test_every_page_stands_in_the_matrix():
    assert {pattern.name for pattern in pages()} <= set().union(
        READ,
        DRIFT,
        DECIDE,
        DECIDE_DELIVERY,
        UNDO,
        CONFIGURED,
        CONFIGURE,
        SETTLE,
        TOLD,
        MAILS,
        EDIT_KEYS,
        EDIT_POLICIES,
        CORRECT,
        SITUATIONS,
        LOOK,
        PACKS,
        RUN_AUDIT,
        SETTLE_OUTSIDE,
        OPEN,
    )


@pytest.mark.parametrize("method", METHODS)
def test_nothing_but_the_log_in_is_open_to_strangers(client, policy, method):
    item = builders.item()

    for pattern in pages():
        response = getattr(client, method)(address(pattern, item.pk))

        if pattern.name not in OPEN:
            answered = (response.status_code, "You are logged out" in response.text, response.get("Location", ""))
            led_away = answered[0] == 302 and answered[2].startswith("/" + settings.LOGIN_URL)
            assert led_away or (method == "post" and answered == (401, True, "")), pattern.name


def allowed(name):
    """Who may press a button of the deliveries, the destinations or the audit."""
    if name in CONFIGURE:
        return ("admin",)
    if name in RUN_AUDIT:
        return ("owner", "manager", "admin")
    return DECIDERS if name in DECIDE_DELIVERY else (*DECIDERS, "manager")


@pytest.mark.parametrize("role", READERS)
def test_each_role_meets_what_the_matrix_says(people, policy, role):
    client = signed_in(people[role])
    item = builders.item()
    conflict_called(item.pk)
    delivery_called(item.pk, people["agent"])
    audit_run_known()

    for pattern in pages():
        url = address(pattern, item.pk)
        if pattern.name in READ:
            assert (client.get(url).status_code, client.post(url).status_code) == (200, 405), pattern.name
        elif pattern.name in DECIDE:
            refused = client.post(url, {"seen_version": "99"}).status_code == 403
            assert (client.get(url).status_code, refused) == (405, role not in DECIDERS), pattern.name
        elif pattern.name in DECIDE_DELIVERY | UNDO | CONFIGURE | RUN_AUDIT | SETTLE_OUTSIDE:
            refused = client.post(url).status_code == 403
            assert (client.get(url).status_code, refused) == (405, role not in allowed(pattern.name)), pattern.name
        elif pattern.name in CONFIGURED:
            status = 200 if role == "admin" else 403
            assert (client.get(url).status_code, client.post(url).status_code) == (status, 405), pattern.name
        elif pattern.name in CORRECT:
            statuses = {client.get(url).status_code, client.post(url, {"step": "preview"}).status_code}
            assert (statuses == {403}) is (role == "admin"), pattern.name
        elif pattern.name in PACKS:
            assert (client.get(url).status_code, client.post(url, {"form": "json"}).status_code) == (405, 200)
        elif pattern.name in SITUATIONS:
            status = 403 if role == "admin" else 200
            assert (client.get(url).status_code, client.post(url).status_code) == (status, 405), pattern.name
        elif pattern.name in SETTLE:
            refused = client.post(url, {}).status_code == 403
            assert (client.get(url).status_code, refused) == (405, role != "owner"), pattern.name


@pytest.mark.parametrize("role", READERS)
def test_who_may_change_keys_and_policies_and_look_after_mails(people, policy, role):
    client = signed_in(people[role])
    item = builders.item()

    for pattern in pages():
        url = address(pattern, item.pk)
        if pattern.name in EDIT_KEYS | EDIT_POLICIES:
            refused = {client.get(url).status_code == 403, client.post(url).status_code == 403}
            assert refused == {role != "owner"}, pattern.name
        elif pattern.name in MAILS:
            refused = client.post(url).status_code == 403
            assert (client.get(url).status_code, refused) == (405, role != "admin"), pattern.name
        elif pattern.name in TOLD:
            assert client.get(url).status_code == 405, pattern.name
            assert client.post(url).status_code in {302, 404}, pattern.name


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_no_page_takes_an_unusual_method(console, policy, method):
    item = builders.item()

    for pattern in pages():
        if pattern.name != "login":  # whoever is signed in is led away from it
            assert getattr(console, method)(address(pattern, item.pk)).status_code == 405, pattern.name


def test_a_method_cannot_be_overridden(console, policy):
    item = builders.item()

    response = console.get(
        f"/review/{item.pk}/approve", {"_method": "POST"}, headers={"X-HTTP-Method-Override": "POST"}
    )

    assert response.status_code == 405


def test_whoever_has_no_role_sees_no_item(django_user_model, policy):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))
    item = builders.item()

    assert client.get(f"/review/{item.pk}/").status_code == 404
    assert client.post(f"/review/{item.pk}/approve", {"text": "x"}).status_code == 404


def test_a_role_that_is_taken_away_ends_at_the_next_request(console, policy, agent):
    item = builders.item()
    assert console.get(f"/review/{item.pk}/").status_code == 200
    agent.groups.clear()

    assert console.post(f"/review/{item.pk}/approve", {"text": "x"}).status_code == 404


def test_an_item_that_is_not_there_looks_like_one_that_may_not_be_seen(console, db):
    assert console.get(f"/review/{uuid.uuid4()}/").status_code == 404
