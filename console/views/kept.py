"""What a form carried that was not taken: shown to be copied and, where that is safe, to be sent again."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from console.views.highlight import plain
from drafts.decisions.structure import Piece
from ledger.decisions.text import is_blank

SECRET = frozenset({"password", "csrfmiddlewaretoken"})
TECHNICAL = frozenset(
    {
        "active",
        "composed",
        "dismiss",
        "external_id",
        "form",
        "insertion",
        "item",
        "mend",
        "next",
        "proposed",
        "rows",
        "seen",
        "seen_entry",
        "seen_version",
        "step",
    }
)
"""What pages and buttons add and nobody types: sent again with the rest, and not shown."""
LABELS = {
    "text": "The text of the reply",
    "body": "The whole text",
    "doc_id": "Name of the document",
    "answer_text": "The answer to lock",
    "new_answer": "The answer that holds from now on",
    "withdrawn": "The words that are withdrawn",
    "message": "Message to the customer",
    "owner": "Who answers for it",
    "quoted": "What the customer says they were told",
    "reason-correct": "Reason of the correction",
    "reason-escalate": "Reason of the escalation",
    "reason-send_back": "Reason for sending it back",
    "effective_from": "In force from",
    "effective_until": "In force until before",
}
ONE_LINE = 80
MOST_ROWS = 14


@dataclass(frozen=True, slots=True)
class KeptField:
    """One value as it was sent; without `rows` it fits on a line, without a label it is not shown."""

    name: str
    label: tuple[Piece, ...]
    value: str
    rows: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that a form carried; `action` is where it may be sent again, `page` where it stood, if known.

    Files cannot be kept: only their names are here.
    """

    fields: tuple[KeptField, ...]
    files: tuple[tuple[Piece, ...], ...]
    action: str
    page: str

    @property
    def has_text(self) -> bool:
        """Say whether there is anything to show."""
        return any(field.label for field in self.fields)


def kept_of(request: HttpRequest, *, again: bool) -> Kept | None:
    """Return what a form carried, None where that is nobody's text: no form of ours, the log-in, and what htmx sends.

    `again` says that it may be sent again; what a page elsewhere sent, or a form with files, never may.
    """
    is_form = request.method == "POST" and request.resolver_match is not None
    is_htmx = request.headers.get("HX-Request") == "true"
    if not is_form or is_htmx or request.path == resolve_url(settings.LOGIN_URL):
        return None
    files = tuple(plain(file.name or "") for _, several in request.FILES.lists() for file in several)
    return Kept(
        fields=tuple(_fields(request)),
        files=files,
        action=request.get_full_path() if again and not files else "",
        page=_page_of(request),
    )


def came_from_here(request: HttpRequest) -> bool:
    """Say whether the browser vouches that one of our own pages sent this form."""
    here = f"{request.scheme}://{request.get_host()}"
    origins = {here, *settings.CSRF_TRUSTED_ORIGINS}
    return request.headers.get("Sec-Fetch-Site") == "same-origin" or request.headers.get("Origin") in origins


def _fields(request: HttpRequest) -> Iterator[KeptField]:
    for name, values in request.POST.lists():
        if name in SECRET:
            continue
        for value in map(str, values):
            unseen = name in TECHNICAL or is_blank(value)
            yield KeptField(name, () if unseen else plain(_label(name)), value, _rows(value))


def _label(name: str) -> str:
    if name in LABELS:
        return LABELS[name]
    words = name.replace("_", " ").replace("-", " ").replace(":", " ").strip()
    return words[:1].upper() + words[1:] or "Without a name"


def _rows(value: str) -> int:
    lines = sum(1 + len(line) // ONE_LINE for line in value.split("\n"))
    return 0 if lines == 1 and "\r" not in value else min(lines + 1, MOST_ROWS)


def _page_of(request: HttpRequest) -> str:
    """Return the address of the page on which the form stood, within this site only."""
    told = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(told, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return ""
    parts = urlsplit(told)
    address = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return address if address.startswith("/") and not address.startswith("//") else ""
