"""Who promises: we ourselves, or somebody else whose time is not ours."""

import re

US = ""
_SOMEBODY = re.compile(
    r"\b(?P<bank>(?:your |the |issuing |their )?banks?|card issuers?|card compan(?:y|ies)|payment (?:provider|gateway|processor)s?"
    r"|financial institutions?)\b"
    r"|\b(?P<courier>couriers?|carriers?|drivers?|delivery (?:partner|associate|agent|executive|person|personnel|boy|team|driver)s?"
    r"|logistics (?:partner|team|department)|transporter|postal service)\b"
    r"|\b(?P<seller>sellers?|vendors?|merchants?|suppliers?|manufacturers?|brand|service cent(?:er|re)s?|third[- ]part(?:y|ies)"
    r"|airlines?|hotels?|insurers?)\b"
    r"|\b(?P<team>(?:(?:an?|the|our|your|this|that|these|their|dedicated|relevant|concerned|specialized|specialised|senior|internal) )*"
    r"(?P<name>(?:[a-z]+(?: [a-z]+)? )?)(?:team|department|dept|desk|unit|division|office|centre|center)s?)\b"
    r"|\b(?P<person>supervisors?|managers?|specialists?|investigators?|technicians?|experts?|colleagues?|executives?)\b"
)
_ARTICLES = re.compile(
    r"\b(?:a|an|the|our|your|this|that|these|their|dedicated|relevant|concerned|appropriate|we|i|and|to|from|with|by|of)\b"
)
_WE = re.compile(r"\b(?:i|we|us|me|myself|ourselves|i'll|we'll)\b")
_THEY = re.compile(r"\b(?:they|them|he|she)\b")


def party_in(phrase: str) -> str | None:
    """Return the other party that a phrase names, None where it names none; a plain “our team” is none."""
    match = _SOMEBODY.search(phrase)
    if match is None:
        return None
    if match["team"]:
        name = " ".join(_ARTICLES.sub(" ", match["name"] or "").split())
        return name or None if name not in {"support", "service", "customer support", "customer service"} else None
    return match["person"] or next(kind for kind in ("bank", "courier", "seller") if match[kind])


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
