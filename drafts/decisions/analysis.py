"""The one analysis: every path that can produce outgoing text calls it, and there is no second, quicker one."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from drafts.decisions import commitments, comparison, structure
from drafts.decisions.blockers import SETTLED_BY_A_PERSON, blockers
from drafts.decisions.claims import detect, judge
from drafts.decisions.comparison import Sameness
from drafts.decisions.given import Analysis, Asked, Given
from drafts.decisions.vocabulary import Claim, ClaimClass, Finding, Tier, Verdict
from ledger.decisions import values
from ledger.decisions.gate import pass_gate
from ledger.decisions.keys import root_of
from ledger.decisions.router import plain_date, route
from ledger.decisions.vocabulary import KeyStatus, LockedAnswer, QuestionKey, Span

RELATIVE_DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening)|end of (?:the )?day)\b", re.IGNORECASE
)
DECIDES = re.compile(
    r"\b(?:eligib|qualif|entitle|approv|reject|refus|declin|den(?:y|ied)|grant|accept|waiv|can(?:not|'t|’t)?\b.{0,20}\bbe\b)",
    re.IGNORECASE,
)
"""Words that decide about this customer; a policy passage is a rule and no decision (rule 3.5)."""


def analyse(given: Given) -> Analysis:
    """Hold one draft against policies, ledger and ticket; total, deterministic, and a matter of milliseconds.

    Raises BadDate where a deciding date is not a plain calendar date, OverlappingVersions where the versions given
    overlap; both are refused before they are stored.
    """
    asked = tuple(_ask(given, question) for question in given.questions)
    found = _settle(
        given,
        asked,
        judge(
            detect(given.text),
            text=given.text,
            ticket=given.ticket,
            now=given.now,
            calendar=given.calendar,
            mapping=given.mapping,
            latest_customer_at=_latest_customer_at(given),
        ),
    )
    handling = [Span(c.start, c.end) for c in found if c.cls is ClaimClass.TIMING and c.tier is Tier.CLAIM]
    findings = _undismissed(
        given,
        (
            *commitments.findings(given, asked, handling),
            *_structure(given, asked),
            *_relative_days(given, found),
        ),
    )
    answers = answers_in(given.text, asked)
    return Analysis(asked, found, findings, blockers(given, asked, found, findings, answers), answers)


def answers_in(text: str, asked: Sequence[Asked]) -> dict[str, str | None]:
    """Return the answer sentences that approval of this text would lock, for each root key first answered by it."""
    answers: dict[str, str | None] = {}
    for one in asked:
        statement = commitments.statement_of(one)
        if commitments.locks_an_answer(one) and statement is not None and one.root is not None:
            answers[one.root] = comparison.propose_answer(text, statement.text)
    return answers


def _ask(given: Given, question: QuestionKey) -> Asked:
    sources = given.sources
    root = root_of(question.key, sources.registry) if question.key else None
    locked = sources.locked.get(root) if root else None
    chosen = route(
        key=root,
        channel=given.channel,
        facts=given.facts,
        requested_on=given.requested_on,
        versions=sources.versions,
    )
    gate = pass_gate(
        question=question,
        registry=sources.registry,
        route=chosen,
        locked=locked,
        facts=given.facts,
        requested_on=given.requested_on,
        versions=sources.versions,
        asserts_other=_asserts_other(given, locked),
        now=given.now,
        calendar=given.calendar,
    )
    return Asked(question, root, chosen, gate, locked)


def _asserts_other(given: Given, locked: LockedAnswer | None) -> bool:
    if locked is None:
        return False
    answered = next((m.text for m in given.messages if m.id == given.reply_to), "")
    return comparison.asserts_different_answer(answered, locked.answer_text)


def _latest_customer_at(given: Given) -> datetime | None:
    times = [m.sent_at for m in given.messages if m.role == "customer" and m.sent_at is not None]
    return max(times, default=None)


def _settle(given: Given, asked: Sequence[Asked], claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Exempt what the product itself requires, support what the record of answers supports, drop what was dismissed."""
    settled = []
    dismissed = {(d.subject, d.quote) for d in given.dismissed}
    required = _required_spans(given, asked)
    for claim in claims:
        if (claim.cls.value, claim.text) in dismissed:
            continue
        settled.append(_supported(given, asked, claim, required))
    return tuple(settled)


def _required_spans(given: Given, asked: Sequence[Asked]) -> tuple[tuple[Span, str], ...]:
    """Return where the text quotes what it must or may quote to the letter, each with the record it quotes."""
    texts = {text: "the locked answer of this conversation" for one in asked for text in one.gate.must_contain}
    for one in asked:
        statement = commitments.statement_of(one)
        if one.locked:
            texts[one.locked.answer_text] = "the locked answer of this conversation"
        elif statement and one.route.version:
            texts[statement.text] = f"{one.route.version.version}, {statement.section}"
    found = ((comparison.contains_verbatim(given.text, text), record) for text, record in texts.items())
    return tuple((span, record) for span, record in found if span is not None)


def _supported(given: Given, asked: Sequence[Asked], claim: Claim, required: Sequence[tuple[Span, str]]) -> Claim:
    if claim.verdict is Verdict.SUPPORTED:
        return claim
    for span, quoted in required:
        if span.start <= claim.start and claim.end <= span.end:
            return replace(claim, verdict=Verdict.SUPPORTED, record=quoted, needs=None)
    if claim.cls is ClaimClass.STATUS and (fact := _told_by_fact(given, claim)):
        return replace(claim, verdict=Verdict.SUPPORTED, record=fact, needs=None)
    if claim.cls is not ClaimClass.OUTCOME or DECIDES.search(claim.text):
        return claim
    for one in asked:
        if backed := _restates(given.text, claim, one):
            return replace(claim, verdict=Verdict.SUPPORTED, record=backed, needs=None)
    return claim


def _told_by_fact(given: Given, claim: Claim) -> str | None:
    """Name the fact of the ask that a STATUS repeats: the same event on the same day (“received on 28 September”)."""
    said = claim.text.casefold()
    for name, value in given.facts.items():
        if not name.endswith("_on") or not isinstance(value, str) or name[:5] not in said:
            continue
        day = plain_date(name, value)
        month = f"{day:%B}".casefold()
        if re.search(rf"\b(?:0?{day.day}(?:st|nd|rd|th)? (?:of )?{month}|{month} 0?{day.day})\b|{value}", said):
            return f"facts.{name} = {value}"
    return None


def _restates(text: str, claim: Claim, one: Asked) -> str | None:
    """Say which record an OUTCOME restates: same facts as the locked answer or the selected statement."""
    statement = commitments.statement_of(one)
    sentence = text[claim.start : claim.end]
    records = []
    if one.locked:
        records.append((one.locked.answer_text, f"the locked answer, {one.locked.version or 'no version'}"))
    elif statement and one.route.version:
        records.append((statement.text, f"{one.route.version.version}, {statement.section}"))
    for reference, name in records:
        same = comparison.compare(sentence, reference).sameness
        if same is Sameness.VERBATIM or (same in {Sameness.SAME, Sameness.PARTIAL} and values.extract(sentence)):
            return name
    return None


def _structure(given: Given, asked: Sequence[Asked]) -> tuple[Finding, ...]:
    text = given.text
    found = [
        *structure.several_drafts(text),
        *structure.hidden_characters(text),
        *structure.mixed_scripts(text),
        *structure.markup(text),
        *structure.language(text),
    ]
    raw = given.notes.raw_output
    if raw and raw != text and not given.edited and not any(f.code == "several_drafts_in_output" for f in found):
        found += [Finding(f.code, f.message) for f in structure.several_drafts(raw)]
    if not any(one.locked for one in asked):
        found += structure.invokes_earlier_answer(text)
    return tuple(found)


def _relative_days(given: Given, claims: Sequence[Claim]) -> tuple[Finding, ...]:
    """Flag “today” and “tomorrow” in a text that was written on another day than it would leave on."""
    today: date = given.now.astimezone(given.calendar.zone).date()
    if given.written_on == today:
        return ()
    message = (
        f"The text was written on {given.written_on:%Y-%m-%d}; this word now points at another day. "
        "Write the date, or edit the sentence."
    )
    return tuple(
        Finding("relative_day_in_older_draft", message, c.start, c.end)
        for c in claims
        if c.cls is ClaimClass.TIMING and c.tier is Tier.CLAIM and RELATIVE_DAY.search(c.text)
    )


def _undismissed(given: Given, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    looked_at = {(d.subject, d.quote) for d in given.dismissed if d.subject in SETTLED_BY_A_PERSON}
    return tuple(f for f in dict.fromkeys(findings) if (f.code, quote_of(given.text, f.start, f.end)) not in looked_at)


def quote_of(text: str, start: int | None, end: int | None) -> str:
    """Return the words a claim or finding stands on; a finding about the whole text has the empty quote."""
    return "" if start is None or end is None else text[start:end]


def uncertain() -> QuestionKey:
    """Return the question that nobody has established."""
    return QuestionKey(KeyStatus.UNCERTAIN)
