"""Read sentences into statements: who, which verb group, what follows, and the guard that makes it no claim."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from drafts.decisions.claims import guards
from drafts.decisions.claims.clauses import RELATIVES, Clause, split, unfilled
from drafts.decisions.claims.forms import Form, Group
from drafts.decisions.claims.guards import Guard
from drafts.decisions.claims.lexicon import HELP_VERBS, is_adverb
from drafts.decisions.claims.subjects import Subject, Who, subject_of
from drafts.decisions.claims.tokens import Kind, Sentence, Token
from drafts.decisions.claims.verbs import continued, groups

_GOES_ON = frozenset({"and", "then", "or", "but"})


@dataclass(frozen=True)
class Reading:
    """One statement of one clause. `rest` is what follows its verb group in the clause."""

    clause: Clause
    subject: Subject
    group: Group
    tokens: tuple[Token, ...]
    rest: tuple[Token, ...]
    guard: Guard | None
    sentence: Sentence
    lead: tuple[Token, ...] = ()
    reports: bool = False

    @cached_property
    def is_general(self) -> bool:
        """Say whether the statement speaks of all cases: “refunds take”, “standard delivery takes”, “returns are”."""
        habitual = self.group.form in {Form.PRESENT, Form.MODAL} or (
            self.group.form is Form.STATE and self.group.passive
        )
        return self.subject.generic or (self.subject.bare and habitual)

    @cached_property
    def after(self) -> tuple[str, ...]:
        """Return the words after the verb group, times left out."""
        return tuple(token.low for token in self.rest if token.kind is not Kind.TIME)

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """Return the words after the verb group without adverbs."""
        return tuple(word for word in self.after if not is_adverb(word) or word in {"not", "no"})

    @cached_property
    def said(self) -> str:
        """Return the words after the verb group as running text."""
        return " ".join(self.after)

    @cached_property
    def times(self) -> tuple[Token, ...]:
        """Return the time expressions of the statement, before, inside and after the verb group."""
        inside = self.tokens[self.group.start : self.group.end]
        return tuple(token for token in (*self.lead, *inside, *self.rest) if token.kind is Kind.TIME)

    def span(self, timings: Container[Token] = ()) -> tuple[int, int]:
        """Return the folded span: from the subject to the first of these times, else to the end of the clause."""
        first = self.tokens[self.group.start].start
        start = self.subject.start if 0 <= self.subject.start <= first else first
        end = self.tokens[self.group.end - 1].end
        for token in self.rest:
            if token in timings:
                break
            end = token.end
        return start, end


def read(sentence: Sentence) -> tuple[Reading, ...]:
    """Return the statements of a sentence in order, each with its guard."""
    clauses = split(sentence.tokens)
    scope = guards.scope_of(clauses, sentence)
    found: list[Reading] = []
    inherited: Subject | None = None
    antecedent: Subject | None = None
    last_joined = -1
    for clause in clauses:
        going_on = (
            found[-1].group
            if found and clause.opener in _GOES_ON and found[-1].group.verb not in HELP_VERBS | {"be"}
            else None
        )
        readings = list(_read_clause(clause, sentence, _Before(inherited, antecedent, going_on), scope))
        found += readings
        if readings:
            written = [reading.subject for reading in readings if reading.subject.start >= 0]
            if written and (clause.opener not in {"who", "which"} or inherited is None):
                inherited = written[-1]
            antecedent = _last_noun(readings[-1].rest)
        elif found and clause.opener in {"and", "or"} and found[-1].clause.index in {clause.index - 1, last_joined}:
            found[-1] = replace(found[-1], rest=(*found[-1].rest, *clause.tokens))
            last_joined = clause.index
        elif clause.tokens[0].kind is Kind.WORD:
            antecedent = _last_noun(clause.tokens)
            inherited = inherited or antecedent
    return tuple(_reporting(clauses, reading) for reading in found)


def _reporting(clauses: Sequence[Clause], reading: Reading) -> Reading:
    """Mark a statement whose object is the clause after it: “I have checked that …”."""
    following = clauses[reading.clause.index + 1 : reading.clause.index + 2]
    return replace(reading, reports=bool(following) and following[0].opener in {"that", "how", "why", "what"})


@dataclass(frozen=True, slots=True)
class _Before:
    """What earlier clauses leave to a clause: a subject, a noun that “which” points at, a verb group to go on with."""

    inherited: Subject | None
    antecedent: Subject | None
    group: Group | None


def _read_clause(clause: Clause, sentence: Sentence, before_it: _Before, scope: guards.Scope) -> Iterator[Reading]:
    tokens = unfilled(clause.tokens)
    found = list(groups(tokens))
    further = continued(tokens, before_it.group) if before_it.group and tokens else None
    if further and not any(group.start <= further.start for group in found):
        found.insert(0, further)
    for at, group in enumerate(found):
        begin = found[at - 1].end if at else 0
        until = found[at + 1].start if at + 1 < len(found) else len(tokens)
        before = tokens[begin : group.start]
        subject = _subject(clause, before, before_it, singular=_is_singular(tokens, group), first=at == 0)
        rest = _cut_before_subject(tokens[group.end : until], more=at + 1 < len(found))
        guard = guards.guard_of(clause, subject=subject, group=group, scope=scope, before=tokens[: group.start])
        lead = (
            tuple(t for t in clause.tokens if t.end <= tokens[group.start].start and t.kind is Kind.TIME)
            if at == 0
            else ()
        )
        yield Reading(clause, subject, group, tokens, rest, guard, sentence, lead)


def _is_singular(tokens: Sequence[Token], group: Group) -> bool:
    return tokens[group.start].low in {"is", "has", "was", "'s"}


def _subject(clause: Clause, before: Sequence[Token], before_it: _Before, *, singular: bool, first: bool) -> Subject:
    subject = subject_of(before, singular=singular)
    if subject.who is not Who.NONE:
        return subject
    near, main = before_it.antecedent, before_it.inherited
    if first and clause.opener in RELATIVES and near is not None:
        added = clause.mark == "," and near.who is not Who.CASE and main is not None and main.who is Who.CASE
        return _moved(main if added and main else near)
    if before_it.inherited is not None:
        return _moved(before_it.inherited)
    return subject


def _moved(subject: Subject) -> Subject:
    """Return a subject that is understood, not written, at this place."""
    return Subject(
        subject.who,
        -1,
        subject.head,
        subject.negated,
        subject.generic,
        subject.first,
        subject.name,
        subject.yours,
        subject.weak,
    )


def _last_noun(tokens: Sequence[Token]) -> Subject | None:
    nouns = [token for token in tokens if token.kind is Kind.WORD and not is_adverb(token.low)]
    return subject_of(nouns) if nouns else None


def _cut_before_subject(rest: tuple[Token, ...], *, more: bool) -> tuple[Token, ...]:
    """Leave the subject of a following verb group to that group."""
    if not more:
        return rest
    for at in range(len(rest) - 1, -1, -1):
        if rest[at].low in {"i", "we", "you", "it", "they", "the", "your", "our", "this", "a"}:
            return rest[:at]
    return rest
