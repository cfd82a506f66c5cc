"""Drafts: taking them in, showing them, and what a reviewer does to one before deciding."""

from http import HTTPStatus
from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from ninja import Query, Router

from console.api.authentication import Token
from console.api.idempotency import idempotent
from console.api.openapi import body
from console.api.outcomes import overtaken, refused
from console.api.paging import LIMIT, MOST, mark, moment_and_id
from console.api.problems import field_problem
from console.api.requests import ApiRequest, id_in_path, read_json, reply
from console.api.schemas.answers import ItemAnswer, ItemPage
from console.api.schemas.bodies import ChangeBody, DraftBody
from console.permissions import Action
from console.scopes import Scope
from drafts import queries, representations
from drafts.decisions import bodies
from drafts.decisions.reading import Reader, name
from drafts.decisions.transitions import ItemState
from drafts.services import editing, intake
from drafts.services.outcomes import Overtaken, Refused
from ledger.decisions.vocabulary import KeyOrigin

router = Router(tags=["drafts"], by_alias=True)


@router.post(
    "/drafts",
    auth=Token(Action.BRING_IN, Scope.DRAFTS),
    response={200: ItemAnswer, 201: ItemAnswer},
    openapi_extra=body(DraftBody),
)
@idempotent
def create_draft(request: ApiRequest) -> HttpResponse:
    """Take in a draft: 201 for a new item, 200 for one that the same content made before."""
    draft = bodies.draft_from(read_json(request))
    taken = intake.take_in(draft, now=timezone.now(), calendar=queries.organisation_calendar())
    headers = {"Location": f"/api/v1/drafts/{taken.item.pk}"}
    if not taken.created:
        return reply(shown_item(request, taken.item.pk), headers=headers)
    shown = representations.as_dict(taken.item, analysis=taken.item.analysis, text=draft.text)
    return reply(_with_url(request, shown), status=HTTPStatus.CREATED, headers=headers)


@router.get("/drafts", auth=Token(Action.READ, Scope.DRAFTS, Scope.READ), response=ItemPage)
def list_drafts(
    request: ApiRequest,
    state: Annotated[ItemState | None, Query()] = None,
    conversation: Annotated[str | None, Query(max_length=256)] = None,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = LIMIT,
) -> HttpResponse:
    """List review items in the order of their arrival; each with the analysis that was stored last."""
    found = representations.items(
        request.auth.user,
        states=[state] if state else (),
        conversation_id=None if conversation is None else name("conversation", conversation),
        after=moment_and_id(cursor),
        limit=limit + 1,
    )
    page = found[:limit]
    following = mark([str(page[-1]["created_at"]), str(page[-1]["id"])]) if len(found) > limit else None
    return reply({"items": [_with_url(request, each) for each in page], "next": following})


@router.get("/drafts/{item_id}", auth=Token(Action.READ, Scope.DRAFTS, Scope.READ), response=ItemAnswer)
def get_draft(request: ApiRequest, item_id: str) -> HttpResponse:
    """Show one item: an open one with a fresh analysis, a decided one with its decision and delivery."""
    return reply(shown_item(request, id_in_path(item_id)))


@router.patch(
    "/drafts/{item_id}",
    auth=Token(Action.DECIDE, Scope.DECIDE),
    response=ItemAnswer,
    openapi_extra=body(ChangeBody),
)
@idempotent
def change_draft(request: ApiRequest, item_id: str) -> HttpResponse:
    """Establish the question, save an edited text, or confirm that the draft still fits; answer with a new analysis."""
    read = Reader.of(read_json(request))
    outcome = _change(request, id_in_path(item_id), read)
    if isinstance(outcome, Refused):
        return refused(outcome.blockers)
    if isinstance(outcome, Overtaken):
        return overtaken(outcome, sent_text=read.text_or_none("text"))
    return reply(shown_item(request, id_in_path(item_id)))


def shown_item(request: ApiRequest, item_id: UUID) -> dict[str, object]:
    """Return one item as its reader sees it now."""
    found = representations.item(
        request.auth.user, item_id, now=timezone.now(), calendar=queries.organisation_calendar()
    )
    return _with_url(request, found)


def _with_url(request: HttpRequest, item: dict[str, object]) -> dict[str, object]:
    return {"id": item["id"], "url": request.build_absolute_uri(reverse("review", args=[item["id"]])), **item}


def _change(request: ApiRequest, item_id: UUID, read: Reader) -> object:
    named = [field for field in ("question", "text", "still_fits") if read.has(field)]
    if len(named) != 1:
        raise field_problem("body", "Send exactly one change: `question`, `text` with `seen_version`, or `still_fits`.")
    actor, now, calendar = request.auth.user, timezone.now(), queries.organisation_calendar()
    match named[0]:
        case "question":
            key = _chosen_key(read.part("question"))
            return editing.choose_key(item_id=item_id, key=key, actor=actor, now=now, calendar=calendar)
        case "text":
            text, seen = read.text("text"), read.whole_number("seen_version", least=1)
            return editing.save_text(
                item_id=item_id, text=text, seen_version=seen, actor=actor, now=now, calendar=calendar
            )
        case _:
            if read.values["still_fits"] is not True:
                raise field_problem("still_fits", "Send true, or leave it out.")
            return editing.confirm_still_fits(item_id=item_id, actor=actor, now=now, calendar=calendar)


def _chosen_key(read: Reader) -> str | None:
    if read.has("by"):
        read.one_of("by", (KeyOrigin.PERSON.value,))
    return read.name_or_none("key")
