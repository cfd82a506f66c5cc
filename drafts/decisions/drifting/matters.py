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
    TRIAL = "trial"
    NOTICE_PERIOD = "notice period"
    MINIMUM_TERM = "minimum term"
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
    Matter.TRIAL: "subscription_renewal",
    Matter.NOTICE_PERIOD: "subscription_renewal",
    Matter.MINIMUM_TERM: "subscription_renewal",
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
    "exchange_terms": Matter.EXCHANGE,
    "price_validity": Matter.VALIDITY,
    "account_closure": Matter.CLOSING,
}
_PRICE_ASKED = {
    "cancellation_fee": Matter.CANCELLATION_FEE,
    "delivery_cost": Matter.DELIVERY_COST,
    "deposit_terms": Matter.DEPOSIT,
}

_OF_A_MATTER = (
    r"(?:(?:shipping|shipment|delivery|order|refund|return|replacement|dispatch|pick-?up|cancellation|payment|credit|exchange"
    r"|resolution|case|appointment) ){0,2}"
)
_TOLD = (
    r"track(?:ing)?|waybill|label|confirmation|code|voucher|invoice|receipt|instructions|notification|link|otp|ticket"
    r"|shipping details|e-?mail(?! you| us| me)|sms|mail\b(?! you)"
)
_WRITES = r"(?:e-?mail|phone|ring|text|message|tell|advise|write(?: back)? to)(?:ed|d)? (?:you|us|me)\b"
# Who asks around on the customer's behalf promises the customer no word by that.
_ELSEWHERE = r"(?! (?:(?:up )?with |out to |to )?(?:the|our|their|them|him|her|your (?:bank|neighbou?rs?)|them)\b)"
_CUES: tuple[tuple[Matter, tuple[str, ...]], ...] = (
    (
        Matter.UPDATE,
        (
            rf"{_OF_A_MATTER}updat(?:e|es|ing)\b",
            r"updated\b(?! (?:\w+ )?(?:details|information|instructions|link|address|label))",
            rf"(?:(?:contact|call)(?:s|ed|ing)?|(?:follow(?:ing)?|reach(?:ing)?) (?:up|out))\b{_ELSEWHERE}",
            rf"(?:inform|notify|notified|update)(?:ed)?\b{_ELSEWHERE}",
            r"call-?back|follow-up|repl(?:y|ies|ied)|respon[ds]\w*|get(?:ting)? back|back to you|in touch|let you know",
            rf"{_WRITES}|reach you (?:by|via|on)\b|hear (?:back )?from|writ(?:e|ten) back|posted|answer",
            r"outcome|decision|news",
            r"(?:further|more) (?:information|details)",
        ),
    ),
    (Matter.NOTICE, (rf"{_OF_A_MATTER}(?:{_TOLD})",)),
    (Matter.WARRANTY, (r"warrant\w*|guarantee (?:period|term|of|is|lasts|covers|for)|covered|coverage",)),
    (Matter.VALIDITY, (r"valid\b|validity|expir\w+|redeem\w*",)),
    (Matter.PICKUP, (r"pick(?:ed|ing)?[- ]?up|collect(?:ed|ion)?\b",)),
    (Matter.VISIT, (r"visit\w*|appointment|technician|engineer|install\w*|inspection|inspect(?:ed)?\b",)),
    (Matter.REPAIR, (r"repair\w*|fix(?:ed)? the (?:device|item|product|unit)|servic(?:ed|ing)\b",)),
    (
        Matter.RETURN,
        (
            r"return window|returnable|returned\b|returns\b|send (?:it|them) back",
            r"return (?:it|them|the|your|an|any|items?|products?|goods|policy|period)",
        ),
    ),
    (
        Matter.REFUND,
        (
            r"refund\w*|reimburs\w*|money|credit(?:ed|s)?\b(?! (?:cards?|notes?)\b)|reflect\w*|amount|cashback",
            r"payment|transfer\w*|(?:in|to) your (?:bank )?account",
        ),
    ),
    (Matter.EXCHANGE, (r"exchang\w+|swap\w*",)),
    (Matter.CANCELLATION, (r"cancel\w*",)),
    (
        Matter.INVESTIGATION,
        (
            r"investigat\w*|review\w*|verif\w*|inquir\w*|look(?:ing)? into|assess\w*|check\w*|escalat\w*",
            r"(?:confirm|see) (?:if|whether)|find out|determin\w+",
            r"trac(?:e|ing)\b|audit|analy[sz]\w*|locat(?:e|ed|ing)\b|retriev\w*",
        ),
    ),
    (
        Matter.RESOLUTION,
        (r"resol(?:ve|ved|ving|ution)\w*|rectif\w*|sort(?:ed)? out|solution|corrected|correct the|fixed",),
    ),
    (
        Matter.DISPATCH,
        (
            r"dispatch\w*|shipped|ship\b|sent out|send(?:ing)? (?:out|you|it|them|the|a)\b|hand(?:ed)? over",
            r"leave (?:the|our) (?:warehouse|store)",
        ),
    ),
    (
        Matter.DELIVERY,
        (r"deliver\w*|arriv\w*|reach\w*|shipping|shipment|transit|eta\b|(?:be|get) (?:there|here|to you|with you)\b",),
    ),
    (Matter.RENEWAL, (r"renew(?:s|al|ed)?\b",)),
    (Matter.TRIAL, (r"(?:free )?trial",)),
    (Matter.NOTICE_PERIOD, (r"(?:period of )?notice\b|notice period",)),
    (Matter.MINIMUM_TERM, (r"(?:minimum|initial|contract) (?:term|period)",)),
    (
        Matter.CLOSING,
        (
            r"(?:delet|clos|deactivat)\w+ (?:of )?(?:your |the )?(?:account|profile|data)",
            r"account (?:\w+ ){0,3}(?:deleted|closed)",
        ),
    ),
)
_CUE = re.compile(r"\b(?:" + "|".join(f"(?P<m{at}>{'|'.join(cues)})" for at, (_, cues) in enumerate(_CUES)) + ")")
_GOODS = re.compile(
    r"\b(?:replacements?|orders?|packages?|parcels?|products?|items?|goods|units?|it|them|one|books?|devices?|phones?)\b"
)
# Money, mails and people come and go as goods do.
_MOVES = frozenset({Matter.DELIVERY, Matter.DISPATCH, Matter.RETURN})
_MOVED = frozenset({Matter.REFUND, Matter.NOTICE, Matter.VISIT, Matter.PICKUP})
_WEAK = re.compile(r"(?:be|take|takes|last|lasts|need|needs|require|requires)\b")
_RECEIVES = re.compile(r"\b(?:receiv|get|have|expect|obtain)")
_TELLS = re.compile(r"^(?:provid|shar|send|giv|confirm|offer|hav|receiv|get|expect|e-?mail)\w*\b")
_STARTS = re.compile(
    r"\b(?:re-?)?(?:initiat|start|begin|approv|request|rais|submit|trigger|arrang)\w*\b(?! (?:for|date|confirmation))"
)
_SENDS_NOTICE = re.compile(rf"^e-?mail (?:you|us|me) (?:\w+ ){{0,2}}(?:{_TOLD})")
_PAYS = re.compile(r"\b(?:refund|reimburs)")
_AND_TELLS = re.compile(
    r"\band (?:then )?(?:(?:\w+ ){0,4}(?:updat|respon|reply|call)|get back|contact you|let you know"
    r"|be in touch|inform you)"
)
_EXPECTED = re.compile(
    r"\b(?:eta\b|(?:time|date|day) of (?:arrival|delivery)|(?:delivery|arrival) (?:date|time|estimate|window|status)"
    r"|timeline)"
)
_ARRIVES = re.compile(r"\b(?:reflect|credit|receiv|appear|complet|process|reach)")
_UPDATE_IN_NOTICE = re.compile(r"\b(?:updat(?!ed)|result|outcome|respon[ds]|reply|answer|follow|decision)")
_SECOND_LOOKS = (
    (Matter.NOTICE, _UPDATE_IN_NOTICE, Matter.UPDATE),
    (Matter.UPDATE, _SENDS_NOTICE, Matter.NOTICE),
    (Matter.INVESTIGATION, _AND_TELLS, Matter.UPDATE),
    (Matter.RESOLUTION, _PAYS, Matter.REFUND),
)


@dataclass(frozen=True, slots=True)
class Frame:
    """The words of one statement: what it says, its clause up to the value, and its subject."""

    said: str
    about: str = ""
    subject: str = ""


def matter_of(frame: Frame) -> Matter | None:
    """Return what a statement promises a time for: the first cue of what it says, else of what it speaks about."""
    weak = _WEAK.match(frame.said) is not None
    for words in (frame.about, frame.said) if weak else (frame.said, frame.about):
        if found := _first(words):
            moved = _first(frame.subject) if found in _MOVES else None
            return moved if moved in _MOVED else _refined(found, words)
    return Matter.DELIVERY if _RECEIVES.search(frame.said) and _GOODS.search(frame.said) else None


def _first(text: str) -> Matter | None:
    match = _CUE.search(text)
    return _CUES[int(match.lastgroup[1:])][0] if match and match.lastgroup else None


def _refined(matter: Matter, words: str) -> Matter:
    """Look again at a matter by the words it was found in, since one cue may stand for two."""
    for found, pattern, meant in _SECOND_LOOKS:
        if matter is found and pattern.search(words):
            return meant
    if matter is Matter.DELIVERY and _TELLS.search(words) and _EXPECTED.search(words):
        return Matter.UPDATE
    if matter is Matter.REFUND and _STARTS.search(words) and not _ARRIVES.search(words):
        return Matter.REFUND_START
    return matter


def matter_asked(topic: str) -> Matter | None:
    """Return the matter that a customer's question of a topic is about, where a topic has one above others."""
    return _ASKED.get(topic)


def price_asked(topic: str) -> Matter | None:
    """Return the price that a customer's question of a topic is about."""
    return _PRICE_ASKED.get(topic)
