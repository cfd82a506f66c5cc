"""Evidence packs: made when somebody asks for one, and the program with which anybody checks them."""

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from console.http import ConsoleRequest
from console.views import history
from drafts import evidence_verifier, queries
from drafts.decisions.evidence import TooLarge
from drafts.queries.evidence import PACKS_SHOWN, made_packs
from drafts.services import evidence
from drafts.services.evidence import FORMS, Made
from ledger.gateways.signing import KeyUnusable

if TYPE_CHECKING:
    from drafts.models import Conversation

VERIFIER = "verify_evidence.py"
SEALED_OFF = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""A document is a file to keep; where a browser shows it all the same, nothing in it can act in our name."""
CONTENT_TYPES = {"json": "application/json", "html": "text/html; charset=utf-8"}
FORM_NAMES = {"json": "JSON", "html": "Readable document"}


@dataclass(frozen=True, slots=True)
class PackRow:
    """One pack that was made."""

    form: str
    made_at: datetime
    made_by: str
    sha256: str
    key_id: str


@dataclass(frozen=True, slots=True)
class PacksPart:
    """What the page of a conversation shows of its evidence packs."""

    conversation_id: int
    packs: tuple[PackRow, ...]
    more: bool


def packs_part(request: ConsoleRequest, conversation_id: int) -> PacksPart:
    """Return which packs were made of a conversation, the newest first."""
    found = made_packs(request.user, conversation_id, PACKS_SHOWN + 1)
    rows = (
        PackRow(FORM_NAMES[one.form], one.made_at, history.name_of(one.made_by) or "", one.sha256, one.key_id)
        for one in found[:PACKS_SHOWN]
    )
    return PacksPart(conversation_id, tuple(rows), len(found) > PACKS_SHOWN)


@require_POST
def make(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Make a pack in the form asked for and hand it out; who had it made is kept."""
    conversation: Conversation = get_object_or_404(queries.visible_conversations(request.user), pk=conversation_id)
    form = next((one for one in FORMS if one == request.POST.get("form")), None)
    if form is None:
        return _refused(request, conversation, "Choose one of the two forms.", HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        made = evidence.make(conversation_id=conversation.pk, form=form, actor=request.user, now=timezone.now())
    except TooLarge as refused:
        return _refused(request, conversation, str(refused), HTTPStatus.UNPROCESSABLE_ENTITY)
    except KeyUnusable as refused:
        return _refused(request, conversation, f"Nothing can be signed. {refused}", HTTPStatus.SERVICE_UNAVAILABLE)
    return handed_out(made)


def handed_out(made: Made) -> HttpResponse:
    """Answer with a pack as a file."""
    response = HttpResponse(made.data, content_type=CONTENT_TYPES[made.form])
    response["Content-Disposition"] = f'attachment; filename="{made.file_name}"'
    response["Content-Security-Policy"] = SEALED_OFF
    response["Cache-Control"] = "no-store"
    return response


def _refused(request: ConsoleRequest, conversation: "Conversation", why: str, status: HTTPStatus) -> HttpResponse:
    context = {"conversation": conversation, "why": why}
    response = render(request, "evidence_refused.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@login_not_required
def verifier(_request: ConsoleRequest) -> HttpResponse:
    """Hand out the program that checks packs; whoever was given one needs no account for it."""
    program = Path(evidence_verifier.__file__).with_name(VERIFIER).read_bytes()
    response = HttpResponse(program, content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{VERIFIER}"'
    return response
