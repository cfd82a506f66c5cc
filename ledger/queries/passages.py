"""What our documents say today, by question."""

from collections.abc import Mapping

from django.db.models import Q

from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.models import PolicyStatement


def active_passages() -> Mapping[str, tuple[str, ...]]:
    """Return the passages of active versions by root key, those of adjacent keys under their parent.

    A third party's document speaks for itself, unless an owner lets it answer for us.
    """
    ours = ~Q(version__document__kind=DocumentKind.THIRD_PARTY) | Q(version__document__answers_because__isnull=False)
    rows = PolicyStatement.objects.filter(ours, version__status=VersionStatus.ACTIVE).order_by("question_key", "pk")
    found: dict[str, tuple[str, ...]] = {}
    for key, parent, text in rows.values_list("question_key_id", "question_key__parent_id", "text"):
        root = parent or key
        found[root] = tuple(dict.fromkeys((*found.get(root, ()), text)))
    return found
