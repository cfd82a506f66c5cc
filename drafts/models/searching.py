"""How texts are searched: by the beginnings of words, without the grammar of any one language."""

from django.contrib.postgres.search import SearchVector
from django.db.models import Func, TextField, Value
from django.db.models.functions import Left

SEARCHED = 10_000
"""The first characters of a text that are searched; the rest would only slow intake."""

SIGNS = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""What stands between words. PostgreSQL would look among these for addresses, paths and tags, for minutes on some."""


def words_of(field: str) -> SearchVector:
    """Return a text's words as the index keeps them; a search uses the index only where it says exactly this."""
    spaced = Func(
        Left(field, SEARCHED), Value(SIGNS), Value(" " * len(SIGNS)), function="translate", output_field=TextField()
    )
    return SearchVector(spaced, config="simple")
