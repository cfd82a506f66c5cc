"""Parse what begins a drift report and what narrows its rows; forms save nothing."""

from collections.abc import Mapping, Sequence
from datetime import date

from django import forms

from console.correction_forms import Day
from drafts.decisions.drift_files import LARGEST_FILE
from drafts.queries.drifting import Answers, Narrowing

LIMIT_MB = LARGEST_FILE // 1_000_000
NAME_LENGTH = 200
TOO_LARGE = (
    f"The file is larger than {LIMIT_MB} MB. Read it where it lies: manage.py drift FILE makes the same report on the "
    "command line and has no limit."
)
WANTED = {
    Answers.TWO: "Two answers or more",
    Answers.THREE: "Three answers or more",
    Answers.ASKED: "Asked three times or more",
    Answers.ALL: "Everything found",
}


class FileForm(forms.Form):
    """A file of conversations."""

    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        error_messages={"required": "Choose a file.", "invalid": "Choose a file."},
    )

    def refused_for(self, size: int) -> str:
        """Say why there is no file; `size` is the length of the whole request in bytes."""
        return TOO_LARGE if size > LARGEST_FILE else " ".join(map(str, self.errors.get("file", [])))

    @property
    def name(self) -> str:
        """Return what the file is called, cut where it is very long."""
        return str(self.cleaned_data["file"].name).replace("\x00", "")[:NAME_LENGTH]


class PastForm(forms.Form):
    """The days of our own past."""

    since = Day("From")
    until = Day("To, included")

    def clean(self) -> dict[str, object]:
        """Refuse a span of days that ends before it begins."""
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", "This day lies before the first one.")
        return self.cleaned_data

    @property
    def name(self) -> str:
        """Return what the days are called."""
        since, until = self.cleaned_data["since"], self.cleaned_data["until"]
        if since and until:
            return f"Our conversations, {_day(since)} to {_day(until)}"
        if since:
            return f"Our conversations since {_day(since)}"
        return f"Our conversations until {_day(until)}" if until else "All our conversations"


class RowFilters(forms.Form):
    """Which rows of a report are shown; what is not understood is left out."""

    answers = forms.ChoiceField(
        choices=[(one.value, told) for one, told in WANTED.items()], required=False, label="Show"
    )
    q = forms.CharField(required=False, max_length=200, label="Words in an answer, or a conversation")

    def __init__(self, asked: Mapping[str, str], keys: Sequence[tuple[str, str]]) -> None:
        super().__init__(asked, label_suffix="")
        self.keys = keys
        self.fields["key"] = forms.ChoiceField(choices=[("", "Any"), *keys], required=False, label="Question")
        self.order_fields(["answers", "key", "q"])

    def narrowing(self) -> Narrowing:
        """Return what was asked for."""
        self.is_valid()
        given = self.cleaned_data
        words = given.get("q", "").replace("\x00", "")
        return Narrowing(Answers(given.get("answers") or Answers.TWO), given.get("key", ""), words)

    def kept(self) -> dict[str, str]:
        """Return the filters that are set and valid, for links that keep them."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
