"""The sample receiver: plays the helpdesk of a customer, so that one can see approved replies arrive."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpResponse, JsonResponse, UnreadablePostError
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from console.http import ConsoleRequest, show
from console.receiving import is_signed, receive, received, sample_secret
from console.views.access import readers_only
from console.views.highlight import plain
from console.views.paging import Paging, cut, start_of
from drafts.decisions.arriving import Unacceptable
from drafts.decisions.structure import Piece
from drafts.decisions.textgate import TextRefused

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One reply that arrived."""

    webhook_id: str
    conversation: str
    text: tuple[Piece, ...]
    received_at: datetime
    last_at: datetime
    times: int


@dataclass(frozen=True, slots=True)
class ReceiverPage:
    """What arrived, the newest first."""

    rows: tuple[Row, ...]
    paging: Paging


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def receiver(request: ConsoleRequest) -> HttpResponse:
    """Take a signed reply from whoever sends one, or show to readers what arrived."""
    if request.method == "POST":
        return _take(request)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
    return _received(request)


@readers_only
def _received(request: ConsoleRequest) -> HttpResponse:
    _secret()
    start = start_of(request.GET, PER_PAGE)
    found, paging = cut(request.GET, tuple(received()[start : start + PER_PAGE + 1]), PER_PAGE)
    rows = tuple(
        Row(one.webhook_id, one.conversation, plain(one.text), one.received_at, one.last_at, one.times) for one in found
    )
    return show(request, "receiver.html", {"page": ReceiverPage(rows, paging)}, fragment="list")


def _take(request: ConsoleRequest) -> HttpResponse:
    """Answer as the Standard Webhooks specification asks for: 2xx means taken, also where it was taken before."""
    secret = _secret()
    try:
        body = request.body
    except RequestDataTooBig:
        return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The body is too large.")
    except UnreadablePostError:
        return _refused(HTTPStatus.BAD_REQUEST, "The body broke off. Send it again.")
    if not is_signed(request.headers, body, secret=secret):
        return _refused(HTTPStatus.UNAUTHORIZED, "The signature is missing, too old or not valid.")
    try:
        taken = receive(request.headers, body, now=timezone.now())
    except (TextRefused, Unacceptable) as unusable:
        return _refused(HTTPStatus.BAD_REQUEST, str(unusable))
    return JsonResponse({"received": taken.webhook_id, "times": taken.times})


def _secret() -> str:
    secret = sample_secret()
    if secret is None:
        raise Http404("The sample receiver does not exist here.")
    return secret


def _refused(status: HTTPStatus, why: str) -> HttpResponse:
    return JsonResponse({"refused": why}, status=status)
