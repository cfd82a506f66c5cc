"""How customers put the questions of the default registry, and what they write that asks for no commitment."""

from ledger.decisions.phrasings.nothing import NONE_PHRASINGS
from ledger.decisions.phrasings.purchases import PURCHASES
from ledger.decisions.phrasings.services import SERVICES

PHRASINGS: dict[str, tuple[str, ...]] = {**PURCHASES, **SERVICES}

__all__ = ["NONE_PHRASINGS", "PHRASINGS"]
