"""HTML in which every text is escaped by construction: what is no `Html` is text."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from html import escape
from zoneinfo import ZoneInfo

from drafts.decisions.structure import PieceKind, visible_pieces

EMPTY_ELEMENTS = frozenset({"meta"})


class Html(str):
    """A stretch of finished HTML; only this module makes one."""

    __slots__ = ()


def tag(name: str, /, *inside: str, **attributes: str) -> Html:
    """Return an element. Names of attributes lose a closing underscore and write others as hyphens."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    if name in EMPTY_ELEMENTS:
        return Html(f"<{name}{told}>")
    return Html(f"<{name}{told}>{join(inside)}</{name}>")


def join(parts: Iterable[str]) -> Html:
    """Return the parts one after the other; what is no `Html` is escaped."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def letter(text: str, pointer: str = "") -> Html:
    """Show a text to the letter, each hidden character as a chip that names it.

    `pointer` says where in the pack's content the text stands, so that a verifier can compare what is shown with it.
    """
    shown = [
        tag("span", piece.name, class_="chip", data_is=f"{ord(piece.text[0]):x}*{len(piece.text)}")
        if piece.kind is PieceKind.HIDDEN
        else piece.text
        for piece in visible_pieces(text)
    ]
    return tag("bdi", *shown, class_="letter", **({"data_shows": pointer} if pointer else {}))


def quote(text: str, pointer: str = "") -> Html:
    """Show a text of somebody's as a block."""
    return tag("blockquote", letter(text, pointer))


def pairs(rows: Iterable[tuple[str, str | None]]) -> Html:
    """Show names and values; what is not known is left out."""
    shown = [tag("div", tag("dt", name), tag("dd", value)) for name, value in rows if value]
    return tag("dl", *shown) if shown else Html()


def section(title: str, *inside: str, id_: str) -> Html:
    """Show one part of a document under its heading."""
    return tag("section", tag("h2", title, id=id_), *inside, aria_labelledby=id_)


def moment(at: datetime | str | None, zone: ZoneInfo) -> Html | None:
    """Show an instant to the second in a zone, and readable by machines in UTC."""
    if at is None:
        return None
    instant = datetime.fromisoformat(at) if isinstance(at, str) else at
    local = instant.astimezone(zone)
    shown = f"{local.day} {MONTHS[local.month - 1]} {local.year}, {local:%H:%M:%S} {local:%Z}"
    return tag("time", shown, datetime=instant.astimezone(UTC).isoformat())


ISO_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def in_words(day: str) -> str:
    """Write a day of the form 2026-11-30 as 30 Nov 2026; anything else stays as it is."""
    if not ISO_DAY.fullmatch(day):
        return day
    year, month, number = day.split("-")
    return f"{int(number)} {MONTHS[int(month) - 1]} {int(year)}"


def table(titles: Iterable[str], rows: Iterable[Iterable[str]], *, caption: str) -> Html:
    """Show rows under titles; a narrow screen shows each cell with its title."""
    heads = tuple(titles)
    body = [
        tag("tr", *(tag("td", cell, data_title=head) for head, cell in zip(heads, row, strict=True))) for row in rows
    ]
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *(tag("th", head, scope="col") for head in heads))),
        tag("tbody", *body),
    )


def known(values: Mapping[str, object], name: str) -> str:
    """Return one member as text; "" where it is absent or null."""
    value = values.get(name)
    return "" if value is None else str(value)
