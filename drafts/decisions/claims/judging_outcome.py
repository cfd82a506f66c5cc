"""Hold OUTCOME claims against the decisions that people recorded."""

import re

from drafts.decisions.claims.folding import fold
from drafts.decisions.claims.records import Judged, Records, contradicted, supported, unsupported
from drafts.decisions.vocabulary import Claim

_NEGATIVE = re.compile(
    r"\bnot\b|n't\b|\bcannot\b|\bcant\b|\bunable\b|\bno (?:longer|way)\b|\bdenied\b|\brejected\b|\bdeclined\b"
    r"|\brefused?\b|\bnon-?(?:refund|return)|\bineligible\b|\bthere (?:is|are) no\b"
)


def outcome(claim: Claim, records: Records) -> Judged:
    """Return the verdict on an OUTCOME: only a decision field supports one, because a person decides."""
    said = fold(claim.text).text.lower()
    mapping = records.mapping
    negative = bool(_NEGATIVE.search(said))
    needs = "a decision that a person recorded on the ticket"
    paths = (*mapping.extra.get("OUTCOME", ()), *_fitting(said, mapping.decisions))
    if re.search(r"\brefund", said):
        paths = (*paths, *mapping.refund_status)
    for path in paths:
        found = records.first((path,))
        if found and found.word in mapping.yes | mapping.no:
            agrees = (found.word in mapping.no) == negative
            return supported(records.told(found)) if agrees else contradicted(records.told(found), needs)
    return unsupported(needs)


def _fitting(said: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the decision fields that fit a claim: the general ones, and those named for what it speaks of."""
    return tuple(path for path in paths if "_" not in path or path.rsplit(".", 1)[-1].split("_")[0][:5] in said)
