"""Mails on their way out: to a mail server, or into a folder where there is none. Nothing here is retried."""

import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import urlsplit

from drafts.decisions.mailing import Answered, Letter, Outcome

SECONDS = 20.0
"""How long a mail server may take for each step."""

SAID_AT_MOST = 300


@dataclass(frozen=True, slots=True)
class MailServer:
    """A server that takes mails; `security` is tls, starttls or none."""

    host: str
    port: int
    security: str
    user: str
    password: str


@dataclass(frozen=True, slots=True)
class Post:
    """How mails leave: through a server, or into a folder; from whom, and where their links lead."""

    server: MailServer | None
    folder: Path
    sender: str
    public_url: str


def send(letter: Letter, post: Post) -> Answered:
    """Send one mail and say what came of it; a refusal for good and a passing trouble are told apart."""
    try:
        message = composed(letter, post)
    except (ValueError, HeaderParseError, IndexError) as error:
        return Answered(Outcome.REFUSED, f"The address {letter.to!r} cannot be used: {error}"[:SAID_AT_MOST])
    try:
        return _through(post.server, message) if post.server else _into(post.folder, letter, message)
    except (OSError, smtplib.SMTPException) as error:
        return _answered(error)


def composed(letter: Letter, post: Post) -> EmailMessage:
    """Return the mail: plain text, one recipient, and a Message-ID that is the same at every attempt.

    Raises ValueError where the address or the subject cannot stand in a header.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = post.sender
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(letter.written_at)
    message["Message-ID"] = f"<notice-{letter.notice_id}@{urlsplit(post.public_url).hostname or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    link = f"\n\n{post.public_url.rstrip('/')}{letter.path}" if letter.path else ""
    message.set_content(f"{letter.text}{link}\n\n-- \nSent by Countersign. Your notices: {post.public_url}/notices/\n")
    return message


def _through(server: MailServer, message: EmailMessage) -> Answered:
    with _connected(server) as connection:
        connection.send_message(message)
    return Answered(Outcome.SENT)


@contextmanager
def _connected(server: MailServer) -> Iterator[smtplib.SMTP]:
    """Open a session; one that ends after the mail was taken must not look like a failure."""
    trusted = ssl.create_default_context()
    if server.security == "tls":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=trusted)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    try:
        if server.security == "starttls":
            connection.starttls(context=trusted)
        if server.user:
            connection.login(server.user, server.password)
        yield connection
    finally:
        connection.close()


def _into(folder: Path, letter: Letter, message: EmailMessage) -> Answered:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{letter.written_at:%Y%m%dT%H%M%S}-{letter.notice_id}"
    unfinished = folder / f".{name}.part"
    unfinished.write_bytes(bytes(message))
    unfinished.replace(folder / f"{name}.eml")
    return Answered(Outcome.SENT, "written into the mail folder, since no mail server is set")


def _answered(error: Exception) -> Answered:
    codes = _codes(error)
    final = bool(codes) and all(500 <= code < 600 for code in codes)
    said = _said(error)
    return Answered(Outcome.REFUSED if final else Outcome.AGAIN, said[:SAID_AT_MOST])


def _codes(error: Exception) -> tuple[int, ...]:
    """Return the reply codes that are about this mail; one about us (a log-in, a greeting) says nothing of it."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            return tuple(code for code, _ in error.recipients.values())
        case smtplib.SMTPSenderRefused() | smtplib.SMTPDataError():
            return (error.smtp_code,)
        case _:
            return ()


def _said(error: Exception) -> str:
    match error:
        case smtplib.SMTPRecipientsRefused():
            told: Mapping[str, tuple[int, bytes]] = error.recipients
            words = "; ".join(f"{code} {_text(reply)}" for code, reply in told.values())
            return f"The mail server refused the address: {words}"
        case smtplib.SMTPResponseException():
            return f"The mail server answered {error.smtp_code} {_text(error.smtp_error)}"
        case _:
            return f"The mail server could not be reached: {error or type(error).__name__}"


def _text(reply: bytes | str) -> str:
    text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    return " ".join(text.split())
