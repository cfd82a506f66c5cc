"""Issue, recognise and revoke API tokens."""

import re
import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db.models import Q

from console.models import ApiToken
from console.scopes import Scope

PREFIX = "cs_"
"""Marks a token, so that scanners of repositories and logs find one that was left lying about."""

SHAPE = re.compile(r"cs_[A-Za-z0-9_-]{43}", re.ASCII)
USE_NOTED_EVERY = timedelta(minutes=1)


def issue(*, name: str, user: User, scopes: frozenset[Scope], expires_at: datetime | None, now: datetime) -> str:
    """Create a token of 256 random bits and return its secret, which is shown this once and kept nowhere."""
    secret = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(
        name=name,
        digest=_digest(secret),
        user=user,
        scopes=sorted(scopes),
        expires_at=expires_at,
        created_at=now,
    )
    return secret


def recognise(secret: str, *, now: datetime) -> ApiToken | None:
    """Return the token that a secret belongs to, unless it is revoked, expired or its user disabled; note its use."""
    if not SHAPE.fullmatch(secret):
        return None
    token = ApiToken.objects.select_related("user").filter(digest=_digest(secret)).first()
    if token is None or not is_usable(token, now=now):
        return None
    if token.last_used_at is None or token.last_used_at < now - USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def is_usable(token: ApiToken, *, now: datetime) -> bool:
    """Say whether a token still opens anything."""
    expired = token.expires_at is not None and token.expires_at <= now
    return token.revoked_at is None and not expired and token.user.is_active


def revoke(token: ApiToken, *, now: datetime) -> bool:
    """Revoke a token at once; say whether it was still valid before."""
    return ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=now) == 1


def named(name_or_id: str) -> list[ApiToken]:
    """Return the tokens that are not revoked and have this name or number."""
    wanted = Q(name=name_or_id)
    if name_or_id.isascii() and name_or_id.isdigit() and len(name_or_id) < 19:
        wanted |= Q(pk=int(name_or_id))
    return list(ApiToken.objects.select_related("user").filter(wanted, revoked_at__isnull=True))


def every_token() -> list[ApiToken]:
    """Return all tokens, the oldest first."""
    return list(ApiToken.objects.select_related("user").order_by("id"))


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
