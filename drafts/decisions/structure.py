"""What is wrong with an output as a whole: several drafts, leaked notes, markup, other languages, hidden characters.

Every check reads the text alone and returns findings with spans in code points; none of them changes the text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from drafts.decisions.characters import Piece, PieceKind, code_point_name, hidden_characters, visible_pieces
from drafts.decisions.languages import language
from drafts.decisions.scripts import mixed_scripts
from drafts.decisions.vocabulary import Finding

__all__ = [
    "Piece",
    "PieceKind",
    "code_point_name",
    "contradictory_fields",
    "hidden_characters",
    "invokes_earlier_answer",
    "language",
    "markup",
    "mixed_scripts",
    "several_drafts",
    "visible_pieces",
]

FINDINGS_LIMIT = 10
_LINE = r"(?:^|\n)[ \t]*(?:[#>*_\-\[(=]{1,6}[ \t]*)?"
_STOP = r"(?:^|(?<=[.!?:…\n)\"”])[ \t]*)"
_CHANGED = (
    r"revised|updated|rewritten|corrected|amended|improved|polished|alternative|alternate|refined|reworded|redrafted"
)
_KIND = r"draft|reply|response|answer|email|e-mail|message"

_NOTES = re.compile(
    rf"{_LINE}(?:(?:{_CHANGED}|final|first|second|third|new|initial|original|suggested|proposed)[ \t]+)+"
    rf"(?:{_KIND}|version)(?:[ \t]*(?:\d|one|two|three|[abc])\b)?[ \t\])*_]{{0,4}}(?::|\n)"
    rf"|{_LINE}(?:draft|(?:{_KIND}|version)[ \t]*(?:\d|[abc]\b|one\b|two\b|three\b))[^\n:]{{0,30}}[ \t*_]*:"
    rf"|{_LINE}(?:analysis|reasoning|thoughts?|thought process|thinking|internal (?:note|monologue)s?|scratchpad|"
    r"chain of thought|notes? (?:to|for) (?:self|the agent|agent|the reviewer|reviewer)|final answer|action input|"
    r"self-check|critique|assistant|human)[ \t*_]*:"
    r"|</?(?:think|thinking|thought|analysis|reasoning|scratchpad|reflection|draft|reply|response|answer|final|output)\b"
    r"[^<>\n]{0,40}>|<\|[a-z_]{2,20}\|>|\[/?INST\]",
    re.IGNORECASE,
)
_SECOND_THOUGHTS = re.compile(
    rf"{_STOP}(?:wait\b[,.!…\-– \t]+(?:the|that|this|no|actually|i|we|there|it|but|if|according|maybe|let me)\b"
    r"|hm+\b[,.…]|scratch that\b|on second thoughts?\b|"
    r"(?:no|actually), that(?:'|’)?s? (?:is )?(?:wrong|not right|incorrect)\b)"
    r"|\blet me (?:re-?write|re-?phrase|re-?do|re-?draft|re-?word|revise|start over|"
    r"think (?:about|through|step)|reconsider|(?:fix|correct|adjust|improve) (?:my|the|this) "
    rf"(?:{_KIND}|wording|tone)|re-?read the (?:policy|question|message))\b[^.!?\n]{{0,60}}"
    rf"|\bhere(?:(?:'|’)s| is| are) (?:(?:a|an|the|my|your|our|one|two|three|some|another) )?"
    rf"(?:(?:{_CHANGED}|possible|suggested|proposed|final|new|short(?:er)?|more|better|formal|"
    r"friendl(?:y|ier)|concise|professional|empathetic|polite|draft|different)[ ,]+){1,3}"
    r"(?:drafts?|repl(?:y|ies)|responses?|answers?|emails?|messages?|options?|"
    r"versions?(?! of (?:your|the|our) (?!reply|response|message|e-?mail|draft|answer)))\b"
    r"|\bhere(?:(?:'|’)s| is) (?:a|the|my|your) draft\b"
    r"|\bhere are (?:two|three|\d|some|a few|several) (?:drafts|versions)\b"
    r"|\b(?:reply|respond) (?:to the customer )?(?:with|as follows)(?: something like)?:"
    r"|\bfeel free to (?:adjust|edit|tweak|customi[sz]e|modify|adapt) (?:this|the|it|as)\b"
    r"|\b(?:if you(?:'|’)?d like me|want me|like me) to (?:adjust|change|revise|soften|shorten) (?:the|this|it)\b"
    r"[^.!?\n]{0,20}"
    r"\b(?:tone|wording|draft|reply|length|message)\b"
    r"|\bas an ai(?: language)?(?: model| assistant)\b"
    r"|\bthe (?:user|customer) (?:is asking|asks|wants to|wants us|wrote|is requesting|seems|appears to)\b"
    r"|\bi (?:should|must|need to|have to) (?:not )?(?:respond|reply|answer|mention|promise|avoid|check the policy|"
    r"ask for the|draft|write)\b",
    re.IGNORECASE,
)
_OPTION = re.compile(
    rf"{_LINE}(?:option|alternative|variant)[ \t]*(?:\d|[a-c]\b|one\b|two\b)[^\n:]{{0,40}}(?:\n|:)", re.IGNORECASE
)
_OPENING = re.compile(
    r"[\s*_\"“>]*(?:hi|hello|dear|hey|good (?:morning|afternoon|evening)|thanks|thank you|i(?:'|’)m sorry|sorry)\b",
    re.IGNORECASE,
)
_SALUTATION = re.compile(
    r"(?:^|\n)[ \t\"“*]*(?:hi|hello|dear|hey)\b[^\n.!?]{0,40}[,!:]?[ \t]*(?:\n|[A-Z])", re.IGNORECASE
)
_BETWEEN_DRAFTS = re.compile(
    r"(?:^|\n)[ \t]*(?:[-=_*~]{3,}|or|—|(?:(?:best|kind|warm)[ \t])?regards|sincerely|best wishes|yours \w+|"
    r"cheers|thanks)"
    r"[ \t,.!]*(?:\n|$)",
    re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"(?m)^[ \t]*>.*$")

_MARKUP = re.compile(
    r"<!--|</?[a-z][\w-]{0,30}(?:\s[^<>]{0,300})?/?>|&(?:[a-z]{2,8}|#\d{1,7}|#x[0-9a-f]{1,6});"
    r"|\{\{[^{}\n]{0,80}\}\}|\{%[^{}\n]{0,80}%\}|\$\{[^{}\n]{0,80}\}|<%[^<>\n]{0,80}%>|\{[a-z_][\w. ]{0,40}\}"
    r"|%\([a-z_]\w{0,40}\)s"
    r"|\[(?:your|insert|customer|agent|company|order|name|date|amount|link|tracking|product|phone|email|number|reference)\b"
    r"[^\]\[\n]{0,40}\](?!\()|```[a-z]{0,12}",
    re.IGNORECASE,
)
_CODE_SPAN = re.compile(r"`[^`\n]{1,200}`")
_SPEECH = r"mentioned|said|stated|explained|noted|advised|told you|confirmed|discussed|promised"
_ELSEWHERE = r"(?![ \t]+(?:above|below|by|under|on|in|at)\b(?! (?:my|our) (?:last|previous|earlier|first)))"
_TIMES = r"before|earlier|previously|already"
_EARLIER = re.compile(
    rf"\b(?:as|like|which) (?:i|we|my colleague|our (?:team|agent)|one of us)(?:(?:'|’)ve| have| had)? "
    rf"(?:(?:already|previously|just|earlier|also) )?(?:{_SPEECH})(?: (?:{_TIMES}))?\b{_ELSEWHERE}"
    rf"|(?:{_STOP}|(?<=, ))as (?:(?:{_TIMES}) )?(?:{_SPEECH})(?: (?:{_TIMES}))?\b{_ELSEWHERE}"
    rf"|\b(?:i|we)(?:(?:'|’)ve| have|) (?:already|previously) (?:{_SPEECH}|answered|told|informed)\b"
    r"|\b(?:as per|per|in|from) (?:my|our) (?:last|previous|earlier|first|prior) "
    r"(?:message|reply|e-?mail|answer|response|chat|conversation)\b"
    r"|\b(?:my|our) (?:previous|earlier|last|first) (?:answer|reply|response|statement|message)\b",
    re.IGNORECASE,
)


def several_drafts(text: str) -> tuple[Finding, ...]:
    """Return a finding for each sign that an output holds more than one reply, or the model's notes beside it.

    A list of options for the customer is one reply; options that each open with a greeting are several.
    """
    own = _QUOTED_LINE.sub(lambda quoted: " " * len(quoted[0]), text)
    spans = [*_spans(_NOTES.finditer(own)), *_spans(_SECOND_THOUGHTS.finditer(own))]
    spans += [*_rival_options(own), *_second_salutations(own)]
    return tuple(
        Finding(
            "several_drafts_in_output",
            f"“{_excerpt(text, start, end)}” belongs to a second draft or to the model's own notes. "
            "Keep one reply for the customer and delete the rest.",
            start,
            end,
        )
        for start, end in _merged(spans)[:FINDINGS_LIMIT]
    )


def markup(text: str) -> tuple[Finding, ...]:
    """Return a finding for each tag, entity, template brace or unfilled placeholder that the customer would see.

    Markdown emphasis, lists and links, and anything inside a code span, raise nothing.
    """
    plain = _CODE_SPAN.sub(lambda code: " " * len(code[0]), text)
    spans = _merged(_spans(_MARKUP.finditer(plain)))
    return tuple(
        Finding(
            "markup_in_draft",
            f"The customer would read “{_excerpt(text, start, end)}” as it stands. "
            "Write it as plain text, or fill it in.",
            start,
            end,
        )
        for start, end in spans[:FINDINGS_LIMIT]
    )


def invokes_earlier_answer(text: str) -> tuple[Finding, ...]:
    """Return a finding for each phrase that leans on something said before; the caller knows what is on record."""
    return tuple(
        Finding(
            "earlier_answer_not_on_record",
            f"“{_excerpt(text, start, end)}” leans on an earlier answer, and none is on record. "
            "Delete the phrase, or record what was said.",
            start,
            end,
        )
        for start, end in _merged(_spans(_EARLIER.finditer(text)))[:FINDINGS_LIMIT]
    )


def contradictory_fields(
    selected_version: str | None, missing_fields: Sequence[str], deciding_date: str | None
) -> tuple[Finding, ...]:
    """Return a finding when the model chose a version although it lists the date that decides as missing.

    Where the deciding date is not known, any date among the missing fields counts.
    """
    missing = [name.strip().lower().replace(" ", "_").replace("-", "_") for name in missing_fields]
    dates = [name for name in missing if name == deciding_date or (deciding_date is None and _is_date_field(name))]
    if not selected_version or not dates:
        return ()
    message = (
        f"The model selected {selected_version} and lists {dates[0]}, which decides the version, as missing. "
        f"Ask the customer for {dates[0]} and name no version."
    )
    return (Finding("selected_version_despite_missing_field", message),)


def _is_date_field(name: str) -> bool:
    return name.endswith("_on") or "date" in name


def _spans(matches: Iterable[re.Match[str]]) -> Iterator[tuple[int, int]]:
    for match in matches:
        lead = len(match[0]) - len(match[0].lstrip(" \t\n"))
        yield match.start() + lead, match.end() - (len(match[0]) - len(match[0].rstrip()))


def _rival_options(text: str) -> list[tuple[int, int]]:
    options = [option for option in _OPTION.finditer(text) if _OPENING.match(text, option.end())]
    return list(_spans(options)) if len(options) > 1 else []


def _second_salutations(text: str) -> list[tuple[int, int]]:
    """Return the salutations that follow an earlier one with a signature or a dividing line between the two."""
    found = list(_SALUTATION.finditer(text))
    return list(
        _spans(
            second
            for first, second in pairwise(found)
            if _BETWEEN_DRAFTS.search(text, first.end() - 1, second.start() + 1)
        )
    )


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _excerpt(text: str, start: int, end: int) -> str:
    words = " ".join(text[start:end].split())
    return words if len(words) <= 60 else words[:57] + "…"
