"""What stands around a value and gives it its meaning: its topic, the event it counts from, what it applies to."""

import re
from bisect import bisect_left
from collections.abc import Iterator

_CONTACT = (
    r"reply|replies|respon[ds]|call(?:ed)? (?:you|me|us|back)|call.?back|an? (?:\w+ )?call\b|contact you|contacted|"
    r"get back|look(?:ing)? into|investigat|will (?:now |then )?(?:review|check)|reviewing|be in touch|"
    r"come back to you|hear from|e-?mail you|write to you|writes? back|updates?\b|let you know|follow up|"
    r"tracking (?:number|details|link)"
)
_TOPICS = {
    "cover": r"warrant|guarantee|cover(?:s|ed|age)?\b|insured|protect",
    "refund": r"refund|reimburs|money back|paid back|pay back",
    "return": r"return|sen[dt] (?:it |them )?back|withdraw|bring it back",
    "exchange": r"exchang|swap|replace",
    "cancel": r"cancel|terminat|notice period|notice\b",
    "match": r"match|beat\b|price.promise",
    "delivery": r"deliver|ship|arriv|dispatch|courier|transit",
    "repair": r"repaired|repairing|fixed\b|fix\b|turnaround|a repair takes|repairs take|to repair|repair time",
    "reply": _CONTACT,
    "fee": r"fee\b|fees\b|charge|costs?\b|price|deposit|surcharge",
    "file": r"claim|report(?:ed)?\b|file[ds]?\b|register",
    "trial": r"trial",
}
_TOPIC = re.compile(r"\b(?:" + "|".join(f"(?P<{topic}>{stems})" for topic, stems in _TOPICS.items()) + ")")
_EVENTS = {
    "purchase": r"purchas|bought|buy",
    "delivery": r"deliver",
    "receipt": r"receiv|receipt|arriv|get it|got it",
    "order": r"order",
    "invoice": r"invoice",
    "service": r"service|repair|serviced",
    "completion": r"complet|handover|finish",
    "dispatch": r"dispatch|shipp|shipment|sent",
    "registration": r"regist",
    "activation": r"activat|install",
    "booking": r"booking|booked|reservation",
    "production": r"production|manufactur",
    "contract": r"contract|subscription|term\b",
    "approval": r"approv",
    "request": r"request",
    "now": r"today|now\b",
}
_EVENT_NAME = re.compile(r"\b(?:" + "|".join(f"(?P<{event}>{stems})" for event, stems in _EVENTS.items()) + ")")
_EVENT = re.compile(
    r"\b(?:from|of|after|since|following|once|when|starting|begins?|beginning|starts?|counted|counting|upon|on)\b"
    r"(?P<way>(?: (?:the|your|our|its|a|you|we|have|has|it|is|was|date|day|time|moment|original|actual|of|on|from|at|"
    r"with|end|being|been|successful|which|initial|first|item|product|parcel|goods|order's)){0,6})"
    r" (?P<event>[a-z]+(?: it\b)?)"
)
_SCOPES: dict[str, str] = {
    r"labou?r|workmanship": "labour", r"parts?": "parts", r"compressors?": "compressor",
    r"batter(?:y|ies)": "battery", r"screens?|displays?": "screen", r"windscreens?|windshields?": "windscreen",
    r"motors?": "motor", r"engines?": "engine", r"accessor(?:y|ies)": "accessories", r"frames?": "frame",
    r"pumps?": "pump", r"mattress(?:es)?": "mattress", r"tyres?|tires?": "tyres", r"paint(?:work)?": "paint",
    r"gearbox": "gearbox", r"software": "software",
    r"(?:business|corporate|commercial|trade)(?! (?:day|hour))": "business",
    r"private|consumers?|households?": "private", r"weekdays": "weekdays", r"weekends?": "weekends",
    r"unopened|sealed": "unopened", r"opened": "opened", r"refurbished|used|second-hand": "used", r"brand-new": "new",
    r"sale items?|clearance|discounted": "sale", r"international|abroad": "international",
    r"domestic|national": "domestic", r"express|next-day": "express", r"standard": "standard", r"members?": "members",
    r"students?": "students", r"digital": "digital",
}  # fmt: skip
_SCOPE = re.compile(r"\b(?:" + "|".join(rf"(?P<s{n}>(?:{stems})\b)" for n, stems in enumerate(_SCOPES)) + ")")
_DIRECT = re.compile(
    r"[ -]*(?:of )?(?:(?:warranty|guarantee|cover|coverage|discount|off) )?(?:(?:on|for|of|in|against|covering) )?"
    r"(?:(?:the|all|your|our|both) )?"
)
_JOINED = re.compile(r"\band\b")
_SCOPE_NAMES = tuple(_SCOPES.values())


class Surroundings:
    """The topics and limits that a folded text mentions, found once and then looked up by place."""

    def __init__(self, folded: str) -> None:
        self._topics = [(m.start(), m.end(), m.lastgroup or "") for m in _TOPIC.finditer(folded)]
        self._scopes = [
            (m.start(), m.end(), _SCOPE_NAMES[int((m.lastgroup or "s0")[1:])]) for m in _SCOPE.finditer(folded)
        ]

    def topics(self, *stretches: tuple[int, int]) -> frozenset[str]:
        """Return what the stretches speak about; a warranty on repairs is about cover, not about repairing."""
        found = frozenset(name for stretch in stretches for name in _mentioned(self._topics, stretch))
        return found - {"repair"} if "cover" in found else found

    def scopes_beside(self, folded: str, before: tuple[int, int], after: tuple[int, int]) -> tuple[str, ...]:
        """Return what the value between two stretches is limited to: what follows at once, else what leads to it."""
        direct = _DIRECT.match(folded, *after)
        follows = self.scopes(after)
        if direct and follows and _SCOPE.match(folded, direct.end(), after[1]):
            return follows
        joined = _JOINED.search(folded, *after)
        return self.scopes(before) or self.scopes((after[0], joined.start() if joined else after[1]))

    def scopes(self, stretch: tuple[int, int]) -> tuple[str, ...]:
        """Return what a stretch limits a value to (labour, compressor, business customers), sorted."""
        return tuple(sorted(set(_mentioned(self._scopes, stretch))))


def _mentioned(mentions: list[tuple[int, int, str]], stretch: tuple[int, int]) -> Iterator[str]:
    start, end = stretch
    for index in range(bisect_left(mentions, (start,)), len(mentions)):
        first, last, name = mentions[index]
        if first >= end:
            return
        if last <= end:
            yield name


def event_of(passage: str) -> str | None:
    """Return the event that a stretch of time counts from ("of delivery", "once you have received it"), if said."""
    for match in _EVENT.finditer(passage):
        if named := _EVENT_NAME.search(f"{match['way']} {match['event']}"):
            return named.lastgroup
    return None
