"""What one press can do about a blocker: which button stands beside it, and what that makes of the text."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from console.views import words
from console.views.shapes import AnalysisShape, AskedShape, FindingShape
from drafts.decisions import mending
from drafts.decisions.comparison import contains_verbatim
from drafts.decisions.structure import several_drafts
from ledger.decisions.vocabulary import Branch

REMOVED_WITH_THEIR_SENTENCE = frozenset(
    {
        "claim_unsupported",
        "claim_contradicted",
        "earlier_answer_not_on_record",
        "relative_day_in_older_draft",
        "value_stated_but_none_selected",
        "version_named_but_none_selected",
    }
)
STATED_WITHOUT_SELECTION = frozenset({"value_stated_but_none_selected", "version_named_but_none_selected"})
ASKED_INSTEAD = STATED_WITHOUT_SELECTION | {"missing_field_not_asked", "selected_version_despite_missing_field"}
REPEATS_THE_ANSWER = frozenset(
    {"value_differs_from_locked_answer", "second_source_for_locked_key", "locked_text_missing"}
)
"""What the locked text would settle, unless the answer itself has to be corrected."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A button beside a blocker: `action` is where the form goes, with `name` and `value` of the button."""

    label: str
    action: str
    name: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """A link beside a blocker, to the part of the page where it is dealt with."""

    label: str
    target: str


class NothingToMend(Exception):
    """The button pressed no longer fits the text."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A blocker with what is known around it."""

    blocker: FindingShape
    analysis: AnalysisShape
    text: str

    @property
    def asked(self) -> list[AskedShape]:
        return [self.analysis, *self.analysis["also"]]

    @property
    def locked(self) -> list[str]:
        return [one["locked"]["answer_text"] for one in self.asked if one["locked"]]

    @property
    def passages(self) -> list[str]:
        return [passage for one in self.asked if one["locked"] is None and (passage := one["router"]["passage"])]

    @property
    def missing(self) -> str | None:
        """Return the fact that decides and is missing, where that is what holds the reply up."""
        lacking = (one["gate"] for one in self.asked if one["gate"]["branch"] == Branch.DECIDING_FACT_MISSING)
        return next((gate["missing_field"] for gate in lacking), None)

    @property
    def place(self) -> str:
        return f"{self.blocker['start']}:{self.blocker['end']}"


def fixes_for(blocker: FindingShape, analysis: AnalysisShape, text: str) -> tuple[Fix, ...]:
    """Return what one press can do about a blocker, the most fitting first; often one thing, sometimes none."""
    case, code = _Case(blocker, analysis, text), blocker["code"]
    if code in REPEATS_THE_ANSWER and any(b["code"] == "correction_required" for b in analysis["blocked_by"]):
        return ()
    if code in ASKED_INSTEAD and (field := case.missing):
        return (_ask(field, analysis),)
    if code in REMOVED_WITH_THEIR_SENTENCE and blocker["start"] is not None:
        return (_remove_sentence(case),)
    return tuple(RULES[code](case)) if code in RULES else ()


def _confirm(_case: _Case) -> Iterator[Fix]:
    yield Fix("I read the newer message; the draft still fits", "confirm")


def _confirm_need(_case: _Case) -> Iterator[Fix]:
    yield Fix("I read that reply; this one is still needed", "confirm")


def _insert_required(case: _Case) -> Iterator[Fix]:
    required = (text for one in case.asked for text in one["gate"]["must_contain"])
    yield from _insert("Insert this text", [text for text in required if text in case.blocker["message"]])


def _insert_passage(case: _Case) -> Iterator[Fix]:
    yield from _insert("Insert the passage", case.passages)


def _insert_locked(case: _Case) -> Iterator[Fix]:
    yield from _insert("Insert the locked text", case.locked)


def _insert(label: str, texts: list[str]) -> Iterator[Fix]:
    yield from (Fix(label, "insert", "insertion", text) for text in texts[:1])


def _use_locked(case: _Case) -> Iterator[Fix]:
    yield from _replace("Replace by the locked text", case, case.locked)


def _use_passage(case: _Case) -> Iterator[Fix]:
    yield from _replace("Replace by the policy’s passage", case, case.passages)


def _replace(label: str, case: _Case, texts: list[str]) -> Iterator[Fix]:
    """Put the text that the message names in place of the sentence; where it stands already, only take that out."""
    named = next((text for text in texts if text in case.blocker["message"]), None)
    if named is None:
        return
    if case.blocker["start"] is None:
        yield Fix("Insert it", "insert", "insertion", named)
    elif contains_verbatim(case.text, named):
        yield _remove_sentence(case)
    else:
        yield _mend(label, f"replace:{case.place}:{named}")


def _remove_hidden(_case: _Case) -> Iterator[Fix]:
    yield _mend("Remove them", "hidden")


def _remove_tag(case: _Case) -> Iterator[Fix]:
    if case.text[case.blocker["start"] or 0 :].startswith("<"):
        yield _mend("Remove it", f"stretch:{case.place}")


def _keep_one(case: _Case) -> Iterator[Fix]:
    """Offer to keep what begins at this sign of a second draft, and beside the first sign what stands before it."""
    signs, here = _signs(case.text), case.blocker["start"]
    if here is None or not signs:
        return
    if here == signs[0][0] and _says_something(mending.keep_piece(case.text, -1, signs)):
        yield _mend("Keep only what stands before it", "keep:-1")
    if _says_something(mending.keep_piece(case.text, here, signs)):
        yield _mend("Keep only what follows", f"keep:{here}")


RULES: Mapping[str, Callable[[_Case], Iterator[Fix]]] = {
    "newer_customer_message": _confirm,
    "reply_already_sent": _confirm_need,
    "locked_text_missing": _insert_required,
    "answer_not_found": _insert_passage,
    "second_source_for_locked_key": _insert_locked,
    "value_differs_from_locked_answer": _use_locked,
    "value_differs_from_selected_version": _use_passage,
    "hidden_characters": _remove_hidden,
    "markup_in_draft": _remove_tag,
    "several_drafts_in_output": _keep_one,
}


def lead_for(code: str, analysis: AnalysisShape) -> Lead | None:
    """Return the link to where a blocker is dealt with on the page, where no button does it."""
    if code == "key_not_established":
        return Lead("Choose the question", "question")
    if code == "thread_answer_differs":
        return Lead("Withdraw it by a correction", "outside") if _has_answer(analysis) else Lead("Escalate", "escalate")
    return Lead("Start a correction", "correct") if code == "correction_required" else None


def _has_answer(analysis: AnalysisShape) -> bool:
    """Say whether there is an answer that could be given in place of what was said outside the desk."""
    return any(
        one["locked"] or one["gate"]["branch"] == Branch.SINGLE_SOURCE for one in (analysis, *analysis.get("also", []))
    )


def _mend(label: str, value: str) -> Fix:
    return Fix(label, "mend", "mend", value)


def _remove_sentence(case: _Case) -> Fix:
    return _mend("Remove this sentence", f"sentence:{case.place}")


def _signs(text: str) -> list[tuple[int, int]]:
    return sorted((f.start, f.end) for f in several_drafts(text) if f.start is not None and f.end is not None)


def _says_something(piece: str) -> bool:
    return len(piece.split()) > 3


def _ask(field: str, analysis: AnalysisShape) -> Fix:
    states = any(b["code"] in STATED_WITHOUT_SELECTION for b in analysis["blocked_by"])
    asked = words.field_name(field)
    return _mend(f"Only ask for “{asked}”", f"only:{field}") if states else _mend(f"Ask for “{asked}”", f"ask:{field}")


def mended(text: str, value: str) -> tuple[str, str]:
    """Return the text after a button of kind `mend` was pressed, and what was done, in words. Raises NothingToMend."""
    kind, _, rest = value.partition(":")
    match kind, rest.split(":", 2):
        case "sentence", [start, end]:
            made = mending.remove_sentence(text, _number(start), _number(end)), "The sentence was taken out."
        case "replace", [start, end, by]:
            made = mending.replace_sentence(text, _number(start), _number(end), by), "The sentence was replaced."
        case "stretch", [start, end]:
            made = mending.remove_span(text, _number(start), _number(end)), "It was taken out."
        case "hidden", _:
            made = mending.remove_hidden(text), "The hidden characters were taken out."
        case "keep", [start]:
            made = mending.keep_piece(text, _number(start), _signs(text)), "The other drafts were taken out."
        case "ask", [field]:
            made = mending.ask_for(text, field), "The question was put in."
        case "only", [field]:
            made = mending.only_ask_for(text, field), "The reply now only asks for what is missing."
        case _:
            raise NothingToMend
    if made[0] == text:
        raise NothingToMend
    return made


def _number(written: str) -> int:
    return int(written) if written.removeprefix("-").isdecimal() and len(written) < 10 else -2
