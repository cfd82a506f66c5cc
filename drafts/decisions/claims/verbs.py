"""Find the finite verb groups of a clause: what tense and mood it has, which verb carries it, whether it is denied."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from drafts.decisions.claims.auxiliaries import bound, do, future, have, modal, past_be, present_be, short_is
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


_HOPED_FOR = words("hear see welcome serve")


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
    read = _BY_AUXILIARY.get(low(tokens, at))
    return read(tokens, at) if read else _lexical(tokens, at)


_BY_AUXILIARY: dict[str, Callable[[Sequence[Token], int], Group | None]] = {
    **dict.fromkeys(("will", "shall"), future),
    **dict.fromkeys(("am", "is", "are"), present_be),
    **dict.fromkeys(("was", "were"), past_be),
    **dict.fromkeys(("have", "has", "had"), have),
    **dict.fromkeys(("can", "could", "may", "might", "would", "must"), partial(modal, form=Form.MODAL)),
    **dict.fromkeys(("should", "ought"), partial(modal, form=Form.SOFT)),
    **dict.fromkeys(("do", "does", "did"), do),
    "'s": short_is,
}


def _lexical(tokens: Sequence[Token], at: int) -> Group | None:
    """Read a bare verb: after a pronoun any past form, else only the few present verbs and pasts that rules ask for."""
    word = low(tokens, at)
    if not word or low(tokens, at - 1) in {"to", "be", "been", "being"}:
        return None
    if low(tokens, at + 1) == "to" and word in {"continue", "continues"}:
        return Group(Form.PROGRESS, low(tokens, at + 2), at, at + 2, at + 3)
    if word in {"hope", "hopes"} and low(tokens, at + 2) in _HOPED_FOR:
        return None  # a hope for what the other side will do promises nothing
    if low(tokens, at + 1) == "to" and word in _INTENDS:
        return bound(tokens, at, at + 2, negated=False)
    form = _bare_form(tokens, at, word)
    return Group(form, "remain" if form is Form.STATE else word, at, at, at + 1) if form else None


def _bare_form(tokens: Sequence[Token], at: int, word: str) -> Form | None:
    if word in _HOLDS:
        return Form.STATE
    if at > 0 and is_past(word) and word not in NOT_A_VERB:
        return Form.PAST
    pronoun = low(tokens, _last_word_before(tokens, at))
    third = word.endswith("s") and not word.endswith("ss") and word not in CASE_NOUNS
    after_pronoun = pronoun in _PLURAL_PRONOUNS or (pronoun in _SUBJECT_PRONOUNS and third)
    known = at > 0 and word in _PRESENT and low(tokens, at - 1) not in DETERMINERS
    return Form.PRESENT if (after_pronoun or known) and not is_adverb(word) and word not in NOT_A_VERB else None
