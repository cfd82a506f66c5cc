"""Statements without a verb group, and idioms: “Status: shipped”, “Refund issued”, “I'm on it”, “let me check”."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.decisions.claims.actions import announces_a_step
from drafts.decisions.claims.lexicon import CASE_NOUNS, NOT_PARTICIPLES, WORK_STATES, is_participle, words
from drafts.decisions.claims.tokens import Kind, Sentence, Token
from drafts.decisions.vocabulary import ClaimClass


@dataclass(frozen=True, slots=True)
class Fragment:
    """A stretch of a sentence that claims something by its wording alone."""

    rule: str
    cls: ClaimClass
    sub: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Idiom:
    """One fixed wording. Samples as in `Rule`."""

    id: str
    cls: ClaimClass
    sub: str | None
    pattern: re.Pattern[str]
    failing: tuple[str, ...]
    good: tuple[str, ...]


def _idiom(
    id_: str, cls: ClaimClass, sub: str | None, pattern: str, *, failing: tuple[str, ...], good: tuple[str, ...]
) -> Idiom:
    return Idiom(id_, cls, sub, re.compile(rf"(?:^|(?<= ))(?:{pattern})(?= |$)"), failing, good)


_YOURS = r"(?:your|this|the|our) (?:\w+ ){0,3}"
IDIOMS = (
    _idiom(
        "idiom.on_it",
        ClaimClass.STATUS,
        "progress",
        r"(?:i|we|our team|the team) (?:am|are|is) (?:already |now )?on (?:it|the case|to it|top of (?:it|this))(?: "
        r"now| already)?$|(?:help|someone|a technician|an engineer) is on the way"
        r"|the ball is rolling|(?:it|this|that) is in (?:good hands|the works|hand)",
        failing=("[We are on it].", "[Help is on the way]."),
        good=("It depends on it being new.",),
    ),
    _idiom(
        "idiom.all_set",
        ClaimClass.STATUS,
        "done",
        r"(?:you|everything|it|that|this) (?:are|is) (?:now |all |already )*(?:all set|all done|sorted|taken care of"
        r"|good to go)|consider it done|all (?:done|sorted)$|(?:it|that) is done$",
        failing=("[You are all set].", "[Consider it done]."),
        good=("All set menus cost 20 EUR.",),
    ),
    _idiom(
        "idiom.status_word",
        ClaimClass.STATUS,
        "record",
        r"(?:waiting (?:on|for) (?:our|the|a) \w+(?: \w+){0,3}|pending (?:\w+ ){0,2}(?:approval|review|verification"
        r"|confirmation)|under (?:review|investigation)|awaiting (?:\w+ ){1,3}\w+)$",
        failing=("[Waiting on the vendor]",),
        good=("Waiting is no fun.",),
    ),
    _idiom(
        "idiom.leave_it",
        ClaimClass.ACTION,
        "process",
        r"leave (?:it|this|that) (?:with|to) (?:me|us)|(?:i|we) have got (?:you covered|this)|(?:more|update|updates"
        r"|details|news) to follow|(?:please )?expect (?:a|an|our|the|to) (?:\w+ ){0,3}?(?:call|e-?mail|update|reply"
        r"|hear|message|answer|visit|delivery|refund)(?: \w+){0,6}"
        r"|look out for (?:a|an|our) (?:e-?mail|call|message)(?: \w+){0,4}|next update",
        failing=("[Leave it with me].", "[Expect a call from our fitter]."),
        good=("Leave the parcel at the door.",),
    ),
    _idiom(
        "idiom.right_back",
        ClaimClass.ACTION,
        "immediate",
        r"i will be right back|^right back|one (?:moment|minute|second) while (?:i|we) \w+(?: \w+){0,8}|(?:hold"
        r"|hang) on while (?:i|we) \w+(?: \w+){0,8}",
        failing=("[One moment while I pull that up]",),
        good=("Turn right back there.",),
    ),
)
_STATUS_LABEL = re.compile(r"(?:[\w#-]+ ){0,3}(?:status|stage|current state|tracking status|current status|progress)")
_ROOT = re.compile(r"\b(?:status|state|stage|progress)\b")
_WAITING = words("hold hang wait moment moments minute minutes second bear stay allow give tight patient")
NOT_STEPS_AHEAD = words("am are have had was were do did can could will understand appreciate cannot")
_COURTESY = frozenset({"thank", "thanks"})


def fragments(sentence: Sentence) -> Iterator[Fragment]:
    """Yield the claims that the wording of a sentence makes without a verb group of its own."""
    if sentence.is_question:
        return
    tokens = [token for token in sentence.tokens if token.kind is not Kind.MARK or token.low in {":", ","}]
    while tokens and tokens[0].low in {",", ":"}:
        tokens.pop(0)
    if not tokens or any(token.low in {"if", "unless", "should"} for token in tokens[:12]):
        return
    yield from _announced(tokens)
    yield from _labelled(tokens)
    yield from _bare_participle(tokens)
    yield from _idioms(tokens)


def _announced(tokens: list[Token]) -> Iterator[Fragment]:
    yield from _while_i(tokens)
    for at, token in enumerate(tokens):
        starts = (
            at == 0
            or tokens[at - 1].low in {",", ":", "and", "then", "please", "okay", "sure", "so", "but"}
            or tokens[at - 1].kind is not Kind.WORD
        )
        if token.low not in {"let", "allow", "give", "grant", "bear"} or not (
            starts or tokens[at - 1].low.endswith("ly")
        ):
            continue
        stretch = tokens[at : at + 60]
        if "," in [t.low for t in stretch]:
            stretch = stretch[: [t.low for t in stretch].index(",")]
        words = tuple("x" if t.kind is not Kind.WORD else t.low for t in stretch)
        if announces_a_step(
            tuple(
                "a" if t.low.startswith(("a moment", "a few", "just a", "one ")) else w
                for t, w in zip(stretch, words, strict=True)
            )
        ):
            yield Fragment("action.let_me", ClaimClass.ACTION, "immediate", token.start, stretch[-1].end)


def _while_i(tokens: list[Token]) -> Iterator[Fragment]:
    """“Please hold while I check that”: the waiting is asked for, the step is announced."""
    lows = [token.low for token in tokens]
    for at in range(1, len(tokens) - 2):
        waits = lows[at] in {"while", "whilst"} and lows[at + 1] in {"i", "we"} and _WAITING & set(lows[:at])
        if waits and lows[at + 2].isalpha() and lows[at + 2] not in NOT_STEPS_AHEAD:
            yield Fragment("action.while_i", ClaimClass.ACTION, "immediate", tokens[at + 1].start, tokens[-1].end)
            return


def _labelled(tokens: list[Token]) -> Iterator[Fragment]:
    """“Status: shipped”, “Refund: processed”."""
    lows = [token.low for token in tokens]
    if ":" not in lows[1:6]:
        return
    colon = lows.index(":", 1)
    label, value = " ".join(lows[:colon]), [low for low in lows[colon + 1 :] if low not in {":", ","}]
    if not value or len(value) > 8:
        return
    names_status = bool(_STATUS_LABEL.fullmatch(label))
    states = (
        value[0] in WORK_STATES
        or (is_participle(value[0]) and value[0] not in {"united", "used", "limited"})
        or value[0] in {"in", "under", "out", "on", "with", "not"}
    )
    if (names_status and not {"will", "if"} & set(value)) or (
        tokens[0].low in CASE_NOUNS and states and len(value) <= 6
    ):
        done = lows[colon + 1] not in WORK_STATES and is_participle(value[0]) and not names_status
        yield Fragment(
            "fragment.label", ClaimClass.STATUS, "done" if done else "record", tokens[0].start, tokens[-1].end
        )


def _bare_participle(tokens: list[Token]) -> Iterator[Fragment]:
    """“Refund issued on 3 March”, “Ticket M-2847 created”: a case noun, perhaps a number, and a participle."""
    first = tokens[0]
    several = first.low.endswith("s") and not first.low.endswith("ss")
    if len(tokens) > (3 if several else 10) or first.low not in CASE_NOUNS or not first.text[:1].isupper():
        return
    for at in (1, 2, 3):
        if at >= len(tokens) or not is_participle(tokens[at].low) or tokens[at].low in NOT_PARTICIPLES:
            continue
        between = tokens[1:at]
        numbered = between and all(
            t.low in CASE_NOUNS or any(c.isdecimal() for c in t.low) or t.low == "#" for t in between
        )
        if numbered or (not between and _HAS_A_VERB.isdisjoint(token.low for token in tokens)):
            yield Fragment("fragment.participle", ClaimClass.STATUS, "done", first.start, tokens[-1].end)
        return


_HAS_A_VERB = words("will is are can must may should was were by within have has")


def _idioms(tokens: list[Token]) -> Iterator[Fragment]:
    text, places = "", []
    for token in tokens:
        if token.low in {",", ":"}:
            continue
        text += (" " if text else "") + token.low
        places.append((len(text) - len(token.low), token))
    for idiom in IDIOMS:
        match = idiom.pattern.search(text)
        if match and not _COURTESY & {text.split(" ", 1)[0]}:
            inside = [token for place, token in places if match.start() <= place < match.end()]
            yield Fragment(idiom.id, idiom.cls, idiom.sub, inside[0].start, inside[-1].end)
