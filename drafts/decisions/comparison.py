"""The door to everything that compares a draft with commitments; the parts live in the modules named here."""

from drafts.decisions.answers import answer_in_thread, propose_answer, typed_facts
from drafts.decisions.assertions import asserts_different_answer
from drafts.decisions.comparing import Comparison, Sameness, compare, stated_values
from drafts.decisions.verbatim import contains_verbatim, names_version

__all__ = [
    "Comparison",
    "Sameness",
    "answer_in_thread",
    "asserts_different_answer",
    "compare",
    "contains_verbatim",
    "names_version",
    "propose_answer",
    "stated_values",
    "typed_facts",
]
