"""Compose the message that tells a customer of a correction (rule 3.7): what was said, that it is withdrawn, what holds."""

from datetime import date


def compose(*, old_text: str, said_on: date | None, new_text: str, corrected_on: date, reference: str) -> str:
    """Return the message to the customer, from facts only.

    `said_on` and `corrected_on` are days in the organisation's zone; `reference` names the source of the new answer.
    """
    when = f"On {in_words(said_on)} we" if said_on else "Earlier we"
    return (
        f"{when} told you: “{old_text}” That answer was wrong and we withdraw it as of {in_words(corrected_on)}. "
        f"What holds instead: “{new_text}” (Source: {reference}.) We are sorry for the mistake."
    )


def frame(old_text: str, text: str) -> tuple[int, int] | None:
    """Return where the withdrawn answer stands in a correction message; only there may the old value appear."""
    at = text.find(old_text)
    return None if at < 0 else (at, at + len(old_text))


def in_words(day: date) -> str:
    """Write a day as `3 April 2026`."""
    return f"{day.day} {day:%B} {day.year}"
