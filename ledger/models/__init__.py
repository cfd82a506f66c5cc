"""What the ledger remembers, and the sources it rests on; each module says where its tables lie."""

from ledger.models.conflicts import Conflict, ConflictVersion
from ledger.models.entries import Entry, Head, PublishedEntry, TypedFact
from ledger.models.keys import QuestionKey
from ledger.models.policies import PolicyCoverage, PolicyDocument, PolicyStatement, PolicyVersion
from ledger.models.shared import VISIBLE

__all__ = [
    "VISIBLE",
    "Conflict",
    "ConflictVersion",
    "Entry",
    "Head",
    "PolicyCoverage",
    "PolicyDocument",
    "PolicyStatement",
    "PolicyVersion",
    "PublishedEntry",
    "QuestionKey",
    "TypedFact",
]
