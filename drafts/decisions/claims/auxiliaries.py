"""Read the verb groups that an auxiliary begins."""

from collections.abc import Sequence

from drafts.decisions.claims.forms import NOT_A_VERB, Form, Group, low, skip
from drafts.decisions.claims.lexicon import (
    base_of,
    is_participle,
    is_progressive,
    words,
)
from drafts.decisions.claims.tokens import Token

_BOUND_TO = words("going about due set scheduled expected planned likely bound planning hoping aiming intending")


def future(tokens: Sequence[Token], start: int) -> Group | None:
    """Read “will send”, “will be sent”, “will be able to send”, “will have sent”."""
    at, negated = skip(tokens, start + 1)
    verb = low(tokens, at)
    if not verb or verb in NOT_A_VERB:
        return None
    if verb == "be":
        return _future_be(tokens, start, at, negated)
    if verb == "have":
        after, _ = skip(tokens, at + 1)
        if is_participle(low(tokens, after)) and after + 1 < len(tokens) + 1:
            done = low(tokens, after)
            if done == "been" and is_participle(low(tokens, after + 1)):
                return Group(
                    Form.FUTURE, low(tokens, after + 1), start, after + 1, after + 2, passive=True, negated=negated
                )
            return Group(Form.FUTURE, done, start, after, after + 1, negated=negated)
    return Group(Form.FUTURE, verb, start, at, at + 1, negated=negated)


def _future_be(tokens: Sequence[Token], start: int, at: int, negated: bool) -> Group:  # noqa: FBT001 - a private step
    after, again = skip(tokens, at + 1)
    verb, denied = low(tokens, after), negated or again
    if verb == "able" and low(tokens, after + 1) == "to":
        return Group(Form.MODAL, low(tokens, after + 2), start, after + 2, after + 3, negated=denied, modal="able")
    if is_participle(verb):
        return Group(Form.FUTURE, verb, start, after, after + 1, passive=True, negated=denied)
    if is_progressive(verb):
        return Group(Form.FUTURE, base_of(verb), start, after, after + 1, negated=denied)
    return Group(Form.FUTURE, "be", start, at, at + 1, negated=denied)


def present_be(tokens: Sequence[Token], start: int) -> Group:
    """Read “is sending”, “is being sent”, “is sent”, “is going to send”, “is unable to send”, or a plain “is”."""
    at, negated = skip(tokens, start + 1)
    verb = low(tokens, at)
    if verb in _BOUND_TO and low(tokens, at + 1) == "to":
        return bound(tokens, start, at + 2, negated)
    if verb in {"able", "unable"} and low(tokens, at + 1) == "to":
        denied = negated != (verb == "unable")
        return Group(Form.MODAL, low(tokens, at + 2), start, at + 2, at + 3, negated=denied, modal="able")
    if verb == "being" and is_participle(low(tokens, skip(tokens, at + 1)[0])):
        after = skip(tokens, at + 1)[0]
        return Group(Form.PROGRESS, low(tokens, after), start, after, after + 1, passive=True, negated=negated)
    if is_progressive(verb):
        return Group(Form.PROGRESS, verb, start, at, at + 1, negated=negated)
    if is_participle(verb):
        return Group(Form.STATE, verb, start, at, at + 1, passive=True, negated=negated)
    return Group(Form.STATE, "be", start, start, start + 1, negated=negated)


def bound(tokens: Sequence[Token], start: int, at: int, negated: bool) -> Group:  # noqa: FBT001 - a private step
    """Read what follows “going to”, “plans to”, “about to”."""
    at, again = skip(tokens, at)
    if low(tokens, at) == "be" and is_participle(low(tokens, skip(tokens, at + 1)[0])):
        at = skip(tokens, at + 1)[0]
        return Group(Form.FUTURE, low(tokens, at), start, at, at + 1, passive=True, negated=negated or again)
    return Group(Form.FUTURE, low(tokens, at), start, at, at + 1, negated=negated or again)


def past_be(tokens: Sequence[Token], start: int) -> Group:
    """Read “was sent”, “was able to send”, or a plain “was”."""
    at, negated = skip(tokens, start + 1)
    verb = low(tokens, at)
    if verb in {"able", "unable"} and low(tokens, at + 1) == "to":
        denied = negated != (verb == "unable")
        return Group(Form.PAST, low(tokens, at + 2), start, at + 2, at + 3, negated=denied, modal="able")
    if is_participle(verb):
        return Group(Form.PAST, verb, start, at, at + 1, passive=True, negated=negated)
    return Group(Form.PAST_STATE, verb or "be", start, at, at if verb else start + 1, negated=negated)


def have(tokens: Sequence[Token], start: int) -> Group:
    """Read “has been sent”, “have sent”, “has yet to be sent”, “have to send”, or a plain “have”."""
    at, negated = skip(tokens, start + 1)
    verb = low(tokens, at)
    if verb == "been":
        return _have_been(tokens, start, at, negated=negated)
    if is_participle(verb):
        return Group(Form.PERFECT, verb, start, at, at + 1, negated=negated)
    if verb != "to":
        return Group(Form.PRESENT, "have", start, start, start + 1, negated=negated)
    passive = low(tokens, at + 1) == "be"
    after = at + 2 if passive else at + 1
    if "yet" in [token.low for token in tokens[start + 1 : at]]:
        return Group(Form.PERFECT, low(tokens, after), start, after, after + 1, passive=passive, negated=True)
    return Group(Form.NEED, low(tokens, after), start, after, after + 1, passive=passive, negated=negated)


def _have_been(tokens: Sequence[Token], start: int, at: int, *, negated: bool) -> Group:
    after, again = skip(tokens, at + 1)
    inner, denied = low(tokens, after), negated or again
    if is_progressive(inner):
        return Group(Form.PROGRESS, inner, start, after, after + 1, negated=denied)
    if is_participle(inner):
        return Group(Form.PERFECT, inner, start, after, after + 1, passive=True, negated=denied)
    return Group(Form.PERFECT, "be", start, at, at + 1, negated=denied)


def modal(tokens: Sequence[Token], start: int, form: Form) -> Group:
    """Read “can be sent”, “might have sent”, “should be receiving”, “must send”."""
    at, negated = skip(tokens, start + 1)
    if low(tokens, at) == "to":
        at, negated = skip(tokens, at + 1)
    which, after = tokens[start].low, at
    if low(tokens, at) in {"have", "be"}:
        after, again = skip(tokens, at + 1)
        negated = negated or again
    verb = low(tokens, after)
    if after > at and is_participle(verb):
        is_passive = low(tokens, at) == "be"
        kind = form if is_passive else Form.MODAL
        return Group(kind, verb, start, after, after + 1, passive=is_passive, negated=negated, modal=which)
    if after > at and is_progressive(verb):
        return Group(form, base_of(verb), start, after, after + 1, negated=negated, modal=which)
    return Group(form, low(tokens, at), start, at, at + 1, negated=negated, modal=which)


def short_is(tokens: Sequence[Token], start: int) -> Group | None:
    """Read a noun's “'s” where it stands for “has” or “is”: “the ticket's been raised”, “the team's going to”."""
    following = low(tokens, start + 1)
    if following == "been":
        return have(tokens, start)
    return present_be(tokens, start) if following in {"being", "going", "not"} or is_progressive(following) else None


def do(tokens: Sequence[Token], start: int) -> Group | None:
    """Read “did not send” and “did send”."""
    at, negated = skip(tokens, start + 1)
    verb = low(tokens, at)
    if not verb or verb in NOT_A_VERB or (not negated and start == 0):
        return None
    form = Form.PAST if tokens[start].low == "did" else Form.PRESENT
    return Group(form, verb, start, at, at + 1, negated=negated)
