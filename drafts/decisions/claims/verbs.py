"""Find the finite verb groups of a clause: what tense and mood it has, which verb carries it, whether it is denied."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from drafts.decisions.claims.lexicon import AUXILIARIES, CASE_NOUNS, DETERMINERS, NEGATIONS, base_of, is_adverb, is_participle, is_past, is_progressive
from drafts.decisions.claims.tokens import Kind, Token


class Form(StrEnum):
    """What a finite verb group says about time and mood."""

    FUTURE = "future"
    SOFT = "soft"
    PROGRESS = "progress"
    PERFECT = "perfect"
    PAST = "past"
    PAST_STATE = "past state"
    STATE = "state"
    PRESENT = "present"
    MODAL = "modal"
    NEED = "need"


@dataclass(frozen=True, slots=True)
class Group:
    """One verb group by token positions: `verb` at `at` carries the meaning, `end` is the first position after it."""

    form: Form
    verb: str
    start: int
    at: int
    end: int
    passive: bool = False
    negated: bool = False
    modal: str = ""


_BE = frozenset({"am", "is", "are"})
_HAVE = frozenset({"have", "has", "had"})
_MODALS = frozenset({"can", "could", "may", "might", "would", "must"})
_BOUND_TO = frozenset({"going", "about", "due", "set", "scheduled", "expected", "planned", "likely", "bound", "planning", "hoping", "aiming", "intending"})
_INTENDS = frozenset({"aim", "hope", "plan", "expect", "intend", "expects", "plans", "aims", "intends", "hopes", "promise", "promises", "undertake"})
_HOLDS = frozenset({"remain", "remains", "sits", "stands", "stays", "awaits", "await"})
_SUBJECT_PRONOUNS = frozenset({"i", "we", "you", "they", "he", "she", "it", "this", "that", "nobody", "someone", "somebody", "everyone", "which", "who"})
_PLURAL_PRONOUNS = frozenset({"i", "we", "you", "they"})
_PRESENT = frozenset(
    "qualify qualifies covers cover takes take states shows says requires require needs need include includes contains contain "
    "appears appear seems deserve deserves indicate indicates suggest confirms has have ships arrives leaves comes goes meets meet belongs anticipate expect "
    "guarantee guarantees promise".split()
)
_OBJECT_STARTS = frozenset(
    "the a an your you our my it them this that these those any all to with back up in out for on him her his their its us me over "
    "further another both each every some".split()
)
_NOT_A_VERB = frozenset(
    "and or but to the a an your our my of for in on with at as by via from about into over after before if than because while "
    "any all some more directly back regarding through during until once when under up down off out us me them him her sir madam".split()
)


def groups(tokens: Sequence[Token]) -> Iterator[Group]:
    """Yield the finite verb groups of a clause from left to right."""
    at, last_end = 0, -1
    while at < len(tokens):
        group = _group_at(tokens, at)
        if group is None or (group.start == group.at and _only_describes(tokens, group, last_end)):
            at += 1
        else:
            last_end = group.end
            yield group
            at = max(group.end, at + 1)


def _only_describes(tokens: Sequence[Token], group: Group, last_end: int) -> bool:
    """Say whether a bare past form describes a noun: “the payment made by card will …”, “keep you updated”."""
    if group.form is not Form.PAST:
        return False
    seen, pronoun = last_end >= 0, _last_word_before(tokens, group.start)
    if _low(tokens, pronoun) in _SUBJECT_PRONOUNS:
        return pronoun == last_end and _low(tokens, pronoun) in {"you", "it", "this", "that"}
    later = any(token.low in AUXILIARIES for token in tokens[group.end :])
    before = tokens[group.start - 1].low
    return seen or later or before in DETERMINERS or tokens[group.start].text[:1].isupper()


def _last_word_before(tokens: Sequence[Token], at: int) -> int:
    at -= 1
    while at >= 0 and (is_adverb(_low(tokens, at)) or tokens[at].kind is Kind.TIME):
        at -= 1
    return at


def continued(tokens: Sequence[Token], previous: Group) -> Group | None:
    """Return the group that goes on after “and” without repeating its auxiliary: “… and come back to you”."""
    at, negated = _skip(tokens, 0)
    verb, following = _low(tokens, at), _low(tokens, at + 1)
    done = is_participle(verb) or is_past(verb)
    if previous.form in {Form.PERFECT, Form.PAST} and done and (previous.passive or following):
        return Group(previous.form, verb, at, at, at + 1, passive=previous.passive and following not in _OBJECT_STARTS, negated=negated)
    if previous.form is Form.PROGRESS and is_progressive(verb) and following:
        return Group(previous.form, verb, at, at, at + 1, negated=negated)
    bare = verb.isalpha() and verb not in _NOT_A_VERB | _OBJECT_STARTS | _SUBJECT_PRONOUNS and not is_progressive(verb)
    if previous.form in {Form.FUTURE, Form.SOFT} and bare and following in _OBJECT_STARTS:
        return Group(previous.form, verb, at, at, at + 1, negated=negated)
    return None


def _group_at(tokens: Sequence[Token], at: int) -> Group | None:
    word = _low(tokens, at)
    if word in {"will", "shall"}:
        return _future(tokens, at)
    if word in _BE:
        return _present_be(tokens, at)
    if word in {"was", "were"}:
        return _past_be(tokens, at)
    if word in _HAVE:
        return _have(tokens, at)
    if word in _MODALS:
        return _modal(tokens, at, Form.MODAL)
    if word in {"should", "ought"}:
        return _modal(tokens, at, Form.SOFT)
    if word in {"do", "does", "did"}:
        return _do(tokens, at)
    return _lexical(tokens, at)


def _low(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].low if 0 <= at < len(tokens) and tokens[at].kind is Kind.WORD else ""


def _skip(tokens: Sequence[Token], at: int) -> tuple[int, bool]:
    """Step over adverbs, negations and times inside a verb group; say whether it is denied."""
    negated = False
    while at < len(tokens):
        token = tokens[at]
        if token.kind is Kind.WORD and not is_adverb(token.low) and token.low not in NEGATIONS:
            break
        if token.kind in {Kind.QUOTE, Kind.MARK}:
            break
        negated = negated or (token.kind is Kind.WORD and token.low in NEGATIONS)
        at += 1
    return at, negated


def _future(tokens: Sequence[Token], start: int) -> Group | None:
    at, negated = _skip(tokens, start + 1)
    verb = _low(tokens, at)
    if not verb or verb in _NOT_A_VERB:
        return None
    if verb == "be":
        return _future_be(tokens, start, at, negated)
    if verb == "have":
        after, _ = _skip(tokens, at + 1)
        if is_participle(_low(tokens, after)) and after + 1 < len(tokens) + 1:
            done = _low(tokens, after)
            if done == "been" and is_participle(_low(tokens, after + 1)):
                return Group(Form.FUTURE, _low(tokens, after + 1), start, after + 1, after + 2, passive=True, negated=negated)
            return Group(Form.FUTURE, done, start, after, after + 1, negated=negated)
    return Group(Form.FUTURE, verb, start, at, at + 1, negated=negated)


def _future_be(tokens: Sequence[Token], start: int, at: int, negated: bool) -> Group:  # noqa: FBT001 - a private step
    after, again = _skip(tokens, at + 1)
    verb, denied = _low(tokens, after), negated or again
    if verb == "able" and _low(tokens, after + 1) == "to":
        return Group(Form.MODAL, _low(tokens, after + 2), start, after + 2, after + 3, negated=denied, modal="able")
    if is_participle(verb):
        return Group(Form.FUTURE, verb, start, after, after + 1, passive=True, negated=denied)
    if is_progressive(verb):
        return Group(Form.FUTURE, base_of(verb), start, after, after + 1, negated=denied)
    return Group(Form.FUTURE, "be", start, at, at + 1, negated=denied)


def _present_be(tokens: Sequence[Token], start: int) -> Group:
    at, negated = _skip(tokens, start + 1)
    verb = _low(tokens, at)
    if verb in _BOUND_TO and _low(tokens, at + 1) == "to":
        return _bound(tokens, start, at + 2, negated)
    if verb in {"able", "unable"} and _low(tokens, at + 1) == "to":
        denied = negated != (verb == "unable")
        return Group(Form.MODAL, _low(tokens, at + 2), start, at + 2, at + 3, negated=denied, modal="able")
    if verb == "being" and is_participle(_low(tokens, _skip(tokens, at + 1)[0])):
        after = _skip(tokens, at + 1)[0]
        return Group(Form.PROGRESS, _low(tokens, after), start, after, after + 1, passive=True, negated=negated)
    if is_progressive(verb):
        return Group(Form.PROGRESS, verb, start, at, at + 1, negated=negated)
    if is_participle(verb):
        return Group(Form.STATE, verb, start, at, at + 1, passive=True, negated=negated)
    return Group(Form.STATE, "be", start, start, start + 1, negated=negated)


def _bound(tokens: Sequence[Token], start: int, at: int, negated: bool) -> Group:  # noqa: FBT001 - a private step
    at, again = _skip(tokens, at)
    if _low(tokens, at) == "be" and is_participle(_low(tokens, _skip(tokens, at + 1)[0])):
        at = _skip(tokens, at + 1)[0]
        return Group(Form.FUTURE, _low(tokens, at), start, at, at + 1, passive=True, negated=negated or again)
    return Group(Form.FUTURE, _low(tokens, at), start, at, at + 1, negated=negated or again)


def _past_be(tokens: Sequence[Token], start: int) -> Group:
    at, negated = _skip(tokens, start + 1)
    verb = _low(tokens, at)
    if verb in {"able", "unable"} and _low(tokens, at + 1) == "to":
        denied = negated != (verb == "unable")
        return Group(Form.PAST, _low(tokens, at + 2), start, at + 2, at + 3, negated=denied, modal="able")
    if is_participle(verb):
        return Group(Form.PAST, verb, start, at, at + 1, passive=True, negated=negated)
    return Group(Form.PAST_STATE, verb or "be", start, at, at if verb else start + 1, negated=negated)


def _have(tokens: Sequence[Token], start: int) -> Group | None:
    at, negated = _skip(tokens, start + 1)
    verb = _low(tokens, at)
    if verb == "been":
        after, again = _skip(tokens, at + 1)
        inner, denied = _low(tokens, after), negated or again
        if is_progressive(inner):
            return Group(Form.PROGRESS, inner, start, after, after + 1, negated=denied)
        if is_participle(inner):
            return Group(Form.PERFECT, inner, start, after, after + 1, passive=True, negated=denied)
        return Group(Form.PERFECT, "be", start, at, at + 1, negated=denied)
    if is_participle(verb):
        return Group(Form.PERFECT, verb, start, at, at + 1, negated=negated)
    if verb == "to" and "yet" in [token.low for token in tokens[start + 1 : at]]:
        after = at + 2 if _low(tokens, at + 1) == "be" else at + 1
        return Group(Form.PERFECT, _low(tokens, after), start, after, after + 1, passive=after > at + 1, negated=True)
    if verb == "to":
        return Group(Form.NEED, _low(tokens, at + 1), start, at + 1, at + 2, negated=negated)
    return Group(Form.PRESENT, "have", start, start, start + 1, negated=negated)


def _modal(tokens: Sequence[Token], start: int, form: Form) -> Group:
    at, negated = _skip(tokens, start + 1)
    if _low(tokens, at) == "to":
        at, negated = _skip(tokens, at + 1)
    modal = tokens[start].low
    if _low(tokens, at) == "have":
        after, again = _skip(tokens, at + 1)
        if is_participle(_low(tokens, after)):
            return Group(Form.MODAL, _low(tokens, after), start, after, after + 1, negated=negated or again, modal=modal)
    if _low(tokens, at) == "be":
        after, again = _skip(tokens, at + 1)
        if is_participle(_low(tokens, after)):
            return Group(form, _low(tokens, after), start, after, after + 1, passive=True, negated=negated or again, modal=modal)
        if is_progressive(_low(tokens, after)):
            return Group(form, base_of(_low(tokens, after)), start, after, after + 1, negated=negated or again, modal=modal)
    return Group(form, _low(tokens, at), start, at, at + 1, negated=negated, modal=modal)


def _do(tokens: Sequence[Token], start: int) -> Group | None:
    at, negated = _skip(tokens, start + 1)
    verb = _low(tokens, at)
    if not verb or verb in _NOT_A_VERB or (not negated and start == 0):
        return None
    form = Form.PAST if tokens[start].low == "did" else Form.PRESENT
    return Group(form, verb, start, at, at + 1, negated=negated)


def _lexical(tokens: Sequence[Token], at: int) -> Group | None:
    """Read a bare verb: after a pronoun any past form, else only the few present verbs and pasts that rules ask for."""
    word = _low(tokens, at)
    if not word or _low(tokens, at - 1) in {"to", "be", "been", "being"}:
        return None
    pronoun = _low(tokens, _last_word_before(tokens, at))
    after_pronoun = pronoun in _PLURAL_PRONOUNS or (pronoun in _SUBJECT_PRONOUNS and word.endswith("s") and not word.endswith("ss") and word not in CASE_NOUNS)
    if word in {"continue", "continues"} and _low(tokens, at + 1) == "to":
        return Group(Form.PROGRESS, _low(tokens, at + 2), at, at + 2, at + 3)
    if word in _INTENDS and _low(tokens, at + 1) == "to":
        return _bound(tokens, at, at + 2, negated=False)
    if word in _HOLDS:
        return Group(Form.STATE, "remain", at, at, at + 1)
    if at > 0 and is_past(word) and word not in _NOT_A_VERB:
        return Group(Form.PAST, word, at, at, at + 1)
    if after_pronoun or (at > 0 and word in _PRESENT and _low(tokens, at - 1) not in DETERMINERS):
        return None if is_adverb(word) or word in _NOT_A_VERB else Group(Form.PRESENT, word, at, at, at + 1)
    return None
