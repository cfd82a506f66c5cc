"""The second tier: a loose net for what the precise rules leave, shown quietly and never in the way."""

import re
from collections.abc import Sequence

from drafts.decisions.claims.forms import Form
from drafts.decisions.claims.guards import Guard
from drafts.decisions.claims.lexicon import CASE_NOUNS, is_participle
from drafts.decisions.claims.reading import Reading
from drafts.decisions.claims.subjects import Who
from drafts.decisions.claims.tokens import Kind, Sentence
from drafts.decisions.vocabulary import ClaimClass

_STEMS = re.compile(
    r"\b(?:make sure|ensure|take care of|sort (?:this|it) out|keep an eye|stay on top|on top of it|see to it|handle "
    r"this|get this|make it right|make this right|personally|prioriti[sz]\w+|expedit\w+|escalat\w+|asap)\b"
)
_COURTEOUS = re.compile(
    r"\b(?:happy|glad|here|pleased|delighted) to\b|\b(?:help|assist)\b|\bthank|\bappreciate|\bapologi[sz]e|\bsorry\b"
    r"|\bunderstand\b|\bfeel free\b|\bhesitate\b"
)


def possible(sentence: Sentence, readings: Sequence[Reading]) -> tuple[ClaimClass, int, int] | None:
    """Return class and folded span of a possible claim in a sentence that made none, if there is one."""
    if sentence.is_question:
        return None
    for reading in readings:
        if reading.guard in {None, Guard.CONDITIONAL} and (cls := _looks_like(reading)):
            return (cls, *reading.span())
    return _by_wording(sentence)


def _looks_like(reading: Reading) -> ClaimClass | None:
    subject, group = reading.subject, reading.group
    if (
        subject.who in {Who.US, Who.PERSON}
        and group.form is Form.FUTURE
        and not _COURTEOUS.search(f"{group.verb} {reading.said}")
        and group.verb != "need"
    ):
        return ClaimClass.ACTION
    if (
        subject.who is Who.CUSTOMER
        and group.form is Form.FUTURE
        and group.verb in {"receive", "hear", "get", "have"}
        and not reading.said.startswith("to ")
    ):
        return ClaimClass.ACTION
    if subject.who is Who.CASE and group.form in {Form.FUTURE, Form.SOFT} and (group.passive or reading.times):
        return ClaimClass.ACTION
    if (
        subject.who is Who.CASE
        and not subject.generic
        and group.passive
        and group.form in {Form.STATE, Form.PERFECT, Form.PAST}
        and not subject.weak
    ):
        return ClaimClass.STATUS
    if (
        subject.who is Who.CUSTOMER
        and group.modal in {"can", "may"}
        and re.search(r"\b(?:refund|free of charge|exchange|return)\b", f"{group.verb} {reading.said}")
    ):
        return ClaimClass.OUTCOME
    return None


def _by_wording(sentence: Sentence) -> tuple[ClaimClass, int, int] | None:
    lows = [token.low for token in sentence.tokens]
    said = " ".join(lows)
    if (
        any(token.kind is Kind.TIME for token in sentence.tokens)
        and {"we", "i", "our", "your", "it"} & set(lows)
        and "you" not in lows[:2]
        and "if" not in lows
    ):
        return ClaimClass.TIMING, sentence.tokens[0].start, sentence.tokens[-1].end
    if _STEMS.search(said) and {"we", "i", "our"} & set(lows) and not _COURTEOUS.search(said) and "if" not in lows:
        return ClaimClass.ACTION, sentence.tokens[0].start, sentence.tokens[-1].end
    if len(lows) <= 6 and any(low in CASE_NOUNS for low in lows[:2]) and any(is_participle(low) for low in lows[1:4]):
        return ClaimClass.STATUS, sentence.tokens[0].start, sentence.tokens[-1].end
    return None
