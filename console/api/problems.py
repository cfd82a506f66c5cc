"""Every refusal of the API as an RFC 9457 problem document, in words that say what to do."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from django.core.exceptions import ObjectDoesNotExist
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from drafts.decisions.arriving import Unacceptable
from drafts.decisions.textgate import BodyTooLarge, TextRefused
from drafts.services.intake import ExternalIdReused
from drafts.services.outcomes import Unusable
from ledger.decisions.policies import RefusedBecause
from ledger.decisions.router import BadDate
from ledger.decisions.sending import Malformed
from ledger.services.conflicts import ConflictNotSettled
from ledger.services.keys import KeyRefused
from ledger.services.policies import VersionRefused

logger = logging.getLogger("countersign.api")

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """A request that is answered with a refusal; `more` holds members beside the standard ones."""

    def __init__(
        self,
        status: HTTPStatus,
        detail: str,
        *,
        kind: str | None = None,
        title: str | None = None,
        errors: Sequence[Mapping[str, object]] = (),
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind or status.phrase.lower().replace(" ", "-").replace("'", "")
        self.title = title or status.phrase
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}
        self.more = more or {}


def field_problem(field: str, message: str, *, status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY) -> Problem:
    """Return the refusal of one field, named as it was sent."""
    return Problem(
        status,
        f"{field}: {message}",
        kind="invalid-body",
        title="The request cannot be taken as it is",
        errors=[{"field": field, "message": message}],
    )


def not_found(detail: str = "There is nothing at this address.") -> Problem:
    """Return the refusal for what does not exist, or is not for the caller to see."""
    return Problem(HTTPStatus.NOT_FOUND, detail)


def too_large(detail: str) -> Problem:
    """Return the refusal of a body beyond its limit."""
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail, kind="too-large", title="The body is too large")


def answer(problem: Problem) -> HttpResponse:
    """Write a problem as a response."""
    document = {
        "type": f"urn:countersign:problem:{problem.kind}",
        "title": problem.title,
        "status": problem.status.value,
        "detail": problem.detail,
        "errors": list(problem.errors),
        **problem.more,
    }
    content = json.dumps(document, ensure_ascii=False)
    return HttpResponse(content, status=problem.status, content_type=MEDIA_TYPE, headers=dict(problem.headers))


def problem_of(error: Exception) -> Problem:
    """Return the problem that an exception stands for; what is not expected is a bug, is logged and becomes a 500."""
    for kind, translate in TRANSLATIONS.items():
        if isinstance(error, kind):
            return translate(error)
    logger.error("Unexpected failure while answering a request", exc_info=error)
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong here; it has been logged. Try again later.")


def _text_refused(error: Exception) -> Problem:
    field, message = getattr(error, "field", "body"), getattr(error, "message", str(error))
    status = HTTPStatus.BAD_REQUEST if field == "body" else HTTPStatus.UNPROCESSABLE_ENTITY
    return field_problem(field, message, status=status)


def _named_field(error: Exception) -> Problem:
    return field_problem(getattr(error, "field", "body"), getattr(error, "message", str(error)))


def _against_what_stands(error: Exception) -> Problem:
    """Tell a fault of the body (422) from one that only arises with what is stored (409)."""
    field, message = getattr(error, "field", "body"), getattr(error, "message", str(error))
    stands = getattr(error, "because", None) in {RefusedBecause.OVERLAP, RefusedBecause.IN_USE} or field == "state"
    return field_problem(field, message, status=HTTPStatus.CONFLICT if stands else HTTPStatus.UNPROCESSABLE_ENTITY)


def _bad_date(error: Exception) -> Problem:
    return field_problem(getattr(error, "field", "body"), "Send a calendar date as YYYY-MM-DD, or null.")


def _query_refused(error: Exception) -> Problem:
    found = [
        {"field": ".".join(str(step) for step in each["loc"][1:]), "message": str(each["msg"])}
        for each in getattr(error, "errors", ())
    ]
    detail = "; ".join(f"{each['field']}: {each['message']}" for each in found)
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, kind="invalid-query", errors=found)


def _external_id_reused(error: Exception) -> Problem:
    errors = [{"field": "external_id", "message": str(error)}]
    return Problem(HTTPStatus.CONFLICT, str(error), kind="external-id-reused", errors=errors)


def _http_error(error: Exception) -> Problem:
    return Problem(HTTPStatus(getattr(error, "status_code", 400)), str(error))


BUSY = frozenset({"40001", "40P01", "55P03", "57014"})
"""PostgreSQL's codes for what others hold just now: serialisation, deadlock, lock and statement time-outs."""


def _database_away(error: Exception) -> Problem:
    if getattr(error.__cause__, "sqlstate", None) in BUSY:
        logger.warning("A request gave up waiting for others: %s", str(error).strip())
        detail = "Others are working on the same thing just now. Nothing was stored; send the same request again."
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, kind="busy", headers={"Retry-After": "2"})
    logger.error("The database does not answer", exc_info=error)
    detail = "The database does not answer just now. Send the same request again in a moment."
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, headers={"Retry-After": "2"})


TRANSLATIONS: Mapping[type[Exception], Callable[[Exception], Problem]] = {
    BodyTooLarge: lambda error: too_large(getattr(error, "message", str(error))),
    TextRefused: _text_refused,
    Unacceptable: _named_field,
    Unusable: _named_field,
    Malformed: _named_field,
    KeyRefused: _named_field,
    VersionRefused: _against_what_stands,
    ConflictNotSettled: _against_what_stands,
    BadDate: _bad_date,
    ExternalIdReused: _external_id_reused,
    ObjectDoesNotExist: lambda _error: not_found(),
    Http404: lambda _error: not_found(),
    ValidationError: _query_refused,
    HttpError: _http_error,
    OperationalError: _database_away,
    InterfaceError: _database_away,
}


def register(api: NinjaAPI) -> None:
    """Answer every exception of an operation with a problem document."""

    def handle(_request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
        if isinstance(error, Problem):
            return answer(error)
        return answer(problem_of(error if isinstance(error, Exception) else error()))

    for kind in (Exception, Http404, HttpError, ValidationError):
        api.add_exception_handler(kind, handle)
