"""What a time is promised for: the matter of a statement, found at the head of what it says."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Matter(StrEnum):
    """The promises that are told apart; each belongs to one topic. Only two of the same matter can differ."""

    UPDATE = "update"
    NOTICE = "notice"
    INVESTIGATION = "investigation"
    RESOLUTION = "resolution"
    REFUND = "refund"
    REFUND_START = "start of a refund"
    DELIVERY = "delivery"
    DISPATCH = "dispatch"
    PICKUP = "pick-up"
    VISIT = "visit"
    REPAIR = "repair"
    WARRANTY = "warranty"
    RETURN = "return"
    EXCHANGE = "exchange"
    CANCELLATION = "cancellation"
    CANCELLATION_FEE = "cancellation fee"
    DELIVERY_COST = "delivery cost"
    FEE = "fee"
    DEPOSIT = "deposit"
    VALIDITY = "validity"
    RENEWAL = "renewal"
    CLOSING = "closing"


TOPICS = {
    Matter.UPDATE: "response_sla",
    Matter.NOTICE: "response_sla",
    Matter.INVESTIGATION: "response_sla",
    Matter.RESOLUTION: "response_sla",
    Matter.REFUND: "refund_timing",
    Matter.REFUND_START: "refund_timing",
    Matter.DELIVERY: "delivery_time",
    Matter.DISPATCH: "delivery_time",
    Matter.PICKUP: "appointment_terms",
    Matter.VISIT: "appointment_terms",
    Matter.REPAIR: "repair_turnaround",
    Matter.WARRANTY: "warranty_duration",
    Matter.RETURN: "return_window",
    Matter.EXCHANGE: "exchange_terms",
    Matter.CANCELLATION: "cancellation_window",
    Matter.CANCELLATION_FEE: "cancellation_fee",
    Matter.DELIVERY_COST: "delivery_cost",
    Matter.FEE: "fees",
    Matter.DEPOSIT: "deposit_terms",
    Matter.VALIDITY: "price_validity",
    Matter.RENEWAL: "subscription_renewal",
    Matter.CLOSING: "account_closure",
}
_ASKED = {
    "refund_timing": Matter.REFUND,
    "refund_eligibility": Matter.REFUND,
    "delivery_time": Matter.DELIVERY,
    "response_sla": Matter.UPDATE,
    "repair_turnaround": Matter.REPAIR,
    "warranty_duration": Matter.WARRANTY,
    "return_window": Matter.RETURN,
    "cancellation_window": Matter.CANCELLATION,
}

_OF_A_MATTER = (
    r"(?:(?:shipping|shipment|delivery|order|refund|return|replacement|dispatch|pick-?up|cancellation|payment|credit|exchange"
    r"|resolution|case|appointment) ){0,2}"
)
_TOLD = (
    r"track(?:ing)?|waybill|label|confirmation|code|voucher|invoice|receipt|instructions|notification|link|otp|ticket"
    r"|shipping details|e-?mail(?! you| us| me)|sms|mail\b(?! you)"
)
_CUES = (
    (
        Matter.UPDATE,
        rf"{_OF_A_MATTER}updat(?:e|es|ed|ing)\b|contact(?:ed|ing)?\b|call(?:s|ed|ing)?\b(?! (?:centre|center))|call-?back|phone(?:d)? you"
        r"|e-?mail(?:ed)? (?:you|us|me)\b|repl(?:y|ies|ied)|respon[ds]\w*|get(?:ting)? back|got back|back to you|notif(?:y|ied)"
        r"|inform(?:ed)?\b|reach(?:ing)? (?:out|you by)|follow(?:ing)?[- ]?up|hear (?:back )?from|in touch|let you know"
        r"|message you|text you|write (?:back )?to you|writ(?:e|ten) back|informed|posted|answer|advise you|tell you"
        r"|(?:further|more) (?:information|details)|outcome|decision|news",
    ),
    (Matter.NOTICE, rf"{_OF_A_MATTER}(?:{_TOLD})"),
    (Matter.WARRANTY, r"warrant\w*|guarantee (?:period|term|of|is|lasts|covers|for)|covered|coverage"),
    (Matter.VALIDITY, r"valid\b|validity|expir\w+|redeem\w*"),
    (Matter.PICKUP, r"pick(?:ed|ing)?[- ]?up|collect(?:ed|ion)?\b"),
    (Matter.VISIT, r"visit\w*|appointment|technician|engineer|install\w*|inspection|inspect(?:ed)?\b"),
    (Matter.REPAIR, r"repair\w*|fix(?:ed)? the (?:device|item|product|unit)|servic(?:ed|ing)\b"),
    (Matter.RETURN, r"return window|returnable|return (?:it|them|the|your|an|any|items?|products?|goods|policy|period)"
                    r"|returned\b|returns\b|send (?:it|them) back"),
    (Matter.REFUND, r"refund\w*|reimburs\w*|money|credit(?:ed|s)?\b|reflect\w*|amount|cashback|payment|transfer\w*"
                    r"|(?:in|to) your (?:bank )?account"),
    (Matter.EXCHANGE, r"exchang\w+|swap\w*"),
    (Matter.CANCELLATION, r"cancel\w*"),
    (Matter.INVESTIGATION, r"investigat\w*|review\w*|verif\w*|inquir\w*|look(?:ing)? into|assess\w*|check\w*|escalat\w*"
                           r"|trac(?:e|ing)\b|audit|analy[sz]\w*"),
    (Matter.RESOLUTION, r"resol(?:ve|ved|ving|ution)\w*|rectif\w*|sort(?:ed)? out|solution|corrected|correct the|fixed"),
    (Matter.DISPATCH, r"dispatch\w*|shipped|ship\b|sent out|send(?:ing)? (?:out|you|it|them|the|a)\b|hand(?:ed)? over"
                      r"|leave (?:the|our) (?:warehouse|store)"),
    (Matter.DELIVERY, r"deliver\w*|arriv\w*|reach\w*|shipping|shipment|transit|eta\b"),
    (Matter.RENEWAL, r"trial|renew\w*|notice period|minimum term|subscription|membership"),
    (Matter.CLOSING, r"(?:delet|clos|deactivat)\w+ (?:of )?(?:your |the )?(?:account|profile|data)|account (?:\w+ ){0,3}(?:deleted|closed)"),
)  # fmt: skip
_CUE = re.compile(r"\b(?:" + "|".join(f"(?P<m{at}>{cue})" for at, (_, cue) in enumerate(_CUES)) + ")")
_GOODS = re.compile(
    r"\b(?:replacements?|orders?|packages?|parcels?|products?|items?|goods|units?|it|them|one|books?|devices?|phones?)\b"
)
_WEAK = re.compile(r"(?:be|take|takes|last|lasts|need|needs|require|requires)\b")
_RECEIVES = re.compile(r"\b(?:receiv|get|have|expect|obtain)")
_TELLS = re.compile(r"^(?:provid|shar|send|giv|confirm|offer|hav|receiv|get|expect|e-?mail)\w*\b")
_STARTS = re.compile(
    r"\b(?:re-?)?(?:initiat|start|begin|approv|request|rais|submit|trigger|arrang)\w*\b(?! (?:for|date|confirmation))"
)
_UPDATE_IN_NOTICE = re.compile(r"\b(?:updat|information|result|outcome|respon|reply|answer|follow|decision)")


@dataclass(frozen=True, slots=True)
class Frame:
    """The words of one statement: what is said of whom, and the clause for what neither tells."""

    said: str
    about: str = ""


def matter_of(frame: Frame) -> Matter | None:
    """Return what a statement promises a time for: the first cue of what it says, else of what it speaks about."""
    weak = _WEAK.match(frame.said) is not None
    first, second = (frame.about, frame.said) if weak else (frame.said, frame.about)
    found = _first(first) or _first(second)
    if found is None:
        return Matter.DELIVERY if _RECEIVES.search(frame.said) and _GOODS.search(frame.said) else None
    return _refined(found, frame)


def _first(text: str) -> Matter | None:
    match = _CUE.search(text)
    return _CUES[int(match.lastgroup[1:])][0] if match and match.lastgroup else None


def _refined(matter: Matter, frame: Frame) -> Matter:
    if matter is Matter.DELIVERY and _TELLS.search(frame.said) and _EXPECTED.search(frame.said):
        return Matter.UPDATE
    if matter is Matter.NOTICE and _UPDATE_IN_NOTICE.search(frame.said):
        return Matter.UPDATE
    if matter is Matter.REFUND and _STARTS.search(f"{frame.said}") and not _ARRIVES.search(frame.said):
        return Matter.REFUND_START
    return matter


_EXPECTED = re.compile(
    r"\b(?:eta\b|(?:time|date|day) of (?:arrival|delivery)|(?:delivery|arrival) (?:date|time|estimate|window|status)|timeline)"
)
_ARRIVES = re.compile(r"\b(?:reflect|credit|receiv|appear|complet|process|reach)")


def matter_asked(topic: str) -> Matter | None:
    """Return the matter that a customer's question of a topic is about, where a topic has one above others."""
    return _ASKED.get(topic)
