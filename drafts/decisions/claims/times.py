"""Find the time expressions of a text: one grammar, longest reading, no meaning yet (that is timing.py's)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from drafts.decisions.claims.lexicon import words


class TimeKind(StrEnum):
    """The sub-classes of a TIMING claim."""

    VAGUE = "vague"
    DURATION = "duration"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """One time expression by its place in the folded text."""

    start: int
    end: int
    kind: TimeKind
    text: str


_WORDS = (
    "half an|half a|twenty-four|twenty four|forty-eight|forty eight|seventy-two|seventy two|one|two|three|four|five"
    "|six|seven|eight|"
    "nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|ninety|a "
    "couple of|a couple|"
    "a few|couple of|several|few|some|another|an|a"
)
NUMBER = rf"(?:\d{{1,4}}(?:[.,]\d{{1,2}})?|(?:{_WORDS})\b)(?:[ ]?\(\d{{1,4}}\))?"
_RANGE = rf"{NUMBER}(?:[ ]?(?:-|to|or|and)[ ]?{NUMBER})?+"
UNIT = (
    r"(?:(?:more|full|clock|short|additional|further|consecutive)[ ])?(?:(?:business|working|calendar|bank|week)[ -]?)?"
    r"(?:seconds?|secs?|minutes?|mins?|moments?|hours?|hrs?|days?|weeks?|months?|years?|fortnights?|weekdays?"
    r"|weekends?)\b"
)
_DURATION = rf"(?:{_RANGE}[ -]?{UNIT})"
_LEAD = (
    r"(?:within|in|for|over|during|inside|under|approximately|about|around|roughly|up to|at most|at least|less than"
    r"|no more than|"
    r"not more than|no later than|no longer than|not longer than|maximum of|max|a maximum of|after|the|next|coming"
    r"|following|"
    r"approx\.?|every|only|just|another|between|as little as|as long as|a further|another|first)"
)
_DURATIONS = (
    rf"(?:\b{_LEAD}[ ]){{0,4}}+\b{_DURATION}(?:[ ](?:or so|or less|or sooner|or thereabouts|at most|at the latest|"
    r"from (?:now|today|tomorrow)|of (?:today|this message)))?+"
    r"|\b(?:within|in|inside)[ ](?:the|this)[ ](?:(?:next|current|coming)[ ])?(?:hour|day|week|month|minute"
    r"|fortnight)\b"
    r"|\bover the (?:next|coming) (?:hours|days|weeks)\b|\bin the (?:next|coming) (?:hours|days|weeks)\b"
    r"|\b(?:overnight|hourly)\b|\bevery (?:hour|day|morning|week)\b|\b(?:same|next)[- ](?:business |working "
    r")?day(?=[ ](?:delivery|shipping|dispatch|service|reply|response)\b)"
)

DAY_NAME = r"(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b"
_SHORT_DAY = r"(?:mon|tues?|wed|thurs?|fri|sat|sun)\b"
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b(?:\.(?=[ ]?\d))?"
)
_CLOCK = (
    r"(?:\d{1,2}(?:[:.]\d{2})?[ ]?(?:a\.m\.|p\.m\.|am\b|pm\b)|\d{1,2}:\d{2}\b(?:[ ]?(?:hrs|hours|[A-Z]{2,4}T)\b)?"
    r"|\bnoon\b|\bmidday\b|\bmidnight\b|\d{1,2}[ ]?o'clock\b)"
)
_CLOCKS = (
    rf"(?:between[ ]\d{{1,2}}[ ]and[ ]\d{{1,2}}(?=,?[ ](?:on|today|tomorrow|this)\b)"
    rf"|between[ ](?:\d{{1,2}}(?::\d{{2}})?|{_CLOCK})[ ](?:and|-|to)[ ]{_CLOCK}"
    rf"|(?:\d{{1,2}}[ ]?-[ ]?)?{_CLOCK}(?:[ ]?(?:-|to)[ ]?{_CLOCK})?+)"
)
CALENDAR_DATE = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}\b|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b"
    rf"|(?:the[ ])?\d{{1,2}}(?:st|nd|rd|th)?[ ](?:of[ ])?{MONTH}(?:,?[ ]\d{{4}}\b)?+"
    rf"|{MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?[ ]\d{{4}}\b)?+|the[ ]\d{{1,2}}(?:st|nd|rd|th)\b)"
)
_PERIOD = (
    r"(?:day|business day|working day|business|play|week|month|year|quarter|weekend|"
    r"today|tomorrow|this week|next week|the day today)"
)
_END_OF = (
    rf"(?:(?:the[ ])?(?:end|close|beginning|start|middle)[ ]of[ ]"
    rf"(?:the[ ]|this[ ]|next[ ]|our[ ])?(?:{_PERIOD}|{MONTH}|{DAY_NAME})\b|\b(?:eod|cob|eob|eow)\b)"
)
_DAY_PART = r"(?:morning|afternoon|evening|night|noon|lunchtime|midday)\b"
_ANCHOR = (
    rf"(?:the day after tomorrow\b|(?:{_END_OF})"
    rf"|(?:(?:first thing|early|later|late|mid|some ?time)[ -])?(?:(?:this|next|on|the)[ ])?(?:tomorrow|today"
    rf"|tonight)(?:[ ]{_DAY_PART})?+\b"
    rf"|(?:(?:early|later|late|mid|some ?time)[ -])?(?:this|next|the following|the coming|coming|following)[ ]"
    rf"(?:business[ ]|working[ ])?(?:{DAY_NAME}|{_DAY_PART}|week(?:end)?\b|month\b|day\b|year\b|quarter\b"
    rf"|(?!may\b){MONTH})"
    rf"|(?:the[ ])?weekend\b|{DAY_NAME}(?:[ ]{_DAY_PART})?+|{CALENDAR_DATE})"
)
_ANCHORS = (
    rf"(?:{_ANCHOR}(?:,?[ ](?:(?:or|and)[ ])?(?:(?:on|the|this|next|of)[ ])?"
    rf"(?:{_ANCHOR}|next week\b|this week\b|{_DAY_PART}))?+)"
)
_BEFORE = (
    r"(?:on or before|by|on|before|until|till|til|from|around|about|no later than|not later than|at the latest by|as "
    r"of|starting|for|at|after|in|"
    r"over|during|since|as early as|latest|sometime|some time|later)"
)
_DATES = (
    rf"(?:\b{_BEFORE}[ ]){{0,2}}+(?:the[ ])?(?:{_ANCHORS}(?:,?[ ](?:(?:at|by|before|after|around|from)[ ])?{_CLOCKS})?+"
    rf"|{_CLOCKS}(?:,?[ ](?:(?:on|by)[ ])?{_ANCHORS})?+)(?:[ ]at the latest\b)?+"
    rf"|\b(?:by|on|until|before)[ ]{_SHORT_DAY}"
    r"|\b(?:later on|yesterday|tonight)\b|\blast (?:week|month|night|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday)\b"
)
_VAGUE = (
    r"\b(?<!as )(?:(?:very|quite|pretty|really)[ ])?(?:shortly|soon)\b(?![ ]as\b)"
    r"|\b(?:just[ ])?as (?:soon|quickly|fast|promptly|early|swiftly|speedily) as (?:possible\b|(?:we|i|they) "
    r"(?:possibly )?can\b|"
    r"(?:(?:i|they|it|we|these|those|that|this|more|there)\b[^.,;!?\n]{0,40}\b(?:available|ready|in|know more|hear "
    r"back|an update|news)\b)|practicable\b|feasible\b)"
    r"|\basap\b|\ba\.s\.a\.p\b|\bin (?:the )?(?:near|very near|not too distant) future\b|\bin due (?:course|time)\b"
    r"|\b(?:promptly|momentarily|immediately|instantly|presently|imminently)\b|\bright (?:away|now)(?<=away)\b"
    r"|\bstraight ?away\b|\bat once\b"
    r"|\bin (?:just )?a (?:moment|bit|little while|while|second|minute|sec|jiffy|few)\b(?![ ](?:hours|days|minutes"
    r"|weeks|moments|seconds))"
    r"|\bat (?:the|our|your) earliest(?: (?:opportunity|convenience|possible))?\b|\bwithout (?:any )?(?:further "
    r"|undue )?delay\b"
    r"|\bbefore (?:too )?long\b|\bany (?:day|minute|moment|time|second) now\b|\bin no time\b|\bsome ?time soon\b"
    r"|\bin a timely (?:manner|fashion)\b"
    r"|\bwithin moments\b|\bin time for [A-Z]\w+"
)
_MASTER = re.compile(
    rf"(?<!\w)(?=\w)(?:(?P<duration>{_DURATIONS})|(?P<date>{_DATES})|(?P<vague>{_VAGUE}))", re.IGNORECASE
)
_NOT_A_TIME = re.compile(
    r"(?:(?:in|for|after)[ ])?(?:the[ ])?(?:first|some|another|a|an|the|this|next)[ ](?:moments?|seconds?|minutes?"
    r"|day|weekend|month|week|year)"
    r"|(?:for|only|just)[ ].*|24/7|\d{1,4}[.,]\d+|the",
    re.IGNORECASE,
)


_STRETCH = re.compile(r"[^\n]+")
_STOP = re.compile(r"(?<=[a-z)\"'])[.!?] ")
_LETTERS = re.compile(r"[a-z]+|\d")
_TRIGGERS = words(
    "second seconds sec secs minute minutes min mins moment moments hour hours hr hrs day days week weeks month "
    "months year years "
    "fortnight fortnights weekday weekdays weekend weekends hourly overnight today tomorrow tonight yesterday soon "
    "shortly asap "
    "promptly momentarily immediately instantly presently imminently away straightaway once moment bit while jiffy "
    "course time times "
    "earliest delay long possible future feasible practicable can available ready eod cob eob eow noon midday "
    "midnight morning "
    "afternoon evening night monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays "
    "saturday saturdays "
    "sunday sundays mon tue tues wed thu thurs fri sat sun january february march april may june july august "
    "september october "
    "november december jan feb mar apr jun jul aug sep sept oct nov dec later quarter month business play lunchtime "
    "timely a"
) - {"a"} | frozenset("0123456789")


def find_times(text: str) -> tuple[TimeSpan, ...]:
    """Return the time expressions of a folded text in order; stretches without a word of time are skipped."""
    found: list[TimeSpan] = []
    for start, end in _stretches(text):
        if _TRIGGERS.isdisjoint(_LETTERS.findall(text[start:end].lower())):
            continue
        for match in _MASTER.finditer(text, start, end):
            kind = TimeKind(match.lastgroup or "vague")
            if match[0].strip() and not (kind is TimeKind.DURATION and _NOT_A_TIME.fullmatch(match[0])):
                found.append(TimeSpan(match.start(), match.end(), kind, match[0]))
    return tuple(found)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    for line in _STRETCH.finditer(text):
        start = line.start()
        for stop in _STOP.finditer(text, start, line.end()):
            yield start, stop.end()
            start = stop.end()
        yield start, line.end()
