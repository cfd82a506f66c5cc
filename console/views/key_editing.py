"""Question keys changed by policy owners: one by one, or from a file; what that means is shown before it is done."""

from dataclasses import dataclass, replace
from http import HTTPStatus

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from console.http import ConsoleRequest, show
from console.key_forms import FIELD_OF, TypedKey, digest_of, read_key, typed_of
from console.permissions import Action, may
from console.views.access import readers_only
from console.views.history import name_of
from console.views.keys import shown
from console.views.source_words import CLASSES
from console.views.words import branch_told
from drafts import queries
from drafts.queries.policy_owners import policy_owners
from drafts.services.registering import Registered, RegistryRefused, delete_key, missing_defaults, register
from ledger import queries as ledger
from ledger.decisions.key_files import KeysUnusable, read_keys, written
from ledger.decisions.vocabulary import KeyEntry
from ledger.services.keys import KeyRefused

LARGEST_FILE = 200 * 1024
SHOWN = 50
FIELD_WORDS = {
    "key": "the key", "question_canonical": "the question", "commitment_class": "how binding it is",
    "deciding_facts": "the deciding facts", "parent": "the parent", "boundary": "the boundary sentence",
    "examples": "how customers ask it", "owner": "the owner",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a change means, in words; a list longer than the page shows is counted."""

    told: Registered
    keys: tuple[tuple[str, str, str], ...]
    drafts: tuple[tuple[str, str, str, str], ...]
    more_drafts: int


@require_http_methods(["GET", "HEAD", "POST"])
@readers_only
def add(request: ConsoleRequest) -> HttpResponse:
    """Create a question key."""
    _owners_only(request)
    if request.method != "POST":
        return _form(request, TypedKey(), None)
    typed = read_key(request.POST)
    if typed.key in ledger.registry():
        typed = replace(typed, faults={**typed.faults, "key": f"{typed.key} is there already. Change it instead."})
    return _work(request, typed, None)


@require_http_methods(["GET", "HEAD", "POST"])
@readers_only
def change(request: ConsoleRequest, key: str) -> HttpResponse:
    """Change a question key."""
    _owners_only(request)
    stored = ledger.registry().get(key)
    if stored is None:
        raise Http404
    if request.method != "POST":
        return _form(request, typed_of(stored), stored)
    return _work(request, read_key(request.POST, key=key), stored)


@require_POST
@readers_only
def delete(request: ConsoleRequest, key: str) -> HttpResponse:
    """Remove a key that nothing rests on."""
    _owners_only(request)
    if "\x00" in key:
        raise Http404
    try:
        delete_key(key=key)
    except ObjectDoesNotExist as gone:
        raise Http404 from gone
    except KeyRefused as refused:
        return shown(request, key, fault=refused.message)
    messages.success(request, f"{key} was deleted.")
    return redirect("keys")


@require_safe
@readers_only
def download(_request: ConsoleRequest) -> HttpResponse:
    """Send the whole registry as a file that can be loaded again."""
    response = HttpResponse(written(ledger.registry().values()), content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="keys.json"'
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@readers_only
def load_file(request: ConsoleRequest) -> HttpResponse:
    """Load a file of keys, or what is missing of the default registry; the first step only shows what it means."""
    _owners_only(request)
    if request.method != "POST":
        return show(request, "key_file.html", {"missing": len(missing_defaults())})
    content = _content(request)
    if isinstance(content, str):
        return _loaded(request, content)
    return show(request, "key_file.html", {"faults": content}, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _content(request: ConsoleRequest) -> str | tuple[str, ...]:
    """Return the file's text, or what is wrong with it as a whole."""
    if request.POST.get("source") == "default":
        return written(missing_defaults())
    sent = request.FILES.get("file")
    if sent is None:
        text = request.POST.get("content", "")
        return text or ("Choose a file.",)
    if sent.size is None or sent.size > LARGEST_FILE:
        return (f"The file is larger than {LARGEST_FILE // 1024} kB. A registry has some twenty keys.",)
    raw: bytes = sent.read()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return ("This file is not UTF-8 text.",)


def _loaded(request: ConsoleRequest, content: str) -> HttpResponse:
    keeps = request.POST.get("step") == "load"
    context: dict[str, object] = {"content": content}
    try:
        entries = read_keys(content) if request.POST.get("source") != "default" else missing_defaults()
        told = _registered(request, entries, dry_run=not keeps)
    except KeysUnusable as unusable:
        context["faults"] = tuple(map(str, unusable.faults))
    except RegistryRefused as refused:
        context["faults"] = (str(refused),)
    else:
        if keeps:
            messages.success(request, _done(told))
            return redirect("keys")
        return show(request, "key_file.html", {**context, "meaning": _meaning(told)})
    return show(request, "key_file.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _work(request: ConsoleRequest, typed: TypedKey, stored: KeyEntry | None) -> HttpResponse:
    if typed.faults:
        return _form(request, typed, stored, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if typed.seen != digest_of(stored):
        fault = "Somebody changed this key meanwhile. What you typed is kept; look at how it stands now."
        moved = replace(typed, seen=digest_of(stored), faults={"seen": fault})
        return _form(request, moved, stored, status=HTTPStatus.CONFLICT)
    keeps = request.POST.get("step") == "save"
    try:
        told = _registered(request, [typed.entry], seen={typed.key: stored}, dry_run=not keeps)
    except RegistryRefused as refused:
        fault_at = {FIELD_OF.get(refused.field, refused.field): refused.message}
        status = HTTPStatus.CONFLICT if refused.field == "seen" else HTTPStatus.UNPROCESSABLE_ENTITY
        return _form(request, replace(typed, faults=fault_at), stored, status=status)
    if not keeps:
        return _form(request, typed, stored, meaning=_meaning(told))
    messages.success(request, _done(told))
    return redirect("key", typed.key)


def _registered(
    request: ConsoleRequest,
    entries: "list[KeyEntry] | tuple[KeyEntry, ...]",
    *,
    seen: "dict[str, KeyEntry | None] | None" = None,
    dry_run: bool,
) -> Registered:
    return register(
        entries,
        actor=request.user,
        now=timezone.now(),
        calendar=queries.organisation_calendar(),
        seen=seen,
        dry_run=dry_run,
    )


def _form(
    request: ConsoleRequest,
    typed: TypedKey,
    stored: KeyEntry | None,
    *,
    meaning: Meaning | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    roots = [entry for entry in ledger.registry().values() if entry.parent is None and entry.key != typed.key]
    owners = [(person.username, name_of(person)) for person in policy_owners()]
    if typed.owner and typed.owner not in dict(owners):
        owners.append((typed.owner, typed.owner))
    context: dict[str, object] = {
        "typed": typed, "stored": stored, "meaning": meaning, "roots": roots, "owners": owners, "classes": CLASSES,
    }  # fmt: skip
    return show(request, "key_form.html", context, status=status)


def _meaning(told: Registered) -> Meaning:
    drafts = tuple(
        (
            str(one.item_id),
            one.external_id,
            branch_told(one.before).short,
            branch_told(one.after).short,
        )
        for one in told.drafts[:SHOWN]
    )
    keys = tuple(
        (one.key, one.outcome, ", ".join(FIELD_WORDS[name] for name in one.fields) if one.outcome == "changed" else "")
        for one in told.keys
        if one.outcome != "unchanged"
    )
    return Meaning(told, keys, drafts, max(0, len(told.drafts) - SHOWN))


def _done(told: Registered) -> str:
    counted = {outcome: sum(one.outcome == outcome for one in told.keys) for outcome in ("created", "changed")}
    number = sum(counted.values())
    if not number:
        return "Nothing was to be changed."
    drafts = len(told.drafts)
    return (
        f"{number} key{'' if number == 1 else 's'} saved. "
        f"{drafts or 'No'} open draft{'' if drafts == 1 else 's'} changed with {'it' if number == 1 else 'them'}."
    )


def _owners_only(request: ConsoleRequest) -> None:
    if not may(request.user, Action.CHANGE_SOURCES):
        raise PermissionDenied("Changing question keys is for policy owners.")
