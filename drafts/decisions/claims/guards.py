"""What makes a statement no claim: a question, a condition, an instruction, an offer, the customer's own act."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from drafts.decisions.claims.clauses import COORDINATORS, WHEN, Clause
from drafts.decisions.claims.forms import Form, Group
from drafts.decisions.claims.lexicon import AUXILIARIES, words
from drafts.decisions.claims.subjects import Subject, Who
from drafts.decisions.claims.tokens import Kind, Sentence, Token


class Guard(StrEnum):
    """The reasons why a statement is no claim, in the order in which they are looked for."""

    QUESTION = "question"
    CONDITION = "inside a condition"
    CONDITIONAL = "hangs on a condition"
    REPORTED = "told by somebody else"
    PURPOSE = "what something is for"
    CUSTOMERS_ACT = "the customer's own act"


@dataclass(frozen=True, slots=True)
class Scope:
    """By clause index: what is asked, what is a condition, what hangs on one, and what is reported."""

    asked: frozenset[int] = frozenset()
    conditions: frozenset[int] = frozenset()
    hanging: frozenset[int] = frozenset()
    waiting: frozenset[int] = frozenset()
    reported: frozenset[int] = frozenset()
    purposes: frozenset[int] = frozenset()


_ASKING = words(
    "is are am was were do does did can could would will shall may might have has had should what when where which "
    "how who why"
)
_ASKS_WHETHER = words("see check know confirm verify determine wonder ask out sure tell clarify whether establish")
_IF = frozenset({"if", "unless", "provided", "assuming", "supposing"})
_EMPTY_IF = re.compile(
    r"(?:at all |ever )?(?:possible|needed|necessary|required|any|so|not|applicable|available|desired|preferred)"
)
_IMPERATIVES = words(
    "please kindly simply send reply confirm provide share tell let click visit go log contact call check follow "
    "upload attach choose "
    "select give bring return ship email write open enter respond keep make fill sign pay take use download reach "
    "submit say type "
    "allow update add cancel press leave hold wait try ask look feel"
)
_CUSTOMER_MUST = re.compile(
    r"^(?:soon as |long as |quickly as )?you\b|^(?:soon as )?your (?:bank|reply|response|confirmation|approval"
    r"|payment|permission|answer|details|photos?)\b"
    r"|\b(?:arrives?|arrived|(?:is|are|have|has been|been) (?:received|returned|delivered|back|sent back|confirmed"
    r"|provided))\b"
    r"|\b(?:we|i)(?: have| 've)? (?:have |get |got )?(?:received?|hear|confirmation|this|that|these|those|it|the "
    r"(?:item|parcel|photos?|details|information|unit|id))\b"
)
_TOLD = re.compile(
    r"\b(?:you|your (?:e-?mail|message|letter|note|review)|he|she|they|customer)(?: \w+){0,2} "
    r"(?:said|wrote|mentioned|say|mention|told|believe|think|thought|claim|claimed|state|stated|asked|expected|heard"
    r"|hoped|hope|feel|report|reported|noted|described|indicated)\b"
    r"|\b(?:you|i|we) (?:were|was|been|are) (?:told|promised|informed|advised|assured|under the impression)\b"
    r"|\b(?:not|n't|never) (?:true|correct|accurate|the case)\b"
    r"|\bthank(?:s| you) for (?:letting us know|telling us|informing us|confirming|reporting|the update)\b|\b(?:glad"
    r"|happy|sorry|pleased) to hear\b"
    r"|\bas you (?:put it|say|said|mentioned|noted|described)\b|^you (?:mean|want|wish|need|would like|prefer)\b"
    r"|\b(?:understand|gather|assume|hope(?! to)|suspect|guess|believe|wonder|imagine)\b"
)

_UNCERTAIN = re.compile(
    r"\b(?:possible|impossible|likely|unlikely|perhaps|maybe|(?:could|may|might) be|no guarantee|not (?:\w+ "
    r")?(?:certain|sure|clear"
    r"|guaranteed|known|true|correct))\Z"
    r"|\bnot (?:\w+ly )?(?:promise|guarantee|say|know|tell|predict|think|expect|confirm)(?: you)?\Z"
)


def scope_of(clauses: Sequence[Clause], sentence: Sentence) -> Scope:
    """Work out over which clauses of a sentence its questions, conditions and reports reach."""
    conditions = {clause.index for clause in clauses if _is_condition(clause)}
    hanging = _after_instruction(clauses)
    waiting: set[int] = set()
    for index in conditions:
        reach = waiting if clauses[index].opener in WHEN else hanging
        reach.update(_hanging_on(clauses, index))
    return Scope(
        asked=frozenset(_asked(clauses, sentence)),
        conditions=frozenset(conditions),
        hanging=frozenset(hanging - conditions),
        waiting=frozenset(waiting - conditions),
        reported=frozenset(_reported(clauses)),
        purposes=frozenset(_purposes(clauses)),
    )


def guard_of(clause: Clause, *, subject: Subject, group: Group, scope: Scope, before: Sequence[Token]) -> Guard | None:
    """Return the first guard that holds for a statement; a condition does not undo what has happened already."""
    at, happened = clause.index, group.form in {Form.PERFECT, Form.PAST, Form.PROGRESS, Form.PAST_STATE}
    waits = at in scope.waiting and group.form is not Form.STATE
    guards = (
        (Guard.QUESTION, at in scope.asked),
        (Guard.CONDITION, at in scope.conditions),
        (Guard.REPORTED, at in scope.reported),
        (Guard.PURPOSE, at in scope.purposes or _is_purpose(before, group)),
        (Guard.CONDITIONAL, not happened and (at in scope.hanging or waits)),
        (
            Guard.CUSTOMERS_ACT,
            subject.who is Who.CUSTOMER and not group.passive and (happened or group.form is Form.NEED),
        ),
    )
    return next((guard for guard, holds in guards if holds), None)


def _purposes(clauses: Sequence[Clause]) -> set[int]:
    """Return embedded questions, and what follows “to ensure that”."""
    found = {clause.index for clause in clauses if clause.opener in {"why", "how", "what", "whose", "where"}}
    for clause in clauses[1:]:
        if (
            clause.opener == "that"
            and _words(clauses[clause.index - 1].tokens).endswith(
                ("ensure", "make sure", "making sure", "ensuring", "so")
            )
        ) or (clause.opener in {"and", "or"} and clause.index - 1 in found and clause.tokens[0].low not in {"i", "we"}):
            found.add(clause.index)
    return found


def _is_purpose(before: Sequence[Token], group: Group) -> bool:
    """Say whether a state stands after “to ensure” in its own clause."""
    if group.form not in {Form.STATE, Form.PROGRESS, Form.PRESENT, Form.PERFECT}:
        return False
    lows = [token.low for token in before]
    return any(
        low in {"ensure", "ensuring"} or (low == "sure" and at and lows[at - 1] in {"make", "making"})
        for at, low in enumerate(lows)
    )


def _words(tokens: Sequence[Token]) -> str:
    return " ".join(token.low for token in tokens)


def _is_condition(clause: Clause) -> bool:
    said = _words(clause.tokens)
    if clause.opener in _IF or clause.opener == "whether":
        return not _EMPTY_IF.fullmatch(said)
    if clause.opener in WHEN:
        return True
    return _is_inverted(clause, said) or bool(
        re.match(r"in (?:the )?(?:case|event)\b|in the unlikely event\b|depending on\b", said)
    )


def _is_inverted(clause: Clause, said: str) -> bool:
    return clause.opener in {"", "and", "but", "so"} and bool(
        re.match(r"(?:should|were|had) (?:you|it|they|we|the|this|that|your|any|anything|there)\b", said)
    )


def _hanging_on(clauses: Sequence[Clause], index: int) -> set[int]:
    """Return the clauses that hang on a condition: the sentence, or what follows “and if”; marks like ; stop it."""
    condition = clauses[index]
    if condition.opener == "whether" or (
        condition.opener == "if" and index and clauses[index - 1].tokens[-1].low in _ASKS_WHETHER
    ):
        return set()
    leading = index == 0 or all(len(clause.tokens) <= 2 for clause in clauses[:index])
    started = bool(COORDINATORS & set(condition.trail)) or (index > 0 and clauses[index].mark in {";", ":", "\u2014"})
    soft = condition.opener in WHEN and not _CUSTOMER_MUST.search(_words(condition.tokens))
    if soft and not leading:
        return set()
    first = index if leading or started else 0
    return set(range(_stretch_start(clauses, first, index), _stretch_end(clauses, index)))


def _stretch_start(clauses: Sequence[Clause], first: int, index: int) -> int:
    for at in range(index, first, -1):
        if clauses[at].mark in {";", "\u2022"}:
            return at
    return first


def _stretch_end(clauses: Sequence[Clause], index: int) -> int:
    for at in range(index + 1, len(clauses)):
        if clauses[at].mark in {";", "\u2022"}:
            return at
    return len(clauses)


_NO_INSTRUCTIONS = words("let_me let_us please_allow please_note please_rest please_be")


def _after_instruction(clauses: Sequence[Clause]) -> set[int]:
    """“Send us a photo and we will refund you” hangs on the photo."""
    for clause in clauses:
        first = clause.tokens[0].low
        tells = first in _IMPERATIVES and _words(clause.tokens[:2]) not in _NO_INSTRUCTIONS
        if tells and (first != "let" or _words(clause.tokens[:3]) in {"let me know", "let us know"}):
            return {
                later.index
                for later in clauses[clause.index + 1 :]
                if later.opener in {"and", "so", "then"} or _promises(later)
            }
    return set()


def _promises(clause: Clause) -> bool:
    return not clause.opener and any(token.low == "will" for token in clause.tokens)


def _asked(clauses: Sequence[Clause], sentence: Sentence) -> set[int]:
    if not sentence.is_question:
        return set()
    for clause in clauses:
        if _inverts(clause) and clause.index:
            return set(range(clause.index, len(clauses)))
    return set(range(len(clauses)))


def _inverts(clause: Clause) -> bool:
    low = clause.tokens[0].low
    return (
        clause.mark in {",", ";", "\u2014", "-", ":"}
        and low in _ASKING
        and len(clause.tokens) > 1
        and clause.tokens[1].low not in AUXILIARIES
    )


def _starts_afresh(clause: Clause) -> bool:
    if clause.mark in {";", ".", "\u2014"} or clause.opener in {"but", "so"}:
        return True
    return (clause.mark == "," and clause.opener in {"", "and"}) or (
        clause.opener == "and" and clause.tokens[0].low in {"i", "we"}
    )


def _reported(clauses: Sequence[Clause]) -> set[int]:
    """Return the clauses after “you said”, “thanks for letting us know”, up to a fresh start."""
    reported: set[int] = set()
    active = False
    for clause in clauses:
        if active and _starts_afresh(clause):
            active = False
        if active:
            reported.add(clause.index)
        said = _words([token for token in clause.tokens if token.kind is Kind.WORD])
        if _TOLD.search(said):
            active = True
            reported.add(clause.index)
        active = active or bool(_UNCERTAIN.search(said))
    return reported
