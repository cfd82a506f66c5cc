"""Who promises: we ourselves, or somebody else whose time is not ours."""

import re

from drafts.decisions.claims.lexicon import words

US = ""
OUTSIDE = ("bank", "courier", "seller")
_SOMEBODY = re.compile(
    r"\b(?P<bank>(?:your |the |issuing |their )?banks?|card issuers?|card compan(?:y|ies)"
    r"|payment (?:provider|gateway|processor)s?|financial institutions?)\b"
    r"|\b(?P<courier>couriers?|carriers?|drivers?|transporter|postal service|logistics (?:partner|team|department)"
    r"|delivery (?:partner|associate|agent|executive|person|personnel|boy|team|driver)s?)\b"
    r"|\b(?P<seller>sellers?|vendors?|merchants?|suppliers?|manufacturers?|brand|service cent(?:er|re)s?"
    r"|third[- ]part(?:y|ies)|airlines?|hotels?|insurers?)\b"
    r"|\b(?P<team>(?P<name>(?:[a-z]+ ){0,3})(?:team|department|dept|desk|division)s?)\b"
    r"|\b(?P<person>supervisors?|managers?|specialists?|investigators?|experts?|colleagues?|executives?)\b"
)
_NO_NAME = words(
    "a an the our your this that these those their his her its and to from with by of for on in as we i us it is are "
    "will has have dedicated relevant concerned appropriate specialized specialised senior internal support service "
    "customer care same another entire whole"
)
_WE = re.compile(r"\b(?:i|we|us|me|myself|ourselves|i'll|we'll)\b")
_THEY = re.compile(r"\b(?:they|them|he|she)\b")


def party_in(phrase: str) -> str | None:
    """Return the other party that a phrase names, None where it names none; a plain “our team” is none."""
    match = _SOMEBODY.search(phrase)
    if match is None:
        return None
    if match["team"]:
        return " ".join(word for word in match["name"].split() if word not in _NO_NAME) or None
    return match["person"] or next(kind for kind in OUTSIDE if match[kind])


def without_parties(phrase: str) -> str:
    """Return a phrase with the names of other parties taken out, which tell nothing about the matter."""
    return _SOMEBODY.sub("somebody", phrase)


def is_us(phrase: str) -> bool:
    """Say whether a phrase speaks of ourselves in the first person."""
    return _WE.search(phrase) is not None


def is_they(phrase: str) -> bool:
    """Say whether a phrase points at somebody named before."""
    return _THEY.search(phrase) is not None


def last_party(text: str) -> str | None:
    """Return the other party that a text names last."""
    named = [name for match in _SOMEBODY.finditer(text) if (name := party_in(match[0]))]
    return named[-1] if named else None


def may_be_same(one: str, other: str) -> bool:
    """Say whether two parties may be the same; names that share a word are."""
    return one == other or bool(set(one.split()) & set(other.split()))
