"""Cut a sentence into clauses at marks and conjunctions, and drop what only introduces a statement."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from drafts.decisions.claims.lexicon import AUXILIARIES, DETERMINERS, US_PRONOUNS, is_adverb, words
from drafts.decisions.claims.tokens import Kind, Token

COORDINATORS = words("and but or so then plus yet")
CONDITIONS = words("if unless whether provided assuming supposing should were had")
WHEN = words("once when whenever after before until till upon")
REASONS = words("because since as while although though whereas where given")
RELATIVES = words("who which that whose what why how")
_ALSO_PREPOSITIONS = words("before after until upon till given provided")
_OPENERS = COORDINATORS | (CONDITIONS - {"should", "were", "had"}) | WHEN | REASONS | RELATIVES
_REPORTING = words(
    "confirm confirms confirmed see sees show shows showed verified verify found find note noted notes appears seems "
    "indicate indicates "
    "indicated states stated say says said ensure sure assure believe understand understood aware checked realized "
    "informed told mean "
    "means know advise advised report reports certain glad happy sorry afraid hope think possible likely reveals "
    "reveal assume"
)
_PRONOUNS = US_PRONOUNS | words("you they it he she there nobody someone")
_MARKS = frozenset({",", ";", ":", "(", ")", "[", "]", "\u2014", "-", "|", "/", "\u2022", ">", "\u2026"})
_FILLERS = (
    ("rest", "assured"),
    ("please", "rest", "assured"),
    ("please", "note"),
    ("please", "be", "advised"),
    ("please", "be", "assured"),
    ("kindly", "note"),
    ("note",),
    ("please", "know"),
    ("good", "news"),
    ("great", "news"),
    ("of", "course"),
    ("for", "sure"),
    ("as", "promised"),
    ("as", "discussed"),
    ("in", "the", "meantime"),
    ("by", "now"),
    ("as", "of", "now"),
    ("at", "this", "time"),
    ("at", "the", "moment"),
    ("at", "present"),
    ("so", "far"),
    ("to", "confirm"),
    ("no", "worries"),
    ("no", "problem"),
)
_FILLERS_BY_WORD = {first: tuple(f for f in _FILLERS if f[0] == first) for first in {f[0] for f in _FILLERS}}
_BELONGS_TO_SUBJECT = frozenset({"no", "all", "both", "each", "please"})
_GREETINGS = words("ok okay sure yes hi hello so and but")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: the word that opened it, the mark before it, and the tokens that are left to read."""

    opener: str
    mark: str
    tokens: tuple[Token, ...]
    index: int = 0
    trail: tuple[str, ...] = field(default=())


def split(tokens: Sequence[Token]) -> tuple[Clause, ...]:
    """Return the clauses of a sentence in order, empty ones left out."""
    clauses: list[Clause] = []
    held: list[Token] = []
    opener, mark = "", ""
    trail: tuple[str, ...] = ()

    def close() -> None:
        nonlocal held
        if held:
            clauses.append(Clause(opener, mark, tuple(held), len(clauses), trail))
        held = []

    for at, token in enumerate(tokens):
        if token.kind is Kind.MARK and token.low in _MARKS:
            close()
            opener, mark, trail = "", token.low, ()
        elif _opens(tokens, at, held):
            trail = (*trail, opener) if opener and not held else ()
            close()
            opener = "once" if _soon_as(tokens, at) else token.low
            mark = mark if at and tokens[at - 1].low == mark else ""
        elif _fresh_subject(tokens, at, held):
            close()
            opener, mark, trail = "", "", ()
            held.append(token)
        else:
            held.append(token)
    close()
    return tuple(clauses)


def _opens(tokens: Sequence[Token], at: int, held: Sequence[Token]) -> bool:
    """Say whether a conjunction begins a clause here; the first words of a sentence always do, “that” never."""
    word = tokens[at].low
    if tokens[at].kind is not Kind.WORD or word not in _OPENERS:
        return False
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if word == "that":
        return bool(held) and (following in DETERMINERS | _PRONOUNS or _that_reports(tokens, at))
    if not held or following in _PRONOUNS:
        return word != "yet"
    if word == "as":
        return _soon_as(tokens, at) or (following in DETERMINERS and _verb_ahead(tokens, at + 1))
    if word in _ALSO_PREPOSITIONS:
        return following.endswith("ing") or _verb_ahead(tokens, at + 1)
    return word not in {"then", "yet"} and not (word == "once" and following in {"", "more", "again"})


def _that_reports(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at - 1].low in _REPORTING or _verb_follows(tokens, at) or _names(tokens, at + 1)


def _soon_as(tokens: Sequence[Token], at: int) -> bool:
    """Say whether “as soon as” begins here and names an event, not a manner."""
    return [token.low for token in tokens[at : at + 3]] in [
        ["as", "soon", "as"],
        ["as", "quickly", "as"],
        ["as", "long", "as"],
    ]


def _verb_follows(tokens: Sequence[Token], at: int) -> bool:
    after = at + 1
    while after < len(tokens) and is_adverb(tokens[after].low):
        after += 1
    return after < len(tokens) and tokens[after].low in AUXILIARIES


def _names(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].text[:1].isupper()


def _verb_ahead(tokens: Sequence[Token], at: int) -> bool:
    """Say whether an auxiliary stands in the few tokens after, before the next mark."""
    for token in tokens[at : at + 8]:
        if token.kind is Kind.MARK:
            return False
        if token.low in AUXILIARIES:
            return True
    return False


def _fresh_subject(tokens: Sequence[Token], at: int, held: Sequence[Token]) -> bool:
    """Say whether a pronoun in mid-clause starts another statement: “… details I will check”, “days we cannot”."""
    if (
        not held
        or tokens[at].low not in {"i", "we", "they", "you", "he", "she", "there"}
        or not _verb_follows(tokens, at)
    ):
        return False
    if tokens[at - 1].low in {"everything", "all", "whatever", "anything", "best"}:
        return False
    return tokens[at - 1].low not in COORDINATORS


def unfilled(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return a clause without the words that only introduce it: “rest assured”, “please note”, adverbs, greetings."""
    start = 0
    while start < len(tokens) and (length := _filler_at(tokens, start)):
        start += length
    return tuple(tokens[start:])


def _filler_at(tokens: Sequence[Token], start: int) -> int:
    """Return how many tokens at this place only introduce what follows."""
    first = tokens[start]
    for filler in _FILLERS_BY_WORD.get(first.low, ()):
        if tuple(token.low for token in tokens[start : start + len(filler)]) == filler:
            return len(filler)
    adverb = first.kind is Kind.WORD and is_adverb(first.low) and first.low not in _BELONGS_TO_SUBJECT
    return int(adverb or (first.low in _GREETINGS and start + 1 < len(tokens)))
