"""Every reason why an item cannot be approved now, from its analysis; an empty tuple opens the gate."""

from collections.abc import Iterator, Mapping, Sequence

from drafts.decisions.given import Asked, Blocker, Given
from drafts.decisions.vocabulary import Claim, Finding, Tier, Verdict
from ledger.decisions.vocabulary import Branch

ADVICE = frozenset({"unrecorded_answer_in_thread"})
"""Findings that are shown and do not block: the thread's answer agrees with the record, or another finding blocks."""

SETTLED_BY_A_PERSON = frozenset(
    {
        "value_unclear",
        "language_not_checked",
        "mixed_scripts",
        "hidden_characters",
        "markup_in_draft",
        "several_drafts_in_output",
        "earlier_answer_not_on_record",
        "relative_day_in_older_draft",
    }
)
"""Findings that a person may settle by marking them as looked at, with a reason."""

MERGED = frozenset({"merged"})


def blockers(
    given: Given,
    asked: Sequence[Asked],
    claims: Sequence[Claim],
    findings: Sequence[Finding],
    answers: Mapping[str, str | None],
) -> tuple[Blocker, ...]:
    """Return the reasons in a fixed order: who must act, the ticket, the thread, the findings, the claims."""
    found = [
        *_from_gates(asked, answers),
        *_from_ticket(given),
        *_from_thread(given),
        *_from_outside(given),
        *(Blocker(f.code, f.message, f.start, f.end) for f in findings if blocks(f)),
        *(_from_claim(c) for c in claims if c.tier is Tier.CLAIM and c.verdict is not Verdict.SUPPORTED),
    ]
    return tuple(dict.fromkeys(found))


def blocks(finding: Finding) -> bool:
    """Say whether a finding stops approval until it is cleared."""
    return finding.code not in ADVICE


def _from_gates(asked: Sequence[Asked], answers: Mapping[str, str | None]) -> Iterator[Blocker]:
    for one in asked:
        match one.gate.branch:
            case Branch.KEY_NOT_ESTABLISHED:
                yield Blocker(
                    "key_not_established",
                    "It is not known which question the customer asks. Choose the question first.",
                )
            case Branch.SOURCES_CONFLICT:
                yield Blocker(
                    "sources_conflict",
                    "More than one document answers this question. A policy owner has to settle it; nothing goes out.",
                )
            case Branch.NEW_FACTS:
                yield Blocker(
                    "correction_required",
                    "A fact that decides the answer has changed since it was given. Only a correction can go out.",
                )
            case _:
                pass
    if any(text is None for text in answers.values()):
        yield Blocker(
            "answer_not_found",
            "No sentence of this reply carries the answer, so nothing could be locked. Insert the policy passage, "
            "or choose another question.",
        )


def _from_ticket(given: Given) -> Iterator[Blocker]:
    ticket = given.ticket or {}
    status = str(ticket.get("status") or "").strip().casefold()
    if status in MERGED:
        fields = ticket.get("fields")
        into = fields.get("merged_into") if isinstance(fields, dict) else None
        where = f" into ticket {into}" if into else ""
        yield Blocker(
            "ticket_merged",
            f"This ticket was merged{where}. A reply here would reach the wrong place; send the draft back.",
        )


def _from_thread(given: Given) -> Iterator[Blocker]:
    if given.newer_message:
        yield Blocker(
            "newer_customer_message",
            "The customer wrote again after this draft was made. Read the new message, then edit the reply or confirm "
            "that it still fits.",
        )


def _from_outside(given: Given) -> Iterator[Blocker]:
    if given.outside_reply:
        yield Blocker(
            "reply_already_sent",
            "A reply was sent outside the desk after this draft was made. Read it, then send the draft back, edit it, "
            "or confirm that it is still needed.",
        )


def _from_claim(claim: Claim) -> Blocker:
    if claim.verdict is Verdict.CONTRADICTED:
        message = f"“{claim.text}” is contradicted by the record: {claim.record}. Remove it or correct the ticket."
        return Blocker("claim_contradicted", message, claim.start, claim.end)
    needs = claim.needs or "a record that supports it"
    message = f"“{claim.text}” has no record behind it ({needs}). Remove it, or get the record, or mark it as no claim."
    return Blocker("claim_unsupported", message, claim.start, claim.end)
