"""What stands around a value and gives it its meaning: its topic, the event it counts from, what it applies to."""

import re

_CONTACT = (
    r"reply|replies|respon[ds]|call(?:ed)? (?:you|back)|call.?back|an? (?:\w+ )?call\b|contact you|contacted|get back|"
    r"be in touch|come back to you|hear from|e-?mail you|write to you|writes? back|update you|let you know|follow up"
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
_REPAIR_SUBJECT = re.compile(r"\b(?:cover|warrant|guarantee)")
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
_SCOPE = re.compile("|".join(rf"(?P<s{n}>\b(?:{stems})\b)" for n, stems in enumerate(_SCOPES)))
_SCOPE_NAMES = tuple(_SCOPES.values())


def topics_of(passage: str) -> frozenset[str]:
    """Return the topics that folded text speaks about; a warranty on repairs is about cover, not about repairing."""
    found = {match.lastgroup for match in _TOPIC.finditer(passage)}
    if "repair" in found and _REPAIR_SUBJECT.search(passage):
        found.discard("repair")
    return frozenset(topic for topic in found if topic)


def event_of(passage: str) -> str | None:
    """Return the event that a stretch of time counts from ("of delivery", "once you have received it"), if said."""
    for match in _EVENT.finditer(passage):
        if named := _EVENT_NAME.search(f"{match['way']} {match['event']}"):
            return named.lastgroup
    return None


def scopes_of(passage: str) -> tuple[str, ...]:
    """Return what the passage limits a value to (labour, compressor, business customers), sorted."""
    names = {_SCOPE_NAMES[int((match.lastgroup or "s0")[1:])] for match in _SCOPE.finditer(passage)}
    return tuple(sorted(names))
