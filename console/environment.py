"""Typed reading of environment variables; a value that cannot be read is refused with the remedy."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from drafts.gateways.mail import MailServer

MAIL_PORTS = {"starttls": 587, "tls": 465, "none": 25}
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class SetupProblem(Exception):
    """Something outside the program must be changed before it can run; the message says what, in words for people."""


class BadSetting(SetupProblem):
    """An environment variable holds something that cannot be used."""


@dataclass(frozen=True)
class Hours:
    """When the organisation works: ISO weekdays (Monday is 1) and the local times it opens and closes."""

    workdays: frozenset[int]
    opens: time
    closes: time


@dataclass(frozen=True)
class Environment:
    values: Mapping[str, str]

    def text(self, name: str, default: str) -> str:
        """Return a variable's text; unset and empty are the same."""
        return self.values.get(name) or default

    def flag(self, name: str) -> bool:
        """Return whether a variable is switched on. Raises BadSetting."""
        value = self.text(name, "0").lower()
        if value not in {"0", "1", "true", "false", "yes", "no", "on", "off"}:
            raise BadSetting(f"{name}={value!r} is neither on nor off: set it to 1 or 0.")
        return value in {"1", "true", "yes", "on"}

    def number(self, name: str, default: int, *, at_most: int) -> int:
        """Return a whole number from 0 to `at_most`. Raises BadSetting."""
        value = self.text(name, str(default))
        if not (value.isascii() and value.isdigit() and len(value) < 10 and int(value) <= at_most):
            raise BadSetting(f"{name}={value!r} is no whole number from 0 to {at_most}.")
        return int(value)

    def words(self, name: str) -> list[str]:
        """Return the parts of a comma-separated variable."""
        return [word.strip() for word in self.text(name, "").split(",") if word.strip()]

    def address(self, name: str, default: str) -> str:
        """Return the address under which people reach this, without a slash at the end. Raises BadSetting."""
        value = self.text(name, default).rstrip("/")
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise BadSetting(f"{name}={value!r} is no web address: write it like https://desk.example.org.")
        return value

    def mail_server(self) -> MailServer | None:
        """Return the mail server of MAIL_HOST, MAIL_PORT, MAIL_SECURITY, MAIL_USER and MAIL_PASSWORD, None without one.

        Raises BadSetting.
        """
        host, security = self.text("MAIL_HOST", ""), self.text("MAIL_SECURITY", "starttls").lower()
        if security not in MAIL_PORTS:
            raise BadSetting(f"MAIL_SECURITY={security!r} is not known: write one of {', '.join(MAIL_PORTS)}.")
        port = self.number("MAIL_PORT", MAIL_PORTS[security], at_most=65_535)
        if not host:
            return None
        return MailServer(host, port, security, self.text("MAIL_USER", ""), self.text("MAIL_PASSWORD", ""))

    def zone(self, name: str, default: str) -> str:
        """Return the name of a time zone that exists. Raises BadSetting."""
        value = self.text(name, default)
        try:
            ZoneInfo(value)
        except (ValueError, OSError) as error:  # ZoneInfoNotFoundError is a KeyError, caught below
            raise BadSetting(f"{name}={value!r} is not a time zone: write it like Europe/Lisbon.") from error
        except KeyError as error:
            raise BadSetting(f"{name}={value!r} is not a time zone: write it like Europe/Lisbon.") from error
        return value

    def days(self, name: str) -> frozenset[date]:
        """Return comma-separated dates. Raises BadSetting."""
        try:
            return frozenset(date.fromisoformat(word) for word in self.words(name))
        except ValueError as error:
            raise BadSetting(
                f"{name} holds something that is no date ({error}): write 2026-12-25,2026-12-26."
            ) from error

    def hours(self, name: str, default: str) -> Hours:
        """Return office hours written like `Mon-Fri 09:00-18:00`. Raises BadSetting."""
        value = self.text(name, default)
        try:
            days, times = value.split()
            first, last = (WEEKDAYS.index(day) for day in days.split("-"))
            opens, closes = (time.fromisoformat(clock) for clock in times.split("-"))
        except ValueError as error:
            raise BadSetting(f"{name}={value!r} is not understood: write it like {default!r}.") from error
        if first > last or opens >= closes:
            raise BadSetting(f"{name}={value!r} ends before it begins: write it like {default!r}.")
        return Hours(frozenset(range(first + 1, last + 2)), opens, closes)
