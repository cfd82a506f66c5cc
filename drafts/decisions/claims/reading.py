"""Read sentences into statements: who, which verb group, what follows, and the guard that makes it no claim."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from drafts.decisions.claims import guards
from drafts.decisions.claims.clauses import RELATIVES, Clause, split, unfilled
from drafts.decisions.claims.guards import Guard
from drafts.decisions.claims.lexicon import is_adverb
from drafts.decisions.claims.subjects import Subject, Who, subject_of
from drafts.decisions.claims.tokens import Kind, Sentence, Token
from drafts.decisions.claims.verbs import Group, groups


@dataclass(frozen=True, slots=True)
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

    @property
    def after(self) -> tuple[str, ...]:
        """Return the words after the verb group, times left out."""
        return tuple(token.low for token in self.rest if token.kind is not Kind.TIME)

    @property
    def said(self) -> str:
        """Return the words after the verb group as running text."""
        return " ".join(self.after)

    @property
    def times(self) -> tuple[Token, ...]:
        """Return the time expressions of the statement, before, inside and after the verb group."""
        inside = self.tokens[self.group.start : self.group.end]
        return tuple(token for token in (*self.lead, *inside, *self.rest) if token.kind is Kind.TIME)

    def span(self) -> tuple[int, int]:
        """Return the folded span: from the subject to the first time after the verb, else to the end of the clause."""
        first = self.tokens[self.group.start].start
        start = self.subject.start if 0 <= self.subject.start <= first else first
        end = self.tokens[self.group.end - 1].end
        for token in self.rest:
            if token.kind is Kind.TIME:
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
    for clause in clauses:
        readings = list(_read_clause(clause, sentence, inherited, antecedent, scope))
        found += readings
        if readings:
            if clause.opener not in RELATIVES or inherited is None:
                inherited = readings[-1].subject
            antecedent = _last_noun(readings[-1].rest)
        elif clause.tokens[0].kind is Kind.WORD:
            antecedent = _last_noun(clause.tokens)
            inherited = inherited or antecedent
    return tuple(found)


def _read_clause(
    clause: Clause, sentence: Sentence, inherited: Subject | None, antecedent: Subject | None, scope: guards.Scope
) -> Iterator[Reading]:
    tokens = unfilled(clause.tokens)
    found = list(groups(tokens))
    for at, group in enumerate(found):
        begin = found[at - 1].end if at else 0
        until = found[at + 1].start if at + 1 < len(found) else len(tokens)
        before = tokens[begin : group.start]
        subject = _subject(clause, before, inherited, antecedent, first=at == 0)
        rest = _cut_before_subject(tokens[group.end : until], more=at + 1 < len(found))
        guard = guards.guard_of(clause, subject=subject, group=group, scope=scope)
        lead = tuple(t for t in clause.tokens if t.end <= tokens[group.start].start and t.kind is Kind.TIME) if at == 0 else ()
        yield Reading(clause, subject, group, tokens, rest, guard, sentence, lead)


def _subject(
    clause: Clause, before: Sequence[Token], inherited: Subject | None, antecedent: Subject | None, *, first: bool
) -> Subject:
    subject = subject_of(before)
    if subject.who is not Who.NONE:
        return subject
    if first and clause.opener in RELATIVES and antecedent is not None:
        return _moved(antecedent)
    if inherited is not None:
        return _moved(inherited)
    return subject


def _moved(subject: Subject) -> Subject:
    """Return a subject that is understood, not written, at this place."""
    return Subject(
        subject.who, -1, subject.head, subject.negated, subject.generic, subject.first, subject.name, subject.yours, subject.weak
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
