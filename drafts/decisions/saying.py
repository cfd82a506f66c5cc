"""What a bot may say before it writes: replay a text, stay within one version, ask for a field, or not answer."""

from dataclasses import dataclass

from drafts.decisions.commitments import statement_of
from drafts.decisions.given import Analysis, Asked
from ledger.decisions.vocabulary import REPLAY_BRANCHES, Branch

WHY = {
    Branch.KEY_NOT_ESTABLISHED: "It is not known which question the customer asks; a person has to choose it.",
    Branch.NEW_FACTS: "A fact that decides the answer has changed; only a correction by a person can go out.",
    Branch.SOURCES_CONFLICT: "More than one document answers this question; a policy owner has to settle it.",
    Branch.NO_SOURCE: "No document answers this question here. Say that it is not known and offer a call back.",
}


@dataclass(frozen=True, slots=True)
class Say:
    """One instruction to the bot; only the fields of its mode are set."""

    mode: str
    text: str | None = None
    version: str | None = None
    passages: tuple[str, ...] = ()
    field: str | None = None
    why: str | None = None


def say(analysis: Analysis) -> Say:
    """Return the instruction for a message; with several questions the strictest one rules."""
    return min((_say(one) for one in analysis.asked), key=lambda each: STRICTNESS.index(each.mode))


STRICTNESS = ("do_not_answer", "ask_for", "verbatim", "within")


def _say(one: Asked) -> Say:
    branch = one.gate.branch
    if branch in REPLAY_BRANCHES:
        return Say("verbatim", text=" ".join(one.gate.must_contain))
    if branch is Branch.DECIDING_FACT_MISSING:
        return Say("ask_for", field=one.gate.missing_field)
    statement = statement_of(one)
    if branch is Branch.SINGLE_SOURCE and statement is not None and one.route.version is not None:
        return Say("within", version=one.route.version.version, passages=(statement.text, *one.gate.must_contain))
    if branch is Branch.NOT_A_COMMITMENT_QUESTION:
        return Say("within", version=None)
    return Say("do_not_answer", why=WHY[branch])
