"""Two documents conflict: nothing goes out until one version wins, and then the answer (rule 3.7)."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from console.http import ConsoleRequest, show
from console.views.highlight import plain
from console.views.situations import Case, case_of
from drafts import queries
from drafts.decisions import commitments
from drafts.decisions.given import Asked
from drafts.decisions.structure import Piece
from drafts.queries.composing import open_items_asking
from drafts.services import correcting, disputing
from drafts.services.correcting import CorrectionWanted
from drafts.services.outcomes import Unusable
from ledger import queries as ledger
from ledger.decisions.vocabulary import Version

if TYPE_CHECKING:
    from drafts.models import ReviewItem

NOTHING_YET = CorrectionWanted("", "", "")


@dataclass(frozen=True, slots=True)
class Rival:
    """One of the versions that compete."""

    title: str
    doc_id: str
    version: str
    section: str
    passage: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class TwoDocumentsPage:
    """Where the sources of one question stand for this customer.

    `rivals` compete; without any, `passage` is what applies, or there is `why_none`. `told` is the locked answer.
    """

    case: Case
    rivals: tuple[Rival, ...]
    conflict: str | None
    source: str
    passage: tuple[Piece, ...]
    why_none: str
    told: tuple[Piece, ...]
    told_the_passage: bool
    waiting: "tuple[ReviewItem, ...]"


@require_http_methods(["GET", "HEAD", "POST"])
def two_documents(request: ConsoleRequest, conversation_id: int) -> HttpResponse:
    """Show where the sources stand; a press opens the conflict for its policy owner."""
    case = case_of(request, conversation_id)
    if request.method != "POST":
        return _answer(request, case)
    try:
        opened = disputing.open_conflict(
            conversation_id=case.conversation.external_id,
            question_key=case.key,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        )
    except Unusable as unusable:
        return _answer(request, case, unusable.message, status=HTTPStatus.CONFLICT)
    messages.success(request, "The conflict is open, and its policy owner is told.")
    return redirect("conflict", opened)


def _answer(request: ConsoleRequest, case: Case, problem: str = "", *, status: int = HTTPStatus.OK) -> HttpResponse:
    page = _page(request, case) if case.key else None
    context: dict[str, object] = {"case": case, "page": page, "problem": problem}
    return show(request, "correction_two_documents.html", context, status=status)


def _page(request: ConsoleRequest, case: Case) -> TwoDocumentsPage:
    one = previewed(case, NOTHING_YET).one
    statement, version = commitments.statement_of(one), one.route.version
    rivals = tuple(_rival(candidate, one.root or "") for candidate in one.route.candidates)
    told = one.locked.answer_text if one.locked else ""
    return TwoDocumentsPage(
        case=case,
        rivals=rivals,
        conflict=_open_conflict(case) if rivals else None,
        source=f"{version.title}, version {version.version}" if version else "",
        passage=plain(statement.text if statement else ""),
        why_none="" if statement or rivals else _why_none(one),
        told=plain(told),
        told_the_passage=statement is not None and told == statement.text,
        waiting=tuple(open_items_asking(request.user, case.conversation, case.key)),
    )


def previewed(case: Case, wanted: CorrectionWanted) -> correcting.Previewed:
    """Look at a question of a conversation as a correction would; nothing is stored."""
    return correcting.preview_from_ledger(
        conversation_id=case.conversation.external_id,
        question_key=case.key,
        wanted=wanted,
        now=timezone.now(),
        calendar=queries.organisation_calendar(),
    )


def _rival(version: Version, key: str) -> Rival:
    statement = version.statement_for(key)
    return Rival(
        version.title,
        version.doc_id,
        version.version,
        statement.section if statement else "",
        plain(statement.text if statement else ""),
    )


def _open_conflict(case: Case) -> str | None:
    known = ledger.open_conflicts_of([case.key]).get(case.key, ())
    return next((conflict for conflict, channel in known if channel == case.conversation.channel), None)


def _why_none(one: Asked) -> str:
    if one.route.missing_field:
        return f"No version can be chosen before this is known: {commitments.readable(one.route.missing_field)}."
    return "No document answers this question for this customer’s channel and dates."
