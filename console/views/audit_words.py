"""The five checks in plain words: what each finds, what that means, and how its number comes back to zero."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckWords:
    """What a page says of one check."""

    title: str
    meaning: str
    remedy: str


CHECKS = {
    1: CheckWords(
        "Two answers to one question",
        "A customer holds different answers to the same question, and no correction says which one counts.",
        "Correct the question in its conversation. The correction names what was said, withdraws it, and gives the one "
        "answer that holds; it joins every answer before it.",
    ),
    2: CheckWords(
        "Questions that several documents answer",
        "More than one active document of ours answers the same question on the same channel. Nothing can be answered "
        "from either until one of them wins.",
        "A policy owner settles the conflict: one version is kept, the others are retired or narrowed.",
    ),
    3: CheckWords(
        "Repeats answered anew",
        "A reply states a value and does not repeat the locked answer to the letter: it was written outside this desk, "
        "or it was decided here and left no replay in the ledger.",
        "Where the customer now holds something wrong, withdraw what was said or correct the question. Otherwise "
        "settle the reply here, with a reason that says what the customer holds.",
    ),
    4: CheckWords(
        "Corrections without a reason or an owner",
        "An answer was replaced, and the record does not say why, or nobody answers for it.",
        "Correct the question once more, with a reason and an owner.",
    ),
    5: CheckWords(
        "Answers without a source",
        "A customer was promised something, and the record names no document and version behind it.",
        "Correct the question from the version that applies. The correction carries its source.",
    ),
}
HOW = {"nightly": "Nightly", "person": "On demand", "command": "By command"}
