"""Find the finite verb groups of a clause: what tense and mood it has, which verb carries it, whether it is denied."""

from collections.abc import Iterator, Sequence

from drafts.decisions.claims.auxiliaries import bound, do, future, have, modal, past_be, present_be
from drafts.decisions.claims.forms import NOT_A_VERB, Form, Group, low, skip
from drafts.decisions.claims.lexicon import (
    AUXILIARIES,
    CASE_NOUNS,
    DETERMINERS,
    is_adverb,
    is_participle,
    is_past,
    is_progressive,
    words,
)
from drafts.decisions.claims.tokens import Kind, Token

_BE = frozenset({"am", "is", "are"})


_HAVE = frozenset({"have", "has", "had"})


_MODALS = words("can could may might would must")


_INTENDS = words("aim hope plan expect intend expects plans aims intends hopes promise promises undertake")


_HOLDS = words("remain remains sits stands stays awaits await")


_SUBJECT_PRONOUNS = words("i we you they he she it this that nobody someone somebody everyone which who")


_PLURAL_PRONOUNS = frozenset({"i", "we", "you", "they"})


_PRESENT = words(
    "qualify qualifies covers cover takes take states shows says requires require needs need include includes "
    "contains contain "
    "appears appear seems deserve deserves indicate indicates suggest confirms has have ships arrives leaves comes "
    "goes meets meet belongs anticipate expect "
    "guarantee guarantees promise"
)


_OBJECT_STARTS = words(
    "the a an your you our my it them this that these those any all to with back up in out for on him her his their "
    "its us me over "
    "further another both each every some"
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
    if low(tokens, pronoun) in _SUBJECT_PRONOUNS:
        return pronoun == last_end and low(tokens, pronoun) in {"you", "it", "this", "that"}
    later = any(token.low in AUXILIARIES for token in tokens[group.end :])
    before = tokens[group.start - 1].low
    return seen or later or before in DETERMINERS or tokens[group.start].text[:1].isupper()


def _last_word_before(tokens: Sequence[Token], at: int) -> int:
    at -= 1
    while at >= 0 and (is_adverb(low(tokens, at)) or tokens[at].kind is Kind.TIME):
        at -= 1
    return at


def continued(tokens: Sequence[Token], previous: Group) -> Group | None:
    """Return the group that goes on after “and” without repeating its auxiliary: “… and come back to you”."""
    at, negated = skip(tokens, 0)
    verb, following = low(tokens, at), low(tokens, at + 1)
    done = is_participle(verb) or is_past(verb)
    if previous.form in {Form.PERFECT, Form.PAST} and done and (previous.passive or following):
        return Group(
            previous.form,
            verb,
            at,
            at,
            at + 1,
            passive=previous.passive and following not in _OBJECT_STARTS,
            negated=negated,
        )
    if previous.form is Form.PROGRESS and is_progressive(verb) and following:
        return Group(previous.form, verb, at, at, at + 1, negated=negated)
    bare = verb.isalpha() and verb not in NOT_A_VERB | _OBJECT_STARTS | _SUBJECT_PRONOUNS and not is_progressive(verb)
    if previous.form in {Form.FUTURE, Form.SOFT} and bare and following in _OBJECT_STARTS:
        return Group(previous.form, verb, at, at, at + 1, negated=negated)
    return None


def _group_at(tokens: Sequence[Token], at: int) -> Group | None:
    word = low(tokens, at)
    if word in {"will", "shall"}:
        return future(tokens, at)
    if word in _BE:
        return present_be(tokens, at)
    if word in {"was", "were"}:
        return past_be(tokens, at)
    if word in _HAVE:
        return have(tokens, at)
    if word in _MODALS:
        return modal(tokens, at, Form.MODAL)
    if word in {"should", "ought"}:
        return modal(tokens, at, Form.SOFT)
    if word in {"do", "does", "did"}:
        return do(tokens, at)
    return _lexical(tokens, at)


def _lexical(tokens: Sequence[Token], at: int) -> Group | None:
    """Read a bare verb: after a pronoun any past form, else only the few present verbs and pasts that rules ask for."""
    word = low(tokens, at)
    if not word or low(tokens, at - 1) in {"to", "be", "been", "being"}:
        return None
    pronoun = low(tokens, _last_word_before(tokens, at))
    after_pronoun = pronoun in _PLURAL_PRONOUNS or (
        pronoun in _SUBJECT_PRONOUNS and word.endswith("s") and not word.endswith("ss") and word not in CASE_NOUNS
    )
    if word in {"continue", "continues"} and low(tokens, at + 1) == "to":
        return Group(Form.PROGRESS, low(tokens, at + 2), at, at + 2, at + 3)
    if word in _INTENDS and low(tokens, at + 1) == "to":
        return bound(tokens, at, at + 2, negated=False)
    if word in _HOLDS:
        return Group(Form.STATE, "remain", at, at, at + 1)
    if at > 0 and is_past(word) and word not in NOT_A_VERB:
        return Group(Form.PAST, word, at, at, at + 1)
    if after_pronoun or (at > 0 and word in _PRESENT and low(tokens, at - 1) not in DETERMINERS):
        return None if is_adverb(word) or word in NOT_A_VERB else Group(Form.PRESENT, word, at, at, at + 1)
    return None
