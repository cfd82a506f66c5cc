"""What every operation does with a request: read its body strictly, answer with JSON."""

import json
from collections.abc import Mapping
from datetime import date, datetime
from http import HTTPStatus
from uuid import UUID

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from console.api.problems import Problem, field_problem, too_large
from console.models import ApiToken
from drafts.decisions.arriving import Unacceptable
from drafts.decisions.reading import name
from drafts.decisions.report import instant
from drafts.decisions.textgate import BODY_LIMIT_BYTES, parse_json

TOO_LARGE = f"Send at most {BODY_LIMIT_BYTES} bytes."


class ApiRequest(HttpRequest):
    """A request that carried a valid token."""

    auth: ApiToken


def read_json(request: HttpRequest) -> object:
    """Return the parsed body. Raises Problem or TextRefused for what is not strict JSON within the limits."""
    return parse_json(body_of(request))


def body_of(request: HttpRequest) -> bytes:
    """Return the raw body after its headers have been looked at. Raises Problem."""
    charset = (request.content_params or {}).get("charset", "utf-8")
    if request.content_type != "application/json" or charset.lower() != "utf-8":
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON in UTF-8 as Content-Type: application/json.")
    if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send the body as it is, without Content-Encoding.")
    if "Content-Length" not in request.headers:
        raise Problem(HTTPStatus.LENGTH_REQUIRED, "Send the body in one piece with its Content-Length.")
    if _length(request) > BODY_LIMIT_BYTES:
        raise too_large(TOO_LARGE)
    try:
        return request.body
    except RequestDataTooBig:
        raise too_large(TOO_LARGE) from None
    except UnreadablePostError:
        raise field_problem("body", "The body broke off. Send it again.", status=HTTPStatus.BAD_REQUEST) from None


def _length(request: HttpRequest) -> int:
    try:
        return int(request.headers["Content-Length"] or 0)
    except ValueError:
        detail = "Content-Length is no number."
        raise field_problem("Content-Length", detail, status=HTTPStatus.BAD_REQUEST) from None


def in_path(field: str, value: str) -> str:
    """Return a name from the address. Raises Problem (404) where nothing could be called that."""
    try:
        return name(field, value)
    except Unacceptable as refused:
        raise Problem(HTTPStatus.NOT_FOUND, f"The address holds no usable {field}: {refused.message}") from refused


def id_in_path(text: str) -> UUID:
    """Return an id from the address. Raises Problem (404) for what cannot be one."""
    try:
        return UUID(text)
    except ValueError:
        raise Problem(HTTPStatus.NOT_FOUND, "There is nothing with this id.") from None


def _as_text(value: object) -> str:
    """Write what the queries return beside plain JSON values. Raises TypeError for anything else."""
    if isinstance(value, datetime):
        return instant(value) or ""
    if isinstance(value, date):
        return value.isoformat()
    message = f"A {type(value).__name__} has no form in JSON."
    raise TypeError(message)


def reply(
    document: Mapping[str, object],
    *,
    status: HTTPStatus = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Answer with a JSON document."""
    content = json.dumps(document, ensure_ascii=False, allow_nan=False, default=_as_text)
    return HttpResponse(content, status=status, content_type="application/json", headers=dict(headers or {}))
