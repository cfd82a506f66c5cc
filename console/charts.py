"""Charts as SVG, drawn on the server: they need no script, follow light and dark, and print.

Bars are told apart by hatching as well as by colour. Every chart is shown with its numbers in a table behind it
(`templates/_chart.html`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from django.http import HttpResponse

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from console.http import ConsoleRequest

INCHES = (7.6, 2.6)
FEWEST_PLACES = 8
"""A chart of few bars keeps room for so many, so that one bar is no wall."""
MOST_LABELS = 14
"""Labels below the axis; of more bars only every second, third … is named."""


@dataclass(frozen=True, slots=True)
class _Look:
    ink: str
    line: str
    fills: tuple[str, ...]


_LIGHT = _Look("#1e2426", "#8d8f8a", ("#1d5c63", "#b8791f", "#7a68b3", "#7f8a8d"))
_DARK = _Look("#e6e8e6", "#78838a", ("#8fd0d8", "#f2c26b", "#c4b5f5", "#9aa5a8"))
_HATCHES = ("", "///", "...", "xxx")


@dataclass(frozen=True, slots=True)
class Series:
    """One colour of the chart: a whole number for every label."""

    name: str
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class Chart:
    """What a template needs to show a chart: its address, its words, and the table behind it."""

    url: str
    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    first_column: str

    @property
    def dark_url(self) -> str:
        """Return the address of the same chart for a dark screen."""
        return f"{self.url}{'&' if '?' in self.url else '?'}dark=1"

    @property
    def rows(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return the table's rows: each label with its numbers, in the order of the series."""
        return tuple((label, tuple(each.values[at] for each in self.series)) for at, label in enumerate(self.labels))


def bars(series: Sequence[Series], *, labels: Sequence[str], title: str, dark: bool = False) -> bytes:
    """Draw stacked bars, one for each label, as an SVG document; the same input gives the same bytes.

    Raises ValueError where a series does not have one value for every label, or there are more than four series.
    """
    if any(len(each.values) != len(labels) for each in series) or len(series) > len(_HATCHES):
        raise ValueError("Give up to four series, each with one value for every label.")
    figure_class = _prepared()
    look = _DARK if dark else _LIGHT
    figure = figure_class(figsize=INCHES, layout="constrained", facecolor="none")
    axes = figure.add_subplot(facecolor="none")
    below = [0] * len(labels)
    for each, fill, hatch in zip(series, look.fills, _HATCHES, strict=False):
        style = {"color": fill, "hatch": hatch, "edgecolor": look.ink, "linewidth": 0.4}
        axes.bar(range(len(labels)), each.values, bottom=below, width=0.72, label=each.name, **style)
        below = [base + value for base, value in zip(below, each.values, strict=True)]
    _dress(axes, labels, highest=max(below, default=0), look=look)
    if len(series) > 1:
        figure.legend(frameon=False, labelcolor=look.ink, loc="outside upper left", ncols=len(series), fontsize=9)
    written = BytesIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return written.getvalue()


def svg(request: "ConsoleRequest", series: Sequence[Series], *, labels: Sequence[str], title: str) -> HttpResponse:
    """Answer with a chart, for a dark screen where the address asks for it."""
    drawn = bars(series, labels=labels, title=title, dark="dark" in request.GET)
    return HttpResponse(drawn, content_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@cache
def _prepared():  # type: ignore[no-untyped-def] # noqa: ANN202 - matplotlib's own class, imported when first needed
    """Set matplotlib up once: plain text instead of formulas, text as text, nothing random in the output."""
    import matplotlib as mpl  # noqa: PLC0415 - a second of loading that only charts should cost
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.rcParams.update(
        {
            "text.parse_math": False,
            "svg.fonttype": "none",
            "svg.hashsalt": "countersign",
            "font.family": "sans-serif",
            "font.size": 10,
            "hatch.linewidth": 0.6,
        }
    )
    return Figure


def _dress(axes: "Axes", labels: Sequence[str], *, highest: int, look: _Look) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - see above

    every = -(-len(labels) // MOST_LABELS) or 1
    axes.set_xticks(range(0, len(labels), every), labels[::every])
    axes.set_xlim(-0.6, max(len(labels), FEWEST_PLACES) - 0.4)
    axes.set_ylim(0, max(highest * 1.08, 1))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axes.tick_params(colors=look.ink, length=0)
    axes.grid(axis="y", color=look.line, linewidth=0.5, alpha=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(look.line)
