"""Idempotency-Key: the same request twice is one request, also when the first still runs or its process died.

Whoever runs a keyed request holds a PostgreSQL advisory lock on token and key. A twin waits for that lock and then
finds the answer; a lock that its dead holder lost lets the next one take over. The record is written in its own
transaction before the operation runs, so another body under the key is refused at once.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Concatenate

from django.db import InterfaceError, OperationalError, connection, transaction
from django.http import HttpResponse
from django.utils import timezone

from console.api.problems import MEDIA_TYPE, Problem, field_problem
from console.api.requests import ApiRequest, body_of
from console.models import IdempotencyRecord

KEY = re.compile(r"[\x21-\x7e]{1,255}")
WAIT = "5s"
"""How long a twin waits for the first to finish before it is asked to come again."""


def idempotent[**P](
    operation: Callable[Concatenate[ApiRequest, P], HttpResponse],
) -> Callable[Concatenate[ApiRequest, P], HttpResponse]:
    """Let an operation be repeated safely under an `Idempotency-Key`; without the header nothing changes."""

    @wraps(operation)
    def run(request: ApiRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return operation(request, *args, **kwargs)
        if not KEY.fullmatch(key):
            detail = "Send 1 to 255 visible ASCII characters."
            raise field_problem("Idempotency-Key", detail, status=HTTPStatus.BAD_REQUEST)
        fingerprint = _fingerprint(request)
        _refuse_other_content(_find(request, key), fingerprint)
        with _alone(request, key):
            record = _begin(request, key, fingerprint)
            if record.status is not None and record.body is not None:
                return _replay(record.status, record.body)
            return _finish(record, lambda: operation(request, *args, **kwargs))

    return run


def _fingerprint(request: ApiRequest) -> str:
    parts = (str(request.method).encode(), request.get_full_path().encode(), body_of(request))
    return sha256(b"\x00".join(sha256(part).digest() for part in parts)).hexdigest()


def _find(request: ApiRequest, key: str) -> IdempotencyRecord | None:
    return IdempotencyRecord.objects.filter(token=request.auth, key=key).first()


def _refuse_other_content(record: IdempotencyRecord | None, fingerprint: str) -> None:
    if record is not None and record.fingerprint != fingerprint:
        detail = "This Idempotency-Key came before with other content. Use a new key for a new request."
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            detail,
            kind="idempotency-key-reused",
            title="Same key, other content",
            errors=[{"field": "Idempotency-Key", "message": detail}],
        )


def _begin(request: ApiRequest, key: str, fingerprint: str) -> IdempotencyRecord:
    """Return the key's record, new or left by a twin or by a process that died. Needs the lock; raises Problem."""
    record, _created = IdempotencyRecord.objects.get_or_create(
        token=request.auth, key=key, defaults={"fingerprint": fingerprint, "started_at": timezone.now()}
    )
    _refuse_other_content(record, fingerprint)
    return record


def _finish(record: IdempotencyRecord, operation: Callable[[], HttpResponse]) -> HttpResponse:
    """Run the operation; keep what it came to, or free the key where it was refused before it could run."""
    try:
        response = operation()
    except Exception:
        _free(record)
        raise
    if response.status_code < HTTPStatus.MULTIPLE_CHOICES or response.status_code == HTTPStatus.CONFLICT:
        IdempotencyRecord.objects.filter(pk=record.pk).update(
            status=response.status_code, body=response.content.decode()
        )
    else:
        _free(record)
    return response


def _free(record: IdempotencyRecord) -> None:
    try:
        IdempotencyRecord.objects.filter(pk=record.pk, status__isnull=True).delete()
    except (OperationalError, InterfaceError):
        connection.close()  # without a database the record stays open, and the next request under the key takes over


def _replay(status: int, body: str) -> HttpResponse:
    content_type = "application/json" if status < HTTPStatus.MULTIPLE_CHOICES else MEDIA_TYPE
    return HttpResponse(body, status=status, content_type=content_type, headers={"Idempotency-Replayed": "true"})


@contextmanager
def _alone(request: ApiRequest, key: str) -> Iterator[None]:
    """Hold the lock of token and key for this session. Raises Problem where a twin holds it for too long."""
    number = int.from_bytes(sha256(f"{request.auth.pk}\x00{key}".encode()).digest()[:8], signed=True)
    if not _lock(number):
        detail = "The same request is still running. Send it again in a moment."
        raise Problem(HTTPStatus.CONFLICT, detail, kind="still-running", headers={"Retry-After": "1"})
    try:
        yield
    finally:
        _unlock(number)


def _lock(number: int) -> bool:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [WAIT])
        try:
            with transaction.atomic():
                cursor.execute("SELECT pg_advisory_lock(%s)", [number])
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) == "55P03":  # lock_not_available
                return False
            raise
    return True


def _unlock(number: int) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [number])
    except (OperationalError, InterfaceError):
        connection.close()  # the session is gone, and its locks with it
