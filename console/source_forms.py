"""What the pages about sources take in: a day and channel to look at, and the settlement of a conflict."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from django import forms
from django.http import QueryDict

from console.views.insertion import unix_lines
from drafts.decisions.textgate import TextRefused, check_text
from ledger.decisions.text import is_blank


class AsOf(forms.Form):
    """The day and the channel that a page about policies is asked about."""

    on = forms.DateField(
        required=False,
        label="As of",
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": "This is no day of the calendar. Write it as YYYY-MM-DD; today is shown instead."},
    )
    channel = forms.CharField(required=False, max_length=256, label="Channel")

    def __init__(self, asked: Mapping[str, str], *, today: date) -> None:
        super().__init__({"on": today.isoformat(), **{name: asked[name] for name in asked if asked[name]}})
        self.is_valid()
        self.on_day: date = self.cleaned_data.get("on") or today
        self.on_channel: str | None = self.cleaned_data.get("channel") or None


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a conflict is to be settled, as typed; names are as the conflict lists them, `faults` by field."""

    keep: str = ""
    retire: tuple[str, ...] = ()
    reason: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


def read_settlement(sent: QueryDict) -> Settlement:
    """Read a settlement; the version that is kept is never among those to be retired."""
    keep, reason = sent.get("keep", ""), unix_lines(sent.get("reason", ""))
    retire = tuple(name for name in dict.fromkeys(sent.getlist("retire")) if name != keep)
    return Settlement(keep, retire, reason, dict(_faults(keep, reason)))


def _faults(keep: str, reason: str) -> Iterator[tuple[str, str]]:
    if not keep:
        yield "keep", "Choose the version that answers from now on."
    try:
        check_text("reason", reason)
    except TextRefused as refused:
        yield "reason", refused.message
    if is_blank(reason):
        yield "reason", "Say why, in a sentence that a colleague will understand."
