"""The analysis in the shape that the API and the screens show."""

from collections.abc import Mapping
from datetime import datetime

from drafts.decisions.given import Analysis, Asked, Given, Retrieved
from drafts.decisions.vocabulary import Claim
from ledger.decisions.vocabulary import VersionStatus


def as_json(analysis: Analysis, given: Given) -> dict[str, object]:
    """Return the analysis as plain JSON values; offsets are code points into the text, instants end in Z."""
    first = analysis.first
    return {
        **asked_as_json(first),
        "claims": [claim_as_json(c) for c in analysis.claims],
        "findings": [{"code": f.code, "message": f.message, "start": f.start, "end": f.end} for f in analysis.findings],
        "also": [asked_as_json(one) for one in analysis.asked[1:]],
        "answer_text": analysis.answer_text,
        "blockers": [b.message for b in analysis.blockers],
        "blocked_by": [
            {"code": b.code, "message": b.message, "start": b.start, "end": b.end} for b in analysis.blockers
        ],
        "retrieved": [retrieved_as_json(r, given) for r in given.notes.retrieved],
    }


def asked_as_json(one: Asked) -> dict[str, object]:
    """Return one question with its route and gate."""
    q, r, g = one.question, one.route, one.gate
    statement = r.version.statement_for(one.root) if r.version and one.root else None
    return {
        "question_key": {"status": q.status.value, "key": q.key, "by": q.by.value if q.by else None, "score": q.score},
        "router": {
            "version": r.version.version if r.version else None,
            "doc_id": r.version.doc_id if r.version else None,
            "refusal": r.refusal.value if r.refusal else None,
            "missing_field": r.missing_field,
            "section": statement.section if statement else None,
            "passage": statement.text if statement else None,
            "candidates": [{"doc_id": v.doc_id, "version": v.version} for v in r.candidates],
        },
        "gate": {
            "branch": g.branch.value,
            "must_contain": list(g.must_contain),
            "handler": g.handler.value,
            "due_at": instant(g.due_at),
            "missing_field": g.missing_field,
            "root_key": one.root,
        },
        "locked": locked_as_json(one),
    }


def locked_as_json(one: Asked) -> dict[str, object] | None:
    """Return the locked answer a question meets, if there is one."""
    if one.locked is None:
        return None
    return {
        "entry_id": one.locked.entry_id,
        "question_key": one.locked.question_key,
        "answer_text": one.locked.answer_text,
        "version": one.locked.version,
        "section": one.locked.section,
        "locked_at": instant(one.locked.locked_at),
        "told_at": instant(one.locked.told_at),
        "replay_count": one.locked.replay_count,
    }


def claim_as_json(claim: Claim) -> dict[str, object]:
    """Return one claim in the shape of the API."""
    return {
        "start": claim.start,
        "end": claim.end,
        "class": claim.cls.value,
        "sub": claim.sub,
        "tier": claim.tier.value,
        "rule": claim.rule,
        "text": claim.text,
        "verdict": claim.verdict.value,
        "record": claim.record,
        "needs": claim.needs,
        "earliest": instant(claim.earliest),
        "latest": instant(claim.latest),
    }


def retrieved_as_json(passage: Retrieved, given: Given) -> Mapping[str, object]:
    """Return a passage the model read, and what that source is to us: ours, retired, third party, or unknown."""
    known = [v for v in given.sources.versions if v.doc_id == passage.doc_id]
    if not known:
        standing = "not_among_the_documents_for_this_question"
    elif all(v.status is VersionStatus.RETIRED for v in known):
        standing = "retired"
    else:
        standing = known[0].kind.value
    return {"doc_id": passage.doc_id, "section": passage.section, "score": passage.score, "standing": standing}


def instant(value: datetime | None) -> str | None:
    """Write an instant in ISO 8601 with Z."""
    return None if value is None else value.isoformat().replace("+00:00", "Z")
