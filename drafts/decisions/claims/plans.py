"""Plans put up for confirmation: what stands before “please confirm that you want to proceed” is no promise yet."""

import re

_ASKS_FOR_A_YES = re.compile(
    r"\b(?:please |kindly |could you |can you |do you |to )(?:please |kindly )?confirm\b.{0,60}\b(?:proceed|yes"
    r"|correct|go ahead|"
    r"(?:like|want|wish) (?:me |us )?to|agree|these (?:details|changes)|the (?:changes|cancellation|exchange|return"
    r"|modification)|this (?:change|exchange|return|cancellation|plan))\b"
    r"|\bplease confirm(?:,| and| so)\b|\bdo you (?:confirm|agree|approve)\b|\((?:yes|y)(?: ?/ ?| or )(?:no|n)\)"
    r"|\breply (?:with )?['\"]?yes\b"
    r"|\bwould you like (?:me |us )?to (?:proceed|go ahead|transfer|connect|continue|do (?:that|this|so))\b|\bshall "
    r"(?:i|we) (?:proceed|transfer|go ahead|continue|connect|do)\b"
    r"|\b(?:should|may|can) (?:i|we) (?:proceed|go ahead|transfer|continue)\b|\bdo you want (?:me|us) to (?:proceed"
    r"|go ahead|transfer|continue|do)\b"
    r"|\blet me know if you(?:'d| would)? (?:like|want|wish) (?:me |us )?to (?:proceed|go ahead)\b|\b(?:before"
    r"|until) (?:i|we) (?:proceed|make (?:any|these|the) changes?)\b"
    r"|\bwould you like to proceed\b",
    re.IGNORECASE,
)


_HINTS = (
    "confirm",
    "proceed",
    "go ahead",
    "yes",
    "shall ",
    "would you like",
    "do you ",
    "(y",
    "make any change",
    "these change",
)


def confirmed_until(text: str) -> int:
    """Return up to where promises are only a plan: the place of the last request for a yes, 0 without one."""
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return 0
    return max((match.start() for match in _ASKS_FOR_A_YES.finditer(text)), default=0)
