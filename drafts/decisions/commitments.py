"""Hold a draft against what this customer was told and against the one version that applies (rules 3.3 and 3.6)."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date

from drafts.decisions import comparison
from drafts.decisions.comparison import Comparison, Sameness
from drafts.decisions.given import Asked, Given
from drafts.decisions.vocabulary import Finding, Message
from ledger.decisions.vocabulary import REPLAY_BRANCHES, Branch, LockedAnswer, Span, Statement

NOTHING_SELECTED = frozenset(
    {Branch.KEY_NOT_ESTABLISHED, Branch.DECIDING_FACT_MISSING, Branch.SOURCES_CONFLICT, Branch.NO_SOURCE}
)
ASKS = re.compile(
    r"\?|\bplease\b|\b(?:we|i)(?:'d|’d| would| still| also)? need\b|\b(?:tell|let|send|give|share|provide)\b"
    r"|\b(?:which|what) (?:day|date)\b|\bwhen (?:did|was|were)\b",
    re.IGNORECASE,
)


def findings(given: Given, asked: Sequence[Asked], ignore: Sequence[Span]) -> tuple[Finding, ...]:
    """Return every finding about commitments, for all questions of the message, in a fixed order."""
    found: list[Finding] = []
    for one in asked:
        found += _against_locked(given, one, asked, ignore)
        found += _against_selected(given, one, asked, ignore)
        found += _must_contain(given, one)
        found += _missing_field(given, one)
    found += _without_selection(given, asked, ignore)
    found += _model_notes(given, asked)
    found += _thread(given, asked)
    return tuple(dict.fromkeys(found))


def statement_of(one: Asked) -> Statement | None:
    """Return the selected version's passage for the root key, where the router selected one."""
    if one.route.version is None or one.root is None:
        return None
    return one.route.version.statement_for(one.root)


def locks_an_answer(one: Asked) -> bool:
    """Say whether approving a reply to this question writes a first answer."""
    return one.gate.branch is Branch.SINGLE_SOURCE


def _against_locked(given: Given, one: Asked, asked: Sequence[Asked], ignore: Sequence[Span]) -> Iterator[Finding]:
    if one.locked is None or one.gate.branch is Branch.NOT_A_COMMITMENT_QUESTION:
        return
    reference = " ".join([one.locked.answer_text, *one.gate.must_contain, *_beside(one, asked)])
    seen = comparison.compare(given.text, reference, ignore=ignore, known_dates=known_dates(given))
    if seen.sameness is Sameness.DIFFERENT:
        remedy = (
            "Only a correction can tell them so."
            if one.gate.branch is Branch.NEW_FACTS
            else "Insert the locked text and remove the other value, or start a correction."
        )
        message = f"This customer was told: “{one.locked.answer_text}” The reply states something else. {remedy}"
        yield from _at("value_differs_from_locked_answer", message, seen.differing)
    yield from _unclear(seen.unclear)
    if one.gate.branch is not Branch.NEW_FACTS:  # there another version applies, and only a correction goes out
        yield from _second_source(given, one.locked)


def _second_source(given: Given, locked: LockedAnswer) -> Iterator[Finding]:
    if given.edited or comparison.contains_verbatim(given.text, locked.answer_text):
        return
    others = {r.doc_id for r in given.notes.retrieved} - {locked.doc_id}
    other_version = given.notes.selected_version not in {None, locked.version}
    if others or other_version:
        named = ", ".join(sorted(others)) or str(given.notes.selected_version)
        message = (
            f"The answer to this question is locked and rests on {locked.doc_id} {locked.version}; the model drew on "
            f"{named}. "
            "Replace its sentence by the locked text."
        )
        yield Finding("second_source_for_locked_key", message)


def _against_selected(given: Given, one: Asked, asked: Sequence[Asked], ignore: Sequence[Span]) -> Iterator[Finding]:
    statement = statement_of(one)
    if one.locked is not None or statement is None or one.gate.branch is not Branch.SINGLE_SOURCE:
        return
    reference = " ".join([statement.text, *one.gate.must_contain, *_beside(one, asked)])
    seen = comparison.compare(given.text, reference, ignore=ignore, known_dates=known_dates(given))
    if seen.sameness is Sameness.DIFFERENT:
        version = one.route.version
        message = (
            f"{version.version if version else ''} ({statement.section}) says: “{statement.text}” "
            "The reply states something else. Use the passage's value, or remove the sentence."
        )
        yield from _at("value_differs_from_selected_version", message, seen.differing)
    yield from _unclear(seen.unclear)


def known_dates(given: Given) -> frozenset[date]:
    """Return the days that the facts and the order name; a reply that repeats one states no value of its own."""
    order = (given.ticket or {}).get("order")
    values = [*given.facts.values(), *(order.values() if isinstance(order, Mapping) else ())]
    found = (_day(value) for value in values)
    return frozenset(day for day in found if day is not None) | {given.requested_on}


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


def _beside(one: Asked, asked: Sequence[Asked]) -> list[str]:
    """Return what the message's other questions may be answered with, so that their values are not taken for ours."""
    others = [a for a in asked if a is not one]
    passages = [passage.text for a in others if a.locked is None and (passage := statement_of(a))]
    return passages + [text for a in others if a.locked for text in (a.locked.answer_text, *a.gate.must_contain)]


def _unclear(spans: Iterable[Span]) -> Iterator[Finding]:
    message = (
        "It cannot be told whether this value is the one on record (days against months, for example). "
        "Use the record's own wording, or mark it as looked at with a reason."
    )
    yield from (Finding("value_unclear", message, s.start, s.end) for s in spans)


def _must_contain(given: Given, one: Asked) -> Iterator[Finding]:
    for text in one.gate.must_contain:
        if comparison.contains_verbatim(given.text, text) is None:
            yield Finding("locked_text_missing", f"The reply must contain, to the letter: “{text}” Insert it.")


def _missing_field(given: Given, one: Asked) -> Iterator[Finding]:
    if one.gate.branch is Branch.DECIDING_FACT_MISSING and not ASKS.search(given.text):
        field = one.gate.missing_field or "channel"
        yield Finding("missing_field_not_asked", f"The reply must ask the customer for {readable(field)} ({field}).")


def readable(field: str) -> str:
    """Put a fact's name in words: `received_on` becomes “the ‘received on’ date”."""
    words = field.replace("_", " ")
    return f"the ‘{words}’ date" if field.endswith("_on") else f"the {words}"


def _without_selection(given: Given, asked: Sequence[Asked], ignore: Sequence[Span]) -> Iterator[Finding]:
    if any(one.route.version is not None or one.locked is not None for one in asked):
        return
    names = {*given.sources.version_names, *(v.version for v in given.sources.versions)}
    if not given.edited and given.notes.selected_version:
        names.add(given.notes.selected_version)
        yield Finding(
            "version_named_but_none_selected",
            f"The model chose {given.notes.selected_version}, but no version applies here: {_why(asked[0])}. "
            "Rewrite the reply without it.",
        )
    message = f"The reply names a policy version, but none applies: {_why(asked[0])}. Remove the name."
    yield from _at("version_named_but_none_selected", message, comparison.names_version(given.text, names))
    if any(one.gate.branch in NOTHING_SELECTED for one in asked):
        message = f"The reply states a value, but no version applies: {_why(asked[0])}. Remove it."
        yield from _at(
            "value_stated_but_none_selected",
            message,
            comparison.stated_values(given.text, ignore=ignore, known_dates=known_dates(given)),
        )


def _why(one: Asked) -> str:
    if one.question.key is None:
        return "no question is established"
    if one.route.refusal is None:
        return "several documents answer this question" if one.route.candidates else "no passage answers this question"
    reason = one.route.refusal.value.replace("_", " ")
    return f"{reason} ({one.route.missing_field})" if one.route.missing_field else reason


def _model_notes(given: Given, asked: Sequence[Asked]) -> Iterator[Finding]:
    chosen = given.notes.selected_version
    if given.edited or chosen is None:
        return
    selected = {one.route.version.version for one in asked if one.route.version}
    if selected and chosen not in selected:
        remedy = "Use the locked text." if all(one.locked for one in asked) else "Rewrite the reply from that version."
        message = (
            f"The model chose {chosen}; by the dates and the channel {', '.join(sorted(selected))} applies. {remedy}"
        )
        yield Finding("selected_version_differs_from_router", message)
    deciding = {v.deciding_date for v in given.sources.versions}
    missing = {one.gate.missing_field for one in asked} | {one.route.missing_field for one in asked}
    listed = [f for f in given.notes.missing_fields if f in deciding or f in missing or f.endswith("_on")]
    if listed:
        message = (
            f"The model chose {chosen} although it lists {', '.join(listed)} as missing, which decides the version. "
            "Ask the customer for it instead."
        )
        yield Finding("selected_version_despite_missing_field", message)


def _thread(given: Given, asked: Sequence[Asked]) -> Iterator[Finding]:
    """Find answers that an agent gave in the thread and no ledger holds."""
    named: set[tuple[str, str]] = set()
    for one in asked:
        for message, seen in unrecorded(given, one):
            named.add((message.id, one.root or ""))
            yield from _unrecorded(one, message, seen)
    yield from _past_the_desk(given, named)


def _past_the_desk(given: Given, named: Collection[tuple[str, str]]) -> Iterator[Finding]:
    """Find commitments that a reply from outside made, also to what this message does not ask (rule 3.3)."""
    for said in given.sources.outside:
        if not said.is_settled and (said.message_id, said.question_key) not in named:
            yield Finding(
                "unrecorded_answer_in_thread",
                f"A reply from outside the desk commits us, and no ledger holds it: “{said.sentence[:200]}”",
            )


def unrecorded(given: Given, one: Asked) -> Iterator[tuple[Message, Comparison]]:
    """Yield the agents' messages that answer a question past the desk, held against its answer on record.

    What a correction has withdrawn since, or a person has settled, counts no more.
    """
    reference = reference_of(one)
    if reference is None or one.gate.branch is Branch.NOT_A_COMMITMENT_QUESTION:
        return
    settled = (*given.sources.recorded_texts, *given.sources.withdrawn.get(one.root or "", ()))
    past = settled_past_the_desk(given)
    for message in given.messages:
        if message.role != "agent" or message.id in given.desk_messages or (message.id, one.root or "") in past:
            continue
        if any(comparison.contains_verbatim(message.text, text) for text in settled):
            continue
        if (seen := comparison.answer_in_thread(message.text, reference)) is not None:
            yield message, seen


def settled_past_the_desk(given: Given) -> frozenset[tuple[str, str]]:
    """Return the replies from outside, as (message, root key), of which every commitment to that key is settled."""
    by_state: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for said in given.sources.outside:
        by_state[said.is_settled].add((said.message_id, said.question_key))
    return frozenset(by_state[True] - by_state[False])


def reference_of(one: Asked) -> str | None:
    """Return what is on record for a question: its locked answer, else the selected version's passage."""
    statement = statement_of(one)
    return one.locked.answer_text if one.locked else statement.text if statement else None


def _unrecorded(one: Asked, message: Message, seen: Comparison) -> Iterator[Finding]:
    told = message.text[:200]
    yield Finding(
        "unrecorded_answer_in_thread",
        f"An agent message in this thread already answers the question and no ledger holds it: “{told}”",
    )
    if seen.sameness in {Sameness.DIFFERENT, Sameness.UNSURE}:
        remedy = (
            f"Withdraw what was said outside the desk, in message {message.id}, by a correction, which tells the "
            "customer so and gives the answer that holds."
        )
        if one.locked is None and one.gate.branch is not Branch.SINGLE_SOURCE:
            remedy = "Nothing could replace it yet: escalate the item to a policy owner."
        yield Finding(
            "thread_answer_differs",
            f"The thread's own answer “{told}” differs from the record. {remedy}",
        )


def _at(code: str, message: str, spans: Sequence[Span]) -> Iterator[Finding]:
    """Yield one finding per span, or one without a span where the place is not known."""
    if not spans and code == "value_differs_from_locked_answer":
        yield Finding(code, message)
    yield from (Finding(code, message, s.start, s.end) for s in spans)


def repeats_locked(one: Asked, text: str) -> bool:
    """Say whether this reply replays the locked answer, so that approval writes a REPLAY."""
    return (
        one.locked is not None
        and one.gate.branch in REPLAY_BRANCHES
        and comparison.contains_verbatim(text, one.locked.answer_text) is not None
    )
