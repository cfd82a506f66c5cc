"""The correction protocol (rule 3.7): what the customer is told, and what a correction must meet before it leaves."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from drafts.decisions import commitments, comparison
from drafts.decisions.analysis import analyse
from drafts.decisions.comparison import Sameness
from drafts.decisions.given import Asked, Blocker, Given
from ledger.decisions.vocabulary import Span

STRUCTURAL = frozenset(
    {"hidden_characters", "mixed_scripts", "markup_in_draft", "several_drafts_in_output", "language_not_checked"}
)

CLOSING = " \n\t\"'’”»)]"
ENDING = (".", "!", "?", "…")


@dataclass(frozen=True, slots=True)
class Correcting:
    """One correction as wanted: what was said, what holds, and the words to the customer."""

    old_text: str
    new_text: str
    message: str
    composed: str


def compose(
    *,
    old_text: str,
    said_on: date | None,
    new_text: str,
    corrected_on: date,
    reference: str,
    facts_changed: bool = False,
) -> str:
    """Return the message to the customer, from facts only.

    `said_on` and `corrected_on` are days in the organisation's zone; `reference` names the source of the new answer.
    Where the facts changed since, nobody made a mistake, and the message admits none.
    """
    when = f"On {in_words(said_on)} we" if said_on else "Earlier we"
    told = f"{when} told you: “{old_text}”{'' if _is_ended(old_text) else '.'}"
    withdrawn = f"withdraw it as of {in_words(corrected_on)}."
    source = f"(Source: {reference}.)" if _is_ended(new_text) else f"(Source: {reference})."
    holds = f"What holds instead: “{new_text}” {source}"
    if facts_changed:
        return f"{told} With what we know now, that answer does not apply to you, and we {withdrawn} {holds}"
    return f"{told} That answer was wrong and we {withdrawn} {holds} We are sorry for the mistake."


def _is_ended(quoted: str) -> bool:
    """Say whether quoted words bring the end of their sentence with them, inside of quotes or brackets too."""
    return quoted.rstrip(CLOSING).endswith(ENDING)


def in_words(day: date) -> str:
    """Write a day as `3 April 2026`."""
    return f"{day.day} {day:%B} {day.year}"


def reference_of(one: Asked) -> str:
    """Name the source of the new answer as the customer is told it."""
    statement = commitments.statement_of(one)
    if one.route.version is None or statement is None:
        return ""
    return f"{one.route.version.title}, {statement.section}"


def refusals(given: Given, one: Asked, wanted: Correcting) -> tuple[Blocker, ...]:
    """Return every reason why a locked answer cannot be corrected so; empty means that it may.

    The new answer must agree with the selected version's passage, claim nothing beyond it without a record, and differ
    from what was said; the message must tell both, and the withdrawn value may appear inside that telling only.
    """
    return (*first_answer_refusals(given, one, wanted), *message_refusals(given, wanted))


def first_answer_refusals(given: Given, one: Asked, wanted: Correcting) -> tuple[Blocker, ...]:
    """Return why the new answer cannot be given: it comes from the one version that applies, and changes something."""
    return (*_source(one, wanted), *_answer(given, one, wanted))


def message_refusals(given: Given, wanted: Correcting) -> tuple[Blocker, ...]:
    """Return why the message cannot leave: it must tell what is withdrawn and what holds, and claim nothing else."""
    return (*_telling(wanted), *_rest(given, wanted))


def _source(one: Asked, wanted: Correcting) -> Iterator[Blocker]:
    statement = commitments.statement_of(one)
    if statement is None:
        yield Blocker(
            "no_source_for_correction",
            "No single policy version answers this question for this customer, so nothing could back the new answer. "
            "Settle the sources or add the missing date first.",
        )
        return
    seen = comparison.compare(wanted.new_text, statement.text)
    if seen.sameness in {Sameness.DIFFERENT, Sameness.UNSURE, Sameness.SILENT}:
        yield Blocker(
            "value_differs_from_selected_version",
            f"The new answer must say what the passage says: “{statement.text}”",
        )
    if (
        comparison.contains_verbatim(wanted.new_text, wanted.old_text)
        and len(wanted.new_text) <= len(wanted.old_text) + 1
    ):
        yield Blocker("correction_changes_nothing", "The new answer is the one the customer already has.")


def _answer(given: Given, one: Asked, wanted: Correcting) -> Iterator[Blocker]:
    """Check the new answer like the first answer to a customer who was told nothing yet."""
    statement = commitments.statement_of(one)
    if statement is None or wanted.new_text == statement.text:
        return
    quoted = comparison.contains_verbatim(wanted.new_text, statement.text)
    untold = replace(given, text=wanted.new_text, edited=True, sources=replace(given.sources, locked={}))
    for blocker in analyse(untold).blockers:
        if _is_about_text(blocker) and not _inside(blocker, (quoted,) if quoted else ()):
            yield replace(blocker, start=None, end=None)  # its place is in the answer, not in the draft


def _telling(wanted: Correcting) -> Iterator[Blocker]:
    if comparison.contains_verbatim(wanted.message, wanted.old_text) is None:
        yield Blocker(
            "withdrawn_answer_not_named", f"The message must name what was said, to the letter: “{wanted.old_text}”"
        )
    if comparison.contains_verbatim(wanted.message, wanted.new_text) is None:
        yield Blocker(
            "new_answer_not_named", f"The message must give the answer that holds, to the letter: “{wanted.new_text}”"
        )


def _rest(given: Given, wanted: Correcting) -> Iterator[Blocker]:
    """Check what the reviewer wrote around the composed sentences like any draft."""
    if wanted.message == wanted.composed:
        return
    frames = _frames(wanted)
    analysis = analyse(replace(given, text=wanted.message, edited=True))
    for blocker in analysis.blockers:
        if _is_about_text(blocker) and not _inside(blocker, frames):
            yield blocker
    seen = comparison.compare(wanted.message, wanted.new_text, exempt=frames)
    if seen.sameness is Sameness.DIFFERENT:
        at = seen.differing[0] if seen.differing else Span(0, 0)
        yield Blocker(
            "value_differs_from_correction",
            "The message states another value outside the sentence that withdraws the old answer. Remove it.",
            at.start,
            at.end,
        )


def _is_about_text(blocker: Blocker) -> bool:
    return blocker.code in STRUCTURAL or blocker.code.startswith("claim_")


def _frames(wanted: Correcting) -> tuple[Span, ...]:
    pieces = [wanted.old_text, wanted.new_text, *_sentences(wanted)]
    found = (comparison.contains_verbatim(wanted.message, piece) for piece in pieces if piece)
    return tuple(span for span in found if span is not None)


def _sentences(wanted: Correcting) -> list[str]:
    around = wanted.composed.replace(wanted.old_text, "\0").replace(wanted.new_text, "\0")
    return [piece.strip(" “”") for piece in around.split("\0") if len(piece.strip(" “”")) > 1]


def _inside(blocker: Blocker, frames: tuple[Span, ...]) -> bool:
    if blocker.start is None or blocker.end is None:
        return False
    return any(f.start <= blocker.start and blocker.end <= f.end for f in frames)
