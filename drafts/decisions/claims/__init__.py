"""Claims: find what a draft tells the customer, and hold each statement against the record."""

from drafts.decisions.claims.detect import RULES, detect
from drafts.decisions.claims.rule import RULESET_VERSION

__all__ = ["RULES", "RULESET_VERSION", "detect"]
