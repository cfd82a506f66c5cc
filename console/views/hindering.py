"""What keeps a text from being approved whatever it says: it is no reply, or somebody else has the item."""

from typing import TYPE_CHECKING

from django.template.defaultfilters import date
from django.utils.timezone import localtime

from console.views.standing import Standing
from drafts.decisions.textgate import TextRefused, check_text
from ledger.decisions.text import is_blank

if TYPE_CHECKING:
    from console.views.review_page import Notice


def hindrances_of(text: str, standing: Standing, notice: "Notice | None") -> tuple[str, ...]:
    """Tell each in a sentence; what the analysis of the text finds stands beside them."""
    return tuple(told for told in (_of_text(text), _of_colleague(standing), _of_form(notice)) if told)


def _of_text(text: str) -> str:
    if is_blank(text):
        return "The reply is empty. Write it, or send the draft back."
    try:
        check_text("text", text)
    except TextRefused as refused:
        return refused.message
    return ""


def _of_colleague(standing: Standing) -> str:
    if standing.held_by is None or standing.held_until is None or standing.held_by_me:
        return ""
    until = date(localtime(standing.held_until), "H:i")
    return f"{standing.held_by} has taken this item until {until}. Check again once it is free."


def _of_form(notice: "Notice | None") -> str:
    """Say which other field keeps the whole form from being read; what is wrong with the text is told as such."""
    if notice is None or not notice.of_form or notice.field == "text":
        return ""
    return f"Something typed on this page could not be used. {' '.join(notice.lines)}"
