"""Keep what people typed when something overtakes it; nothing typed is ever lost. Part of a transaction."""

from datetime import datetime

from django.contrib.auth.models import User

from drafts.models import ParkedText, ReviewItem, WorkingText


def park(item: ReviewItem, text: str | None, *, author: User, because: str, now: datetime) -> None:
    """Keep a reviewer's text that was overtaken, unless the draft has held it."""
    if text and not is_a_version(item, text):
        ParkedText.objects.create(item=item, text=text, author=author, because=because, parked_at=now)


def park_all_typed(item: ReviewItem, *, because: str, now: datetime, apart_from: User | None = None) -> None:
    """Park what people were typing into an item; what one of them has just handed in themselves is only forgotten."""
    for typed in WorkingText.objects.filter(item=item).select_related("author"):
        if typed.author != apart_from:
            park(item, typed.text, author=typed.author, because=because, now=now)
        typed.delete()


def forget_typed(item: ReviewItem, author: User, *, text: str | None = None) -> None:
    """Drop what a person was typing, which they have now handed in; with `text` only where it is that text."""
    typed = WorkingText.objects.filter(item=item, author=author)
    (typed if text is None else typed.filter(text=text)).delete()


def is_a_version(item: ReviewItem, text: str) -> bool:
    """Say whether one of the draft's versions is this text, so that keeping it aside would keep nothing more."""
    return item.draft_versions.filter(text=text).exists()


def called(person: User) -> str:
    """Return how a person is named in a sentence that is kept."""
    return person.get_full_name() or person.get_username()
