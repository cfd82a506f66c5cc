"""Write a policy version: a new document, a version that follows another, or a draft that is edited."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from console.http import ConsoleRequest, show
from console.policy_forms import Row, TypedVersion, field_of, in_labels, read_typed, typed_from, typed_version
from console.views.policy_access import address, named, named_version, owners_only
from console.views.source_words import ORIGINS
from drafts.services import publishing
from drafts.services.publishing import Overtaken
from ledger import queries as ledger
from ledger.decisions.keys import root_of
from ledger.decisions.previewing import fingerprint
from ledger.decisions.vocabulary import Version, VersionStatus
from ledger.services.policies import VersionRefused

DOCUMENT_EXISTS = "There is a document of this name already. Write a new version from its page, or choose another name."


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a list."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class RowShown:
    """A row of the form with what is wrong in it."""

    place: int
    number: int
    row: Row
    key_fault: str
    section_fault: str
    passage_fault: str


@dataclass(frozen=True, slots=True)
class FormPage:
    """The form with what was typed; faults stand under the names of their fields.

    `fixed` says that document, kind and deciding date are settled; `editing` that a draft is changed.
    """

    heading: str
    typed: TypedVersion
    rows: tuple[RowShown, ...]
    faults: Mapping[str, str]
    fixed: bool
    editing: bool
    follows: str
    keys: tuple[Choice, ...]
    kinds: tuple[Choice, ...]
    kind: str
    dates: tuple[str, ...]
    channels: tuple[str, ...]
    back: str


@dataclass(frozen=True, slots=True)
class _Task:
    """What the form is for: the document it adds to, the version it follows or the draft it edits; None where new."""

    heading: str
    document: str | None = None
    follows: Version | None = None
    editing: Version | None = None


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def new(request: ConsoleRequest) -> HttpResponse:
    """Write a new document, or with `document` a new version of one, which may start `from` another version."""
    if "document" not in request.GET:
        return _answer(request, _Task("New document"), TypedVersion())
    document = named(request.GET, "document")
    known = {version.version: version for version in ledger.versions_of([document])}
    if not known:
        raise Http404
    start = known.get(request.GET.get("from", ""))
    newest = max(known.values(), key=lambda version: version.effective_from)
    task = _Task("New version", document, start or newest)
    return _answer(request, task, _begun(start or newest, copied=start is not None))


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def edit(request: ConsoleRequest) -> HttpResponse:
    """Change a draft that was not published yet."""
    found = named_version(request.GET).version
    if found.status is not VersionStatus.DRAFT:
        messages.info(request, f"{found.version} is {found.status}, so it stays as it is. Write a new version from it.")
        return redirect("policy", found.doc_id)
    task = _Task(f"Edit {found.version}", found.doc_id, editing=found)
    return _answer(request, task, typed_from(found, seen=fingerprint(found)))


def _begun(version: Version, *, copied: bool) -> TypedVersion:
    """Return a form that begins with what a new version shares with another one, or with all that it says."""
    whole = replace(typed_from(version), version="", effective_from="", effective_until="")
    return whole if copied else replace(whole, body="", rows=(Row(),))


def _answer(request: ConsoleRequest, task: _Task, fresh: TypedVersion) -> HttpResponse:
    if request.method != "POST":
        return _show(request, task, fresh)
    typed = _settled(typed_version(request.POST), task)
    step = request.POST.get("step", "save")
    if step == "add":
        return _show(request, task, typed.with_row())
    if step.startswith("remove-"):
        place = step.removeprefix("remove-")
        return _show(request, task, typed.without_row(int(place)) if place.isdecimal() else typed)
    return _save(request, task, typed, then="policy-publish" if step == "preview" else "policy")


def _settled(typed: TypedVersion, task: _Task) -> TypedVersion:
    """Lay over what was typed what this form does not let anybody change."""
    known = task.editing or task.follows
    if known is not None and (task.editing is None or _is_shared(task)):
        typed = replace(typed, doc_id=known.doc_id, kind=known.kind.value, deciding_date=known.deciding_date)
    if task.editing is not None:
        typed = replace(typed, doc_id=task.editing.doc_id, version=task.editing.version)
    return typed


def _is_shared(task: _Task) -> bool:
    """Say whether another version of the document is there, with which kind and deciding date are shared."""
    return task.document is not None and (
        task.editing is None or any(v.version != task.editing.version for v in ledger.versions_of([task.document]))
    )


def _save(request: ConsoleRequest, task: _Task, typed: TypedVersion, *, then: str) -> HttpResponse:
    read = read_typed(typed)
    faults = dict(read.faults)
    if task.document is None and "doc_id" not in faults and ledger.document(typed.doc_id) is not None:
        faults["doc_id"] = DOCUMENT_EXISTS
    if read.version is None or faults:
        return _show(request, task, typed, faults, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        seen = typed.seen or None if task.editing is not None else None
        publishing.save_draft(version=read.version, seen=seen, actor=request.user, now=timezone.now())
    except VersionRefused as refused:
        faults = {field_of(refused.field, typed): in_labels(refused.message)}
        return _show(request, task, typed, faults, status=HTTPStatus.CONFLICT)
    except Overtaken as overtaken:
        return _show(request, task, typed, {"whole": str(overtaken)}, status=HTTPStatus.CONFLICT)
    messages.success(request, f"The draft {read.version.version} is saved. Nothing is published yet.")
    if then == "policy":
        return redirect("policy", read.version.doc_id)
    return redirect(address(then, read.version.doc_id, read.version.version))


def _show(
    request: ConsoleRequest,
    task: _Task,
    typed: TypedVersion,
    faults: Mapping[str, str] | None = None,
    *,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    return show(request, "policy_form.html", {"page": _page(task, typed, faults or {})}, status=status)


def _page(task: _Task, typed: TypedVersion, faults: Mapping[str, str]) -> FormPage:
    known = ledger.registry()
    roots = [key for key in known if root_of(key, known) == key]
    used = [row.question_key for row in typed.rows if row.question_key in known]
    shown = sorted({*roots, *used})
    return FormPage(
        heading=task.heading,
        typed=typed,
        rows=tuple(_row(place, row, faults) for place, row in enumerate(typed.rows)),
        faults=faults,
        fixed=_is_shared(task),
        editing=task.editing is not None,
        follows=task.follows.version if task.follows else "",
        keys=tuple(Choice(key, f"{known[key].question_canonical} ({key})") for key in shown),
        kinds=tuple(Choice(kind.value, words) for kind, words in ORIGINS.items()),
        kind=next((words for kind, words in ORIGINS.items() if kind.value == typed.kind), typed.kind),
        dates=tuple(sorted({fact for entry in known.values() for fact in entry.deciding_facts})),
        channels=ledger.channels(),
        back=task.document or "",
    )


def _row(place: int, row: Row, faults: Mapping[str, str]) -> RowShown:
    told = (faults.get(f"{name}-{place}", "") for name in ("key", "section", "passage"))
    return RowShown(place, place + 1, row, *told)
