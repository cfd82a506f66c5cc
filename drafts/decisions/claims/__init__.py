"""Claims: find what a draft tells the customer, and hold each statement against the record."""

from drafts.decisions.claims.detect import RULES, detect
from drafts.decisions.claims.judge import judge
from drafts.decisions.claims.mapping import DEFAULT_MAPPING, RecordMapping
from drafts.decisions.claims.rule import RULESET_VERSION

__all__ = ["DEFAULT_MAPPING", "RULES", "RULESET_VERSION", "RecordMapping", "detect", "judge"]
