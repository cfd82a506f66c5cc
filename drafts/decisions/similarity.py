"""Nearest phrasings: TF-IDF over words, word pairs, letter groups and facets, with label centroids as a second voice.

Built once per set of phrasings; plain Python, no randomness, the same result on every machine.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from drafts.decisions.facets import facets_of
from drafts.decisions.sentences import fold

NEAREST = 3
COMMON = 0.12
NEAREST_WEIGHT, CENTROID_WEIGHT = 0.6, 0.4
SHARPNESS = 14.0

_WORD = re.compile(r"[a-z0-9']+")
_SUFFIXES = ("ations", "ation", "ements", "ement", "ings", "ing", "ies", "ied", "ers", "es", "ed", "ly", "s", "y", "e")
_BLOCK_WEIGHTS = {"w": 0.45, "b": 0.15, "c": 0.2, "f": 0.2}


@dataclass(frozen=True, slots=True)
class Likeness:
    """How near a text is to one label: `share` of all labels together, `nearest` cosine of its best phrasing."""

    label: str
    share: float
    nearest: float


class PhrasingModel:
    """A ranking of labels by their phrasings; immutable once built."""

    def __init__(self, phrasings: Iterable[tuple[str, str]]) -> None:
        seeds = [(label, _features(fold(text))) for label, text in phrasings]
        self._labels = tuple(label for label, _ in seeds)
        counts = Counter(feature for _, features in seeds for feature in features)
        self._idf = {
            feature: math.log((1 + len(seeds)) / (1 + count)) + 1
            for feature, count in counts.items()
            if feature[0] != "c" or count <= max(COMMON * len(seeds), 2)
        }
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._centroids: dict[str, list[tuple[str, float]]] = defaultdict(list)
        self._index([(label, self._vector(features)) for label, features in seeds])

    def rank(self, folded: str) -> tuple[Likeness, ...]:
        """Return every label with its likeness to one folded sentence, the likeliest first."""
        vector = self._vector(_features(folded))
        cosines: dict[int, float] = defaultdict(float)
        centred: dict[str, float] = defaultdict(float)
        for feature, weight in vector.items():
            for seed, other in self._postings.get(feature, ()):
                cosines[seed] += weight * other
            for label, other in self._centroids.get(feature, ()):
                centred[label] += weight * other
        return _likenesses(self._labels, cosines, centred)

    def _index(self, vectors: Sequence[tuple[str, Mapping[str, float]]]) -> None:
        sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for seed, (label, vector) in enumerate(vectors):
            for feature, weight in vector.items():
                self._postings[feature].append((seed, weight))
                sums[label][feature] += weight
        for label, total in sums.items():
            norm = math.sqrt(sum(weight * weight for weight in total.values())) or 1.0
            for feature, weight in total.items():
                self._centroids[feature].append((label, weight / norm))

    def _vector(self, features: Mapping[str, int]) -> dict[str, float]:
        """Weigh features by rarity; each block of features has a fixed part of the whole length."""
        weighted = {f: (1 + math.log(n)) * self._idf[f] for f, n in features.items() if f in self._idf}
        lengths: dict[str, float] = defaultdict(float)
        for feature, n in features.items():
            lengths[feature[0]] += ((1 + math.log(n)) * self._idf.get(feature, 1.0)) ** 2
        return {f: w * math.sqrt(_BLOCK_WEIGHTS[f[0]] / lengths[f[0]]) for f, w in weighted.items()}


def _likenesses(
    labels: Sequence[str], cosines: Mapping[int, float], centred: Mapping[str, float]
) -> tuple[Likeness, ...]:
    by_label: dict[str, list[float]] = {label: [] for label in dict.fromkeys(labels)}
    for seed, cosine in cosines.items():
        by_label[labels[seed]].append(cosine)
    scores: dict[str, tuple[float, float]] = {}
    for label, found in by_label.items():
        best = sorted(found, reverse=True)[:NEAREST]
        mean = sum(best) / len(best) if best else 0.0
        scores[label] = NEAREST_WEIGHT * mean + CENTROID_WEIGHT * centred.get(label, 0.0), max(best, default=0.0)
    sharpened = {label: math.exp(SHARPNESS * score) for label, (score, _) in scores.items()}
    total = sum(sharpened.values()) or 1.0
    ranked = (Likeness(label, sharpened[label] / total, nearest) for label, (_, nearest) in scores.items())
    return tuple(sorted(ranked, key=lambda one: (-one.share, one.label)))


def stem(word: str) -> str:
    """Return a word without its commonest ending, so that `returns`, `returned` and `return` agree."""
    if not word.endswith(_SUFFIXES):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def words_of(folded: str) -> list[str]:
    """Return the words of a folded text."""
    return _WORD.findall(folded)


def _features(folded: str) -> Counter[str]:
    stems = [stem(word) for word in words_of(folded)]
    features = Counter("w" + one for one in stems)
    features.update(f"b{first} {second}" for first, second in zip(["^", *stems], [*stems, "$"], strict=True))
    for one in stems:
        padded = f"<{one}>"
        features.update("c" + padded[at : at + 3] for at in range(len(padded) - 2))
    features.update("f" + facet for facet in facets_of(folded))
    return features
