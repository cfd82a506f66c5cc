"""Charts as SVG, drawn on the server: they need no script, follow light and dark, and print.

Bars are told apart by hatching as well as by colour. Every chart is shown with its numbers in a table behind it
(`templates/_chart.html`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING

from django.http import HttpResponse

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from console.http import ConsoleRequest

POINTS_AN_INCH = 72
LETTER = 6.2
"""The width of a letter of the labels, in points; the reader's own font may be a little wider or narrower."""
GAP = 8
"""Between two labels, in points."""
BESIDE = 46
"""What the numbers of the axis and the margins take of the width, in points."""
LONGEST = 28
"""Letters in one line of a label."""
SWATCH = 34
"""What stands before a name in the legend, and the space after it, in points."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """How large a chart is drawn: in inches, without its legend.

    Few bars keep room for `fewest_places`, so that one bar is no wall; of many, at most `most_labels` are named.
    """

    width: float
    height: float
    fewest_places: int
    most_labels: int

    @property
    def room(self) -> float:
        """Return the width of the axis, in points."""
        return self.width * POINTS_AN_INCH - BESIDE


_WIDE = _Shape(width=11, height=2.4, fewest_places=8, most_labels=14)
_NARROW = _Shape(width=3.6, height=2.2, fewest_places=4, most_labels=6)
_LEGEND_LINE = 0.19
"""The height of one line of the legend, in inches."""


@dataclass(frozen=True, slots=True)
class _Look:
    ink: str
    line: str
    fills: tuple[str, ...]


_LIGHT = _Look("#1e2426", "#8d8f8a", ("#1d5c63", "#b8791f", "#7a68b3", "#7f8a8d", "#b0566b"))
_DARK = _Look("#e6e8e6", "#78838a", ("#8fd0d8", "#f2c26b", "#c4b5f5", "#9aa5a8", "#f0a3b4"))
_HATCHES = ("", "///", "...", "xxx", "---")


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
        return self._also("dark=1")

    @property
    def narrow_url(self) -> str:
        """Return the address of the same chart for a phone."""
        return self._also("narrow=1")

    @property
    def narrow_dark_url(self) -> str:
        """Return the address of the same chart for a dark phone."""
        return self._also("narrow=1&dark=1")

    def _also(self, query: str) -> str:
        return f"{self.url}{'&' if '?' in self.url else '?'}{query}"

    @property
    def rows(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return the table's rows: each label with its numbers, in the order of the series."""
        return tuple((label, tuple(each.values[at] for each in self.series)) for at, label in enumerate(self.labels))


def bars(
    series: Sequence[Series], *, labels: Sequence[str], title: str, dark: bool = False, narrow: bool = False
) -> bytes:
    """Draw stacked bars, one for each label, as an SVG document; the same input gives the same bytes.

    Raises ValueError where a series does not have one value for every label, or there are more than five series.
    """
    if any(len(each.values) != len(labels) for each in series) or len(series) > len(_HATCHES):
        raise ValueError("Give up to five series, each with one value for every label.")
    figure_class = _prepared()
    look, shape = _DARK if dark else _LIGHT, _NARROW if narrow else _WIDE
    columns = _legend_columns(series, shape)
    legend_lines = -(-len(series) // columns) if len(series) > 1 else 0
    size = (shape.width, shape.height + legend_lines * _LEGEND_LINE)
    figure = figure_class(figsize=size, layout="constrained", facecolor="none")
    axes = figure.add_subplot(facecolor="none")
    below = [0] * len(labels)
    for each, fill, hatch in zip(series, look.fills, _HATCHES, strict=False):
        style = {"color": fill, "hatch": hatch, "edgecolor": look.ink, "linewidth": 0.4}
        axes.bar(range(len(labels)), each.values, bottom=below, width=0.72, label=each.name, **style)
        below = [base + value for base, value in zip(below, each.values, strict=True)]
    _dress(axes, labels, highest=max(below, default=0), look=look, shape=shape)
    if len(series) > 1:
        figure.legend(frameon=False, labelcolor=look.ink, loc="outside upper left", ncols=columns, fontsize=9)
    written = BytesIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return written.getvalue()


def svg(request: "ConsoleRequest", series: Sequence[Series], *, labels: Sequence[str], title: str) -> HttpResponse:
    """Answer with a chart, for a dark screen or a phone where the address asks for it."""
    drawn = bars(series, labels=labels, title=title, dark="dark" in request.GET, narrow="narrow" in request.GET)
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


def _legend_columns(series: Sequence[Series], shape: _Shape) -> int:
    """Return how many names of the series stand side by side."""
    longest = max((len(each.name) for each in series), default=0)
    return max(min(int(shape.room // (longest * LETTER + SWATCH)), len(series)), 1)


def _named_every(labels: Sequence[str], shape: _Shape) -> int:
    """Return at which distance bars are named, so that no two names meet: 1 where each is named."""
    longest = max((len(line) for label in labels for line in label.splitlines()), default=0)
    place = shape.room / max(len(labels), shape.fewest_places)
    by_width = ceil((longest * LETTER + GAP) / place)
    return max(by_width, ceil(len(labels) / shape.most_labels), 1)


def _shortened(label: str) -> str:
    """Cut lines that would leave no room for the bars; the whole name stands in the table."""
    return "\n".join(line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…" for line in label.splitlines())


def _dress(axes: "Axes", labels: Sequence[str], *, highest: int, look: _Look, shape: _Shape) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - see above

    labels = [_shortened(label) for label in labels]
    every = _named_every(labels, shape)
    axes.set_xticks(range(0, len(labels), every), labels[::every])
    axes.set_xlim(-0.6, max(len(labels), shape.fewest_places) - 0.4)
    axes.set_ylim(0, max(highest * 1.08, 1))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axes.tick_params(colors=look.ink, length=0)
    axes.grid(axis="y", color=look.line, linewidth=0.5, alpha=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(look.line)
