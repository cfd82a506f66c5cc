"""A customer's message as a row of folded sentences: which of them ask something, and in which words."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MESSAGE_LIMIT = 4_000
SENTENCES_LIMIT = 40

_CUT = re.compile(
    r"(?<=[.!?…])\s+|[\n\r]+|(?<=\?)(?=\w)|;\s+|\s+[-–—]+\s+|(?<=\w{3})\.{2,}\s*|(?<=[a-z]{3}\.)(?=[A-Z])"
)
_QUOTED = re.compile(r"(?m)^\s*>.*$")
_ADDRESS = re.compile(r"@|^https?://")
_TOKEN_LIMIT = 40
_REPEATED = re.compile(r"(\w)\1{2,}")
_APOSTROPHES = str.maketrans("‘’ʼ`´“”", "'''''\"\"")
_EXPANSIONS = (
    (re.compile(r"\b(what|where|when|how|who)'?s\b"), r"\1 is"),
    (re.compile(r"\b(?:can't|cant|cannot)\b"), "can not"),
    (re.compile(r"\b(?:won't|wont)\b"), "will not"),
    (re.compile(r"\b(have|has|had|is|are|was|were|do|does|did|would|could|should)n'?t\b"), r"\1 not"),
    (re.compile(r"\bi'?m\b"), "i am"),
    (re.compile(r"\b(?:i'd|id) (?=like|love|want|prefer)"), "i would "),
    (re.compile(r"\b(i|you|we|they)'?ve\b"), r"\1 have"),
    (re.compile(r"\bu\b"), "you"),
    (re.compile(r"\bur\b"), "your"),
    (re.compile(r"\b(?:pls|plz|plse|pleas)\b"), "please"),
    (re.compile(r"\bwanna\b"), "want to"),
    (re.compile(r"\bwan't\b"), "want"),
    (re.compile(r"\bnt\b"), "not"),
    (re.compile(r"\b(?:wat|wht|wot)\b"), "what"),
    (re.compile(r"\b(?:wen|whn)\b"), "when"),
)
_LEAD_IN = (
    r"^(?:(?:and|so|but|ok|okay|well|also|then|hi|hello|hey|or|yes|no|fine|great|plainly|again|one (?:more|last) time)"
    r"\b[\w ]{0,25}?[,:!.]*\s+)*"
)
_ASKS = re.compile(
    rf"{_LEAD_IN}(?:what|when|where|how|why|who|which|can|could|may|will|would|is|are|do|does|did|has|am|should|shall|"
    r"any chance|until|by when|by what|for how|from what|was)\b"
    r"|(?:, |\band |\bbut |\bso |\bthen |\bor )"
    r"(?:can|could|may|would|will|is|are|do|does|how|when|where|why|what|has|please) "
    r"(?:i|we|it|you|my|the|they|that|this|is|are|do|much|long|soon|many|now)\b"
    r"|\b(?:i|we|my \w+|customer) (?:(?:really|just|still|now|also|only|do|would|will|'ll) )*"
    r"(?:want|need|wish|like|demand|expect|require|request|insist|ask|hope|prefer|must|have to)\b"
    r"|\b(?:when|how long|how much|where) (?:i|we|it|my|the)\b|\bgoing to need\b"
    r"|\b(?:and|still|also) (?:expect|want|need|demand)\b|\bplease\b|\bkindly\b"
    r"|\bi am (?:trying|looking|asking|wondering|curious|interested|seeking|after)\b"
    r"|\b(?:tell|let|inform|advise|show|help|assist|give|get|refund|reimburse|pay|send|check) me\b"
    r"|\b(?:assistance|seeking|looking for|needed|help with|(?:want|wanted|need|trying|wish|like|help) to)\b"
    r"|\bno longer want\b"
)
_IMPERATIVE = re.compile(
    r"^(?:(?:just|ok|okay|then|so|and|now|yes|no|also)[, ]+)*(?:cancel|stop|refund|return|check|track|change|close|"
    r"delete|exchange|replace|remove|modify|update|send|give|tell|show|find|have|swap|erase|call|make|deactivate|"
    r"approve|process|issue|grant|arrange|repair|fix|deliver|ship|terminate|want|need)\b"
    r"(?! (?:is|was|were|has|had|will|did|initiated|requested|done|of|not)\b)"
)
_CLAUSE = re.compile(r"\b(?:i|we|you|he|she|they|it|this|that|there|is|are|was|were|has|had|did|does|do)\b")
FRAGMENT_WORDS = 7


@dataclass(frozen=True, slots=True)
class Sentence:
    """One folded sentence. `asks` says that it is a question or a request by its words, `marked` that it has a mark."""

    text: str
    asks: bool
    marked: bool = False


def fold(text: str) -> str:
    """Return a copy to match on: compatibility forms, lower case, plain quotes, short forms written out."""
    folded = unicodedata.normalize("NFKC", text).lower().translate(_APOSTROPHES)
    folded = " ".join(_REPEATED.sub(r"\1\1", token) for token in folded.split() if _is_word(token))
    for pattern, replacement in _EXPANSIONS:
        folded = pattern.sub(replacement, folded)
    return correct_spelling(folded)


def _is_word(token: str) -> bool:
    return len(token) <= _TOKEN_LIMIT and not _ADDRESS.search(token)


def sentences(message: str) -> tuple[Sentence, ...]:
    """Cut a message into folded sentences in their order; quoted lines and what is beyond the limits are left out."""
    cut = _CUT.split(_QUOTED.sub("", message[:MESSAGE_LIMIT]))
    folded = (fold(piece) for piece in cut[:SENTENCES_LIMIT])
    return tuple(Sentence(text, asks(text), "?" in text) for text in folded if any(letter.isalpha() for letter in text))


def asks(folded: str) -> bool:
    """Say whether a folded sentence is a question or a request by its own words."""
    return bool(_ASKS.search(folded) or _IMPERATIVE.match(folded))


def is_catchword(folded: str) -> bool:
    """Say whether a folded sentence is a bare topic, as typed into a search box: a few words that make no clause."""
    return len(folded.split()) <= FRAGMENT_WORDS and not _CLAUSE.search(folded)


# The words that topics hang on; a token one slip away from one of them is read as it.
_SPELLED = frozenset(
    word
    for line in (
        "refund refunds refunded return returns returned warranty warranties guarantee guaranteed delivery",
        "deliver delivered deliveries cancel cancelled cancellation exchange exchanged shipping shipment shipped",
        "deposit subscription account appointment received receive replacement compensation reimbursement",
        "reimbursed reimburse payment payments discount package parcel purchase arrive arrived address membership",
        "instalment invoice product products booking reservation repair repaired process policy methods accepted",
        "terminate penalty charges charged money track tracking arriving estimated international expected",
        "complaint courier",
    )
    for word in line.split()
)
# Real words one letter away from a word above.
_OTHER_WORDS = frozenset(
    word
    for line in (
        "shopping stopping skipped retire returning refuse refused counter country county charger changed changes",
        "chances looking cooking receiver recent purchased purchases arrives arrival packages parcels accounts",
        "deposits dismount produces repairs prepaid monkey honey accepting excepted accented tracks trucking",
        "crack chargers recharged processed cancels exchanges policies police packaged method discounts booked",
        "canceled reserved subscriptions addressed dresses tricking cracking",
    )
    for word in line.split()
)
_TOKEN = re.compile(r"[a-z]{5,}")


def correct_spelling(folded: str) -> str:
    """Return the text with each near miss of a topic word replaced by it; two slips are forgiven in long words."""
    return _TOKEN.sub(lambda token: _spelled(token[0]), folded)


@lru_cache(maxsize=8192)
def _spelled(token: str) -> str:
    if token in _SPELLED or token in _OTHER_WORDS:
        return token
    slips = 2 if len(token) >= 10 else 1
    near = [word for word in _SPELLED if word[0] == token[0] and _distance_within(token, word, slips)]
    return min(near, key=lambda word: (_distance(token, word), word)) if near else token


def _distance_within(first: str, second: str, slips: int) -> bool:
    return abs(len(first) - len(second)) <= slips and _distance(first, second) <= slips


@lru_cache(maxsize=8192)
def _distance(first: str, second: str) -> int:
    """Return the number of letters to insert, delete, replace or swap with a neighbour."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, start=1):
        above, row = row, [i]
        for j, other in enumerate(second, start=1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = above
    return row[-1]
