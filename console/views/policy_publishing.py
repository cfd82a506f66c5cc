"""Before a policy version is published: what it changes, who else would answer, what waits; and the publishing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from console.http import ConsoleRequest, show
from console.templatetags.console_tags import day
from console.views import history
from console.views.highlight import plain
from console.views.history import Change
from console.views.policy_access import named_version, owners_only
from console.views.source_words import AGREEMENTS, FIELDS, VALUES, in_a_list
from drafts import queries
from drafts.decisions.structure import Piece
from drafts.queries.affected import asking_counts
from drafts.queries.publishing import others_who_may_publish
from drafts.services import publishing
from drafts.services.publishing import NotAlone, Overtaken
from ledger import queries as ledger
from ledger.decisions.differences import ValueRow, in_words
from ledger.decisions.facts import Fact
from ledger.decisions.policies import Refused, competing
from ledger.decisions.previewing import FieldChange, PassageChange, Preview
from ledger.decisions.vocabulary import KeyEntry, Version, VersionStatus
from ledger.queries import managing
from ledger.queries.managing import Managed
from ledger.services.policies import VersionRefused

COUNTED = 1000


@dataclass(frozen=True, slots=True)
class FieldTold:
    """A field that changes against the predecessor."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ValueTold:
    """A value that the passages state otherwise."""

    what: str
    agreement: str
    style: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PassageTold:
    """What becomes of the answer to one question; `changes` is the comparison word by word."""

    key: str
    question: tuple[Piece, ...]
    what: str
    is_gone: bool
    changes: tuple[Change, ...]
    text: tuple[Piece, ...]
    section: tuple[Piece, ...]
    values: tuple[ValueTold, ...]


@dataclass(frozen=True, slots=True)
class ContestTold:
    """A question that other documents would answer too, and the channels on which they would."""

    key: str
    question: tuple[Piece, ...]
    rivals: tuple[Version, ...]
    channels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """How many of something there are for one question."""

    key: str
    question: tuple[Piece, ...]
    told: str


@dataclass(frozen=True, slots=True)
class PublishPage:
    """Everything that the page shows; without a `digest` there is nothing to publish."""

    managed: Managed
    version: Version
    refused: str
    notice: str
    others: tuple[str, ...]
    predecessor: Version | None
    ends: tuple[Version, ...]
    fields: tuple[FieldTold, ...]
    passages: tuple[PassageTold, ...]
    contests: tuple[ContestTold, ...]
    holding: tuple[Counted, ...]
    waiting: tuple[Counted, ...]
    digest: str


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
def publish(request: ConsoleRequest) -> HttpResponse:
    """Show what publishing a draft means, and publish it as it was shown."""
    found = named_version(request.GET)
    version = found.version
    if version.status is not VersionStatus.DRAFT:
        messages.info(request, f"{version.version} is {version.status} already. Nothing was changed.")
        return redirect("policy", version.doc_id)
    if request.method != "POST":
        return _show(request, found)
    try:
        count = publishing.publish(
            doc_id=version.doc_id,
            version=version.version,
            seen=request.POST.get("seen", ""),
            actor=request.user,
            now=timezone.now(),
            calendar=queries.organisation_calendar(),
        )
    except (NotAlone, Overtaken) as refused:
        return _show(request, named_version(request.GET), str(refused), status=HTTPStatus.CONFLICT)
    except VersionRefused as refused:
        return _show(request, named_version(request.GET), refused.message, status=HTTPStatus.CONFLICT)
    messages.success(request, f"{version.version} is published. {analysed(count)}{_disputed(version)}")
    return redirect("policy", version.doc_id)


def analysed(count: int) -> str:
    """Say how many drafts were analysed again."""
    return f"{in_a_list(count, COUNTED, 'draft was', 'drafts were').capitalize()} analysed again."


def _disputed(version: Version) -> str:
    found = ledger.open_conflicts_of(statement.question_key for statement in version.statements)
    conflicts = sum(len(each) for each in found.values())
    if not conflicts:
        return ""
    if conflicts == 1:
        return " A conflict is open: nothing goes out on its question until a policy owner settles it."
    return f" {conflicts} conflicts are open: nothing goes out on their questions until a policy owner settles them."


def _show(request: ConsoleRequest, found: Managed, notice: str = "", *, status: int = HTTPStatus.OK) -> HttpResponse:
    page = _page(request, found, notice)
    return show(request, "policy_publish.html", {"page": page}, status=status)


def _page(request: ConsoleRequest, found: Managed, notice: str) -> PublishPage:
    meant = managing.publishing_preview(found.version)
    known = ledger.registry()
    preview = meant if isinstance(meant, Preview) else None
    keys = preview.question_keys if preview else ()
    return PublishPage(
        managed=found,
        version=preview.plan.version if preview else found.version,
        refused=meant.message if isinstance(meant, Refused) else "",
        notice=notice,
        others=others_who_may_publish(found.prepared_by, request.user),
        predecessor=preview.predecessor if preview else None,
        ends=preview.plan.closes if preview else (),
        fields=tuple(_field(one) for one in preview.fields) if preview else (),
        passages=tuple(_passage(one, known, preview.predecessor) for one in preview.passages) if preview else (),
        contests=tuple(
            contest_told(one.question_key, (preview.plan.version,), one.rivals, known) for one in preview.contests
        )
        if preview
        else (),
        holding=holding(keys, known),
        waiting=waiting(keys, known),
        digest=preview.digest if preview else "",
    )


def contest_told(
    key: str, own: Sequence[Version], others: tuple[Version, ...], known: dict[str, KeyEntry]
) -> ContestTold:
    """Say where a document's versions and those of others would answer one question both."""
    channels = sorted(set().union(*(version.channels for version in own)))
    met = tuple(channel for channel in channels if competing((*own, *others), key, channel))
    return ContestTold(key, question_of(key, known), others, met)


def question_of(key: str, known: dict[str, KeyEntry]) -> tuple[Piece, ...]:
    """Return the question that a key stands for, as it is shown."""
    return plain(known[key].question_canonical if key in known else key)


def holding(keys: Sequence[str], known: dict[str, KeyEntry]) -> tuple[Counted, ...]:
    """Count the conversations that hold a locked answer to each of these keys."""
    found = managing.holding_counts(keys, most=COUNTED)
    return tuple(
        Counted(key, question_of(key, known), in_a_list(found[key], COUNTED, "conversation", "conversations"))
        for key in keys
        if key in found
    )


def waiting(keys: Sequence[str], known: dict[str, KeyEntry]) -> tuple[Counted, ...]:
    """Count the open drafts that ask each of these keys."""
    found = asking_counts(keys, most=COUNTED)
    return tuple(
        Counted(key, question_of(key, known), in_a_list(found[key], COUNTED, "open draft", "open drafts"))
        for key in keys
        if key in found
    )


def _field(change: FieldChange) -> FieldTold:
    if not change.field.startswith("effective_"):
        return FieldTold(FIELDS[change.field], change.before, change.after)
    before, after = (date.fromisoformat(one) if one else None for one in (change.before, change.after))
    return FieldTold(FIELDS[change.field], day(before) or "no end", day(after) or "no end")


def _passage(change: PassageChange, known: dict[str, KeyEntry], before: Version | None) -> PassageTold:
    old, new = change.before, change.after
    shown = new or old
    compared = history.changes(old.text, new.text) if old and new else ()
    return PassageTold(
        key=change.question_key,
        question=question_of(change.question_key, known),
        what=_what(change, before),
        is_gone=new is None,
        changes=compared,
        text=plain(shown.text) if shown else (),
        section=plain(shown.section) if shown else (),
        values=tuple(_value(row) for row in change.values),
    )


def _what(change: PassageChange, before: Version | None) -> str:
    if change.after is None:
        return "No longer answered by this document"
    if change.before is None:
        return "Answered for the first time" if before else "Answered"
    return "Unchanged" if change.before.text == change.after.text else "Changed"


def _value(row: ValueRow) -> ValueTold:
    before, after = row.facts
    return ValueTold(VALUES[row.kind], AGREEMENTS[row.agreement], row.agreement, _said(before), _said(after))


def _said(fact: Fact | None) -> str:
    return in_words(fact) if fact else "nothing"
