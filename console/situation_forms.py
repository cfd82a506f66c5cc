"""Parse what the guided forms carry; forms save nothing."""

from django import forms

from console.forms import KeptText

SEARCH, COMPOSE, SEND = "search", "compose", "send"


class ReplyForm(forms.Form):
    """A reply that the desk composes: the customer's words where some are looked for, the text, and its own name."""

    quoted = KeptText()
    text = KeptText()
    composed = KeptText()
    external_id = KeptText()
    step = forms.ChoiceField(choices=[(step, step) for step in (SEARCH, COMPOSE, SEND)])
