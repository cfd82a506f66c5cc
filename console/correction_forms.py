"""Parse what narrows the log of corrections, and what a correction from the ledger carries; forms save nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from console.forms import KeptText
from drafts.queries import LogChoices, Narrowing

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2999, 12, 31)
WITHIN = "Choose a day between 1 Jan 1970 and 31 Dec 2999."


class Day(forms.DateField):
    """A calendar day within what the database can hold in every zone."""

    def __init__(self, label: str) -> None:
        super().__init__(
            required=False,
            label=label,
            widget=forms.DateInput(attrs={"type": "date"}),
            validators=[MinValueValidator(FIRST_DAY, WITHIN), MaxValueValidator(LAST_DAY, WITHIN)],
            error_messages={"invalid": "Write the day as year-month-day, for example 2026-04-03."},
        )


class LogFilters(forms.Form):
    """By what the log is narrowed. A log is also evidence, so what is not understood is told and never left out."""

    since = Day("From")
    until = Day("To, included")
    q = forms.CharField(required=False, max_length=200, label="Words in the reason")
    conversation = forms.CharField(required=False, max_length=256, label="Conversation id", widget=forms.HiddenInput)

    def __init__(self, asked: Mapping[str, str], choices: LogChoices) -> None:
        super().__init__(asked, label_suffix="")
        owners = [(o.get_username(), o.get_full_name() or o.get_username()) for o in choices.owners]
        self.fields["key"] = _one_of("Question", [(key, key) for key in choices.keys])
        self.fields["owner"] = _one_of("Owner", owners)
        self.fields["source"] = _one_of("Source document", [(doc, doc) for doc in choices.documents])

    def clean(self) -> dict[str, object]:
        """Refuse a span of days that ends before it begins."""
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", "This day lies before the first one.")
        return self.cleaned_data

    def narrowing(self, zone: ZoneInfo) -> Narrowing:
        """Return what was asked for, days as instants of the organisation's zone; call after `is_valid`."""
        given = self.cleaned_data
        until = given["until"] + timedelta(days=1) if given["until"] else None
        return Narrowing(
            since=_midnight(given["since"], zone),
            until=_midnight(until, zone),
            question_key=given["key"],
            owner=given["owner"],
            document=given["source"],
            reason=given["q"],
            conversation=given["conversation"],
        )

    def asked(self) -> dict[str, str]:
        """Return the filters that are set, for links that keep them."""
        return {name: value for name in self.fields if (value := self.data.get(name, ""))}


def _one_of(label: str, options: list[tuple[str, str]]) -> forms.ChoiceField:
    unknown = {"invalid_choice": "Nothing in the log has this."}
    return forms.ChoiceField(choices=[("", "Any"), *options], required=False, label=label, error_messages=unknown)


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return datetime.combine(day, time.min, zone) if day else None


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields of a correction, as they were typed; `composed` is the message last shown, `seen_entry` its answer.

    `outside_message` and `withdrawn` name the reply and the words of it where they were said past the desk;
    `seen_version` is that of the item from which this was started.
    """

    new_answer: str = ""
    reason: str = ""
    owner: str = ""
    message: str = ""
    composed: str = ""
    seen_entry: str = ""
    outside_message: str = ""
    withdrawn: str = ""
    seen_version: str = ""

    @property
    def in_own_words(self) -> bool:
        """Say whether the message is somebody's own and not the one that was composed."""
        return bool(self.message.strip()) and self.message != self.composed


TYPED = (
    "new_answer",
    "reason",
    "owner",
    "message",
    "composed",
    "seen_entry",
    "outside_message",
    "withdrawn",
    "seen_version",
)


class CorrectionForm(forms.Form):
    """A correction; `step` names the button that was pressed."""

    new_answer = KeptText()
    reason = KeptText()
    owner = KeptText()
    message = KeptText()
    composed = KeptText()
    seen_entry = KeptText()
    outside_message = KeptText()
    withdrawn = KeptText()
    seen_version = KeptText()
    step = forms.ChoiceField(choices=[(step, step) for step in ("passage", "words", "preview", "issue")])

    def typed(self) -> Typed:
        """Return what was typed, also where a field cannot be used."""
        return Typed(**{name: self.cleaned_data.get(name) or self.data.get(name) or "" for name in TYPED})
