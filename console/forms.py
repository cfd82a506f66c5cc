"""Parse and clean what people send; forms save nothing. Every text passes the text gate."""

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms

from console.views.insertion import unix_lines
from drafts.decisions.textgate import TextRefused, check_text
from ledger.decisions.text import is_blank


class KeptText(forms.CharField):
    """A text kept to the letter, line ends apart; what could not be stored is refused with a reason."""

    def __init__(self) -> None:
        super().__init__(required=False, strip=False)

    def to_python(self, value: object) -> str:
        """Return the text with single line feeds."""
        return unix_lines(super().to_python(value) or "")

    def run_validators(self, value: str) -> None:
        """Refuse what the text gate refuses."""
        try:
            check_text("text", value)
        except TextRefused as refused:
            raise forms.ValidationError(refused.message) from refused


@dataclass(frozen=True, slots=True)
class Sent:
    """Everything that the review page's one form carries, whichever of its buttons was pressed."""

    text: str | None = None
    seen_version: int | None = None
    answer_text: str | None = None
    proposed: str = ""
    reasons: Mapping[str, str] | None = None
    new_answer: str = ""
    owner: str = ""
    message: str = ""
    composed: str = ""
    question: str = ""
    insertion: str = ""
    dismiss: str = ""
    mend: str = ""

    def reason(self, purpose: str) -> str:
        """Return the reason typed for one purpose, empty where none was."""
        return (self.reasons or {}).get(purpose, "")


NOTHING_SENT = Sent()
REASON = "reason-"
COPIED = ("proposed", "new_answer", "owner", "message", "composed", "question", "insertion", "dismiss", "mend")


class ReviewForm(forms.Form):
    """The one form of the review page, so that no button can lose what was typed elsewhere on it."""

    text = KeptText()
    seen_version = forms.IntegerField(min_value=1, required=False)
    answer_text = KeptText()
    proposed = KeptText()
    new_answer = KeptText()
    owner = KeptText()
    message = KeptText()
    composed = KeptText()
    question = KeptText()
    insertion = KeptText()
    dismiss = KeptText()
    mend = KeptText()

    def sent(self) -> Sent:
        """Return what was sent; call after the form was found valid."""
        given = self.cleaned_data
        answer = given["answer_text"]
        return Sent(
            text=given["text"] if "text" in self.data else None,
            seen_version=given["seen_version"],
            answer_text=None if is_blank(answer) else answer,
            reasons=self._reasons(),
            **{name: given[name] for name in COPIED},
        )

    def clean(self) -> dict[str, object]:
        """Pass the reasons, whose names depend on what the page showed, through the text gate too."""
        for value in self._reasons().values():
            KeptText().run_validators(value)
        return self.cleaned_data

    def _reasons(self) -> dict[str, str]:
        return {
            name.removeprefix(REASON): unix_lines(str(value))
            for name, value in self.data.items()
            if name.startswith(REASON)
        }
