"""What can be asked of the queue: one list, filters that narrow it, and a search. All of it stands in the address."""

from collections.abc import Iterable, Mapping

from django import forms
from django.contrib.auth.models import User

from ledger.decisions.vocabulary import Handler

ANY = ("", "Any")
NAMED = "@"
"""Before the name of a person, so that no name can be taken for one of the other choices."""


class Filters(forms.Form):
    """Which items the queue shows; anything that is not understood is left out."""

    HANDLERS = (
        ANY,
        (Handler.REVIEWER, "Reviewer"),
        (Handler.POLICY_OWNER, "Policy owner"),
        (Handler.CORRECTION, "Correction"),
    )
    BLOCKED = (ANY, ("yes", "Blocked"), ("no", "Free to approve"))
    HELD = (("", "Anybody or nobody"), ("nobody", "Nobody"), ("me", "Me"))
    DUE = (ANY, ("overdue", "Overdue"), ("today", "Later today"), ("later", "After today"), ("none", "No deadline"))
    AGES = (ANY, ("hour", "More than an hour"), ("day", "More than a day"), ("week", "More than a week"))

    key = forms.CharField(required=False, max_length=200, label="Question")
    handler = forms.ChoiceField(choices=HANDLERS, required=False, label="Who must act")
    blockers = forms.ChoiceField(choices=BLOCKED, required=False, label="Blockers")
    held = forms.ChoiceField(required=False)
    channel = forms.CharField(required=False, max_length=200, label="Channel")
    due = forms.ChoiceField(choices=DUE, required=False, label="Deadline")
    age = forms.ChoiceField(choices=AGES, required=False, label="Here for")
    q = forms.CharField(required=False, max_length=200, label="Search")

    def __init__(self, asked: Mapping[str, str], *, people: Iterable[User], keys: Iterable[str]) -> None:
        super().__init__(asked, label_suffix="")
        names = [(f"{NAMED}{one.get_username()}", one.get_full_name() or one.get_username()) for one in people]
        held = [*self.HELD, *names]
        self.fields["held"] = forms.ChoiceField(choices=held, required=False, label="Held by")
        self._words: dict[str, dict[str, str]] = {
            "handler": dict(self.HANDLERS),
            "blockers": dict(self.BLOCKED),
            "held": dict(held),
            "due": dict(self.DUE),
            "age": dict(self.AGES),
        }
        chosen = [(key, key) for key in sorted({*keys, *filter(None, [asked.get("key", "")[:200]])})]
        self.fields["key"].widget = forms.Select(choices=[ANY, *chosen])
        self.fields["channel"].widget.attrs.update({"list": "channels", "autocomplete": "off"})
        self.fields["q"].widget = forms.TextInput(
            {"type": "search", "maxlength": 200, "autocapitalize": "none", "aria-describedby": "searched"}
        )

    def understood(self) -> dict[str, str]:
        """Return the filters that are set and valid, in the order in which they are shown."""
        self.is_valid()
        return {name: self.cleaned_data[name] for name in self.fields if self.cleaned_data.get(name)}

    def left_out(self) -> tuple[str, ...]:
        """Return the labels of what was asked and could not be understood."""
        return tuple(str(self.fields[name].label) for name in self.errors)

    def said(self, name: str, value: str) -> str:
        """Return a filter's value in the words of its choice."""
        return self._words.get(name, {}).get(value, value)
