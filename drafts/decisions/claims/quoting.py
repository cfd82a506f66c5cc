"""Find what the draft quotes: it was said by somebody else, or earlier, and is no statement of this reply."""

import re
from collections.abc import Iterator

from drafts.decisions.claims.lexicon import words

FILLER = "\ufffc"
"""Stands for quoted words inside a sentence, which goes on around them."""
SHORTEST_QUOTATION = 8

_INLINE = re.compile(r'"[^"\n]{8,2000}"')
_SPOKEN_BEFORE = re.compile(
    r"(?:\b(?:said|say|says|saying|wrote|write|writes|told|mentioned|asked|stated|promised|quote[ds]?|quoting|read"
    r"|reads|message|"
    r"e-?mail|chat|earlier|words|heard|informed|claim(?:ed)?|claims|replied|put it)\b[^.!?\n]{0,40}[,:]? ?)\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 80
_KEY_BEFORE = re.compile(r"[\"'][ ]?:[ ]?\Z")
_LABEL_BEFORE = re.compile(
    r"(?:^[ *_#>-]{0,6}(?:(?:final|revised|suggested|proposed|new|my|our|draft|updated) ){0,2}"
    r"(?:draft|reply|response|answer|message|output|text|email)[ \w]{0,12}[*_]{0,2}:[ ]?|[\"'][ ]?:[ ]?)\Z",
    re.IGNORECASE,
)
_HEADER = re.compile(r"([^\W\d_][\w .\-/]{0,30}):[ ].{1,300}")
_SENDER = words(
    "from von de fra fran od da van lahettaja kimden feladó felado odesilatel от кому 发件人 寄件者 差出人 보낸사람"
)
_HEADER_DATE = re.compile(r"\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}[:.]\d{2}\b|\b(?:19|20)\d{2}\b")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}")
_DIVIDER = re.compile(
    r"[-_=]{2,}[ ]?(?:original message|original-nachricht|ursprungliche nachricht|forwarded message|message d'origine|"
    r"mensaje original|messaggio originale|oprindelig meddelelse|weitergeleitete nachricht)[ ]?[-_=]{2,}",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(
    r"(?:on|am|le|el|il|op|den|em|dnia|pa|2\d{3})\b.{4,200}\b(?:wrote|schrieb|a ecrit|escribio|ha scritto|schreef"
    r"|skrev|escreveu|"
    r"napisal(?:a)?)\b.{0,80}:",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(r"--")
_CLOSING = re.compile(
    r"(?:(?:best|kind|kindest|warm|warmest|many)? ?(?:regards|wishes|thanks)|(?:yours )?(?:sincerely|truly"
    r"|faithfully)|cheers)[ ,.!]{0,3}",
    re.IGNORECASE,
)
_LONGEST_SIGNATURE_LINE = 60
_HEADERS_IN_A_BLOCK = 3


def masked(text: str) -> str:
    """Return a text of the same length in which quotations and signatures can no longer be read as statements."""
    lines = text.split("\n")
    hidden = _hidden_lines(lines)
    kept = [" " * len(line) if at in hidden else _without_inline_quotes(line) for at, line in enumerate(lines)]
    return "\n".join(kept)


def _hidden_lines(lines: list[str]) -> frozenset[int]:
    hidden = {at for at, line in enumerate(lines) if line.lstrip().startswith((">", "|>"))}
    cut = _quoted_mail(lines)
    if cut is not None:
        hidden.update(range(cut, len(lines)))
    hidden.update(_signature_lines(lines[:cut]))
    return frozenset(hidden)


def _quoted_mail(lines: list[str]) -> int | None:
    """Return the line at which an earlier mail begins that runs to the end of the text."""
    for at, line in enumerate(lines):
        if _DIVIDER.match(line.strip()):
            return at
        if _ATTRIBUTION.fullmatch(line.strip()):
            following = next((later for later in lines[at + 1 :] if later.strip()), "")
            return None if following.lstrip().startswith(">") else at
        block = _header_block(lines, at)
        if len(block) >= _HEADERS_IN_A_BLOCK and _looks_like_mail(block):
            return at
    return None


def _header_block(lines: list[str], at: int) -> list[str]:
    block = []
    for line in lines[at : at + 8]:
        if not _HEADER.fullmatch(line.strip()):
            break
        block.append(line)
    return block


def _looks_like_mail(block: list[str]) -> bool:
    label = block[0].split(":", 1)[0].strip().lower()
    from_somebody = label in _SENDER or f"<{_address_in(block[0])}>" in block[0]
    joined = "\n".join(block)
    return from_somebody and bool(_address_in(joined)) and bool(_HEADER_DATE.search(_ADDRESS.sub("", joined)))


def _address_in(text: str) -> str:
    found = _ADDRESS.search(text)
    return found[0] if found else ""


def _signature_lines(lines: list[str]) -> Iterator[int]:
    for at, line in enumerate(lines):
        if _SIGNATURE.fullmatch(line.strip()) or (at and _CLOSING.fullmatch(line.strip())):
            for below, later in enumerate(lines[at + 1 : at + 9], at + 1):
                bare = later.strip()
                if (
                    bare.lower().startswith(("p.s", "ps:", "ps "))
                    or len(bare) > _LONGEST_SIGNATURE_LINE
                    or bare.endswith(".")
                ):
                    return
                yield below


def _without_inline_quotes(line: str) -> str:
    """Hide what stands in double quotes, unless the quotes are wrapped around a whole line, as models do."""
    whole = line.strip(" -*#>.")

    def hide(quoted: re.Match[str]) -> str:
        before = line[max(0, quoted.start() - _LOOK_BACK) : quoted.start()]
        labelled = bool((_LABEL_BEFORE if quoted.start() <= _LOOK_BACK else _KEY_BEFORE).search(before))
        if labelled or (len(quoted[0]) == len(whole) and not _SPOKEN_BEFORE.search(before)):
            return quoted[0]
        stop = quoted[0][-2] if quoted[0][-2] in ".!?" else ""
        return '"' + FILLER * (len(quoted[0]) - 2 - len(stop)) + stop + '"'

    return _INLINE.sub(hide, line)
