"""What the pages about sources take in: a day and channel to look at."""

from collections.abc import Mapping
from datetime import date

from django import forms


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
