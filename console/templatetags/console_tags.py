"""Formatting only: times, texts with their hidden characters shown, and the links of the header."""

from collections.abc import Iterable
from datetime import date, datetime

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from console.navigation import Link, links_for, role_names
from drafts.decisions.structure import Piece, PieceKind

register = template.Library()


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """Show an instant in the organisation's zone, readable by machines too."""
    if value is None:
        return ""
    local = localtime(value)
    shown = f"{local.day} {local:%b %Y, %H:%M}"
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), local.tzname() or "", shown)


@register.filter
def clock(value: datetime | None) -> SafeString | str:
    """Show the time of day to the second, in the organisation's zone."""
    if value is None:
        return ""
    local = localtime(value)
    return format_html('<time datetime="{}">{}</time>', local.isoformat(), f"{local:%H:%M:%S}")


@register.filter
def day(value: date | None) -> SafeString | str:
    """Show a calendar date."""
    if value is None:
        return ""
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), f"{value.day} {value:%b %Y}")


@register.filter
def pieces(value: Iterable[Piece]) -> SafeString:
    """Show a text to the letter: each piece escaped, each hidden character as a chip that names it."""
    return format_html_join("", "{}", ((_piece(one),) for one in value))


def _piece(piece: Piece) -> SafeString | str:
    if piece.kind is PieceKind.HIDDEN:
        return format_html('<span class="chip">{}</span>', piece.name)
    return piece.text


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> tuple[Link, ...]:
    """Return the links of the header for whoever is signed in; none on a page without a request."""
    request = context.get("request")
    if not request or not hasattr(request, "user"):
        return ()
    return links_for(request.user, request.get_full_path(), now=timezone.now())


@register.simple_tag(takes_context=True)
def roles(context: Context) -> str:
    """Return the roles of whoever is signed in, in words."""
    request = context.get("request")
    return role_names(request.user) if request and hasattr(request, "user") else ""


@register.simple_tag
def action_url(item_id: object, name: str) -> str:
    """Return where an action of the review page is sent."""
    return reverse(f"review-{name}", args=[item_id])
