"""Policy versions from the screen and from files: written, published, ended, retired. Each is one transaction.

Whatever changes which document answers a question is followed by the same steps (`conflicts.published`): conflicts that
ended are closed, those that began are opened, and the open drafts that ask the question are analysed again.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction

from drafts.queries.policy_owners import names_of_policy_owners
from drafts.queries.publishing import others_who_may_publish
from drafts.services import conflicts
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.policies import Refused
from ledger.decisions.policy_files import Bundle
from ledger.decisions.previewing import fingerprint
from ledger.decisions.vocabulary import Version, VersionStatus
from ledger.models import PolicyDocument, PolicyVersion
from ledger.queries import managing
from ledger.services import loading, policies
from ledger.services.conflicts import find_conflicts
from ledger.services.loading import Change
from ledger.services.policies import VersionRefused


class Overtaken(Exception):
    """What somebody looked at is not what stands now; nothing was done. The message says what to do."""


class NotAlone(Exception):
    """Nobody publishes what they prepared themselves while `others` can do it; nothing was done."""

    def __init__(self, others: tuple[str, ...]) -> None:
        super().__init__("Somebody else has to publish what you prepared yourself.")
        self.others = others


@transaction.atomic(durable=True)
def save_draft(*, version: Version, seen: str | None, actor: User, now: datetime) -> None:
    """Store a version as a draft that its author prepared; `seen` is the fingerprint of the draft it replaces.

    None stands for a version that is not there yet. Raises VersionRefused, and Overtaken where the draft moved on.
    """
    PolicyDocument.objects.select_for_update().filter(pk=version.doc_id).first()
    standing = managing.managed(version.doc_id, version.version)
    if standing is not None and standing.version.status is not VersionStatus.DRAFT:
        state = standing.version.status
        raise VersionRefused(
            "version", f"There is a version {version.version} already, which is {state}. Name another."
        )
    if standing is not None and seen is None:
        raise VersionRefused("version", f"There is a draft {version.version} already. Edit that one, or name another.")
    if (fingerprint(standing.version) if standing else None) != seen:
        raise Overtaken("The draft was changed or discarded while you wrote. What you typed is still here.")
    draft = replace(version, status=VersionStatus.DRAFT, body=version.body or "")
    policies.put_version(draft, actor=actor, now=now, prepared_by=actor)


@transaction.atomic(durable=True)
def publish(*, doc_id: str, version: str, seen: str, actor: User, now: datetime, calendar: BusinessCalendar) -> int:
    """Publish a draft as its preview showed it; `seen` is the digest of that preview.

    Where two or more active policy owners exist, nobody publishes here what they prepared themselves: nobody approves
    their own change alone. The API and files are not held to this, since there the review of the repository counts.
    Returns how many drafts were analysed again, as the others here do.
    Raises NotAlone, Overtaken, VersionRefused, PolicyVersion.DoesNotExist.
    """
    PolicyDocument.objects.select_for_update().filter(pk=doc_id).first()
    standing = managing.managed(doc_id, version)
    if standing is None:
        raise PolicyVersion.DoesNotExist
    if others := others_who_may_publish(standing.prepared_by, actor):
        raise NotAlone(tuple(others))
    if standing.version.status is not VersionStatus.DRAFT:
        raise Overtaken(f"{version} is {standing.version.status} by now. Nothing was published.")
    previewed = managing.publishing_preview(standing.version)
    if isinstance(previewed, Refused):
        raise VersionRefused(previewed.field, previewed.message, previewed.because)
    if previewed.digest != seen:
        raise Overtaken("What you looked at has changed. Nothing was published; look again.")
    policies.put_version(replace(standing.version, status=VersionStatus.ACTIVE), actor=actor, now=now)
    return _follow(doc_id, now, calendar)


@transaction.atomic(durable=True)
def discard(*, doc_id: str, version: str) -> None:
    """Delete a draft. Raises VersionRefused, PolicyVersion.DoesNotExist."""
    policies.discard(doc_id=doc_id, version=version)


@transaction.atomic(durable=True)
def retire(*, doc_id: str, version: str, actor: User, now: datetime, calendar: BusinessCalendar) -> int:
    """Retire an active version. Raises VersionRefused where it is none, PolicyVersion.DoesNotExist."""
    status = PolicyVersion.objects.select_for_update().get(document=doc_id, version=version).status
    if status != VersionStatus.ACTIVE:
        raise VersionRefused("status", f"{version} is {status}, so there is nothing to retire.")
    policies.retire(doc_id=doc_id, version=version, actor=actor, now=now)
    return _follow(doc_id, now, calendar)


@transaction.atomic(durable=True)
def end_earlier(*, doc_id: str, version: str, on: date, now: datetime, calendar: BusinessCalendar) -> int:
    """Let an active version hold no more from a day on. Raises VersionRefused, PolicyVersion.DoesNotExist."""
    policies.end_earlier(doc_id=doc_id, version=version, on=on)
    return _follow(doc_id, now, calendar)


@transaction.atomic(durable=True)
def permit(*, doc_id: str, because: str, actor: User, now: datetime, calendar: BusinessCalendar) -> int:
    """Let a third party's document answer for us. Raises VersionRefused, PolicyDocument.DoesNotExist."""
    policies.permit(doc_id=doc_id, because=because, actor=actor, now=now)
    return _follow(doc_id, now, calendar)


@transaction.atomic(durable=True)
def take_back_permission(*, doc_id: str, now: datetime, calendar: BusinessCalendar) -> int:
    """Let a third party's document answer no more. Raises VersionRefused, PolicyDocument.DoesNotExist."""
    policies.take_back_permission(doc_id=doc_id)
    return _follow(doc_id, now, calendar)


@transaction.atomic(durable=True)
def load_files(
    bundles: Mapping[str, Bundle],
    *,
    actor: User | None,
    now: datetime,
    calendar: BusinessCalendar | None,
    register_keys: bool = False,
    dry_run: bool = False,
) -> tuple[Change, ...]:
    """Store the keys and versions of files, all or none, and analyse the open drafts of the touched keys again.

    `register_keys` registers plainly what a passage names and nobody has registered, instead of refusing it. Without a
    calendar, conflicts are left for the asks that meet them. With `dry_run` everything is worked out and nothing kept.
    Raises LoadRefused.
    """
    loaded = loading.load(bundles, actor=actor, now=now, register_keys=register_keys, may_own=names_of_policy_owners())
    if calendar is None or not loaded.touched:
        transaction.set_rollback(dry_run)
        return loaded.changes
    before = ledger.open_conflicts_of(loaded.touched)
    if dry_run:
        find_conflicts(loaded.touched, found_by="publishing", now=now, calendar=calendar)
    else:
        conflicts.published(loaded.touched, now=now, calendar=calendar)
    begun = loading.begun(before, ledger.open_conflicts_of(loaded.touched))
    transaction.set_rollback(dry_run)
    return (*loaded.changes, *begun)


def _follow(doc_id: str, now: datetime, calendar: BusinessCalendar) -> int:
    return conflicts.published(managing.document_keys([doc_id]), now=now, calendar=calendar)
