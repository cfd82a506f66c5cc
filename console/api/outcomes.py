"""Refused and overtaken decisions as problem documents."""

from collections.abc import Sequence
from http import HTTPStatus

from django.http import HttpResponse

from console.api.problems import Problem, answer
from drafts.decisions.given import Blocker
from drafts.decisions.report import instant
from drafts.services.outcomes import Overtaken


def refused(blockers: Sequence[Blocker]) -> HttpResponse:
    """Answer that the text may not leave, with every reason."""
    named = [{"code": b.code, "message": b.message, "start": b.start, "end": b.end} for b in blockers]
    return answer(
        Problem(
            HTTPStatus.CONFLICT,
            " ".join(b.message for b in blockers),
            kind="blocked",
            title="This reply cannot go out",
            more={"blockers": named},
        )
    )


def overtaken(outcome: Overtaken, *, sent_text: str | None) -> HttpResponse:
    """Answer who or what came first; a text that was sent with the request is kept with the item."""
    conflict = {
        "who": outcome.who,
        "since": instant(outcome.since),
        "kind": outcome.kind,
        "message": outcome.message,
        "your_text_kept": bool(sent_text),
    }
    return answer(
        Problem(
            HTTPStatus.CONFLICT,
            outcome.message,
            kind="overtaken",
            title="Somebody or something came first",
            more={"conflict": conflict},
        )
    )
