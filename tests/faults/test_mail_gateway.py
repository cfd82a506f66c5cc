"""Whatever a mail server does, the gateway says what came of the mail, and whether asking again makes sense."""

import socket
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from uuid import UUID

import pytest

from drafts.decisions.mailing import Letter, Outcome
from drafts.gateways import mail
from drafts.gateways.mail import MailServer, Post
from tests.faults.smtp import CUT, SILENT, mail_server

NOTICE = UUID("11111111-2222-4333-8444-555555555555")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(mail, "SECONDS", 0.5)


def letter(**changes):
    fields = {
        "notice_id": NOTICE, "number": 1, "to": "olga@example.org", "subject": "Conflict to settle: a::b",
        "text": "“Grüße, 你好” is answered twice.\n.\nA dot stood alone.", "path": "/conflicts/1/",
        "written_at": datetime(2026, 11, 30, 9, 0, tzinfo=UTC),
    }  # fmt: skip
    return Letter(**{**fields, **changes})


def post(port, tmp_path, **changes):
    server = MailServer("127.0.0.1", port, changes.pop("security", "none"), changes.pop("user", ""), "secret")
    return Post(server, tmp_path, "Countersign <desk@example.org>", "https://desk.example.org")


def read(raw):
    return message_from_bytes(raw, policy=default)


def test_a_mail_arrives_whole_with_a_link_and_a_message_id_that_stays_the_same(tmp_path):
    with mail_server() as office:
        answered = [mail.send(letter(number=number), post(office.port, tmp_path)) for number in (1, 2)]

    first, second = map(read, office.taken)
    assert [one.outcome for one in answered] == [Outcome.SENT, Outcome.SENT]
    assert first["Message-ID"] == second["Message-ID"] == f"<notice-{NOTICE}@desk.example.org>"
    assert (first["To"], first["Subject"]) == ("olga@example.org", "Conflict to settle: a::b")
    body = first.get_content().replace("\r\n", "\n")
    assert "“Grüße, 你好” is answered twice.\n.\nA dot stood alone." in body
    assert "https://desk.example.org/conflicts/1/" in body


@pytest.mark.parametrize(
    ("answers", "outcome", "told"),
    [
        pytest.param({"RCPT": "550 No such user"}, Outcome.REFUSED, "550 No such user", id="address-unknown"),
        pytest.param({"RCPT": "450 Mailbox busy"}, Outcome.AGAIN, "450 Mailbox busy", id="mailbox-busy"),
        pytest.param({"MAIL": "451 Try later"}, Outcome.AGAIN, "451 Try later", id="sender-later"),
        pytest.param({"DATA": "554 No spam"}, Outcome.REFUSED, "554 No spam", id="refused"),
        pytest.param({"MAIL_TAKEN": "452 Full"}, Outcome.AGAIN, "452 Full", id="disk-full"),
        pytest.param({"MAIL_TAKEN": "552 Too much"}, Outcome.REFUSED, "552 Too much", id="too-large"),
        pytest.param({"CONNECT": "554 Go away"}, Outcome.AGAIN, "554 Go away", id="greeting"),
        pytest.param({"CONNECT": "nonsense"}, Outcome.AGAIN, "", id="no-mail-server"),
        pytest.param({"CONNECT": CUT}, Outcome.AGAIN, "", id="cut-at-once"),
        pytest.param({"RCPT": CUT}, Outcome.AGAIN, "", id="cut-within"),
        pytest.param({"CONNECT": SILENT}, Outcome.AGAIN, "", id="silent"),
        pytest.param({"MAIL_TAKEN": SILENT}, Outcome.AGAIN, "", id="silent-at-the-end"),
        pytest.param({"QUIT": CUT}, Outcome.SENT, "", id="cut-after-it-was-taken"),
    ],
)
def test_what_came_of_it_is_told(tmp_path, answers, outcome, told):
    with mail_server(**answers) as office:
        answered = mail.send(letter(), post(office.port, tmp_path))

    assert answered.outcome is outcome
    assert told in answered.because


def test_a_mail_that_was_taken_before_the_line_broke_is_asked_again_and_arrives_twice_under_one_id(tmp_path):
    with mail_server(MAIL_TAKEN=CUT) as office:
        answered = mail.send(letter(), post(office.port, tmp_path))
        mail.send(letter(number=2), post(office.port, tmp_path))

    assert answered.outcome is Outcome.AGAIN
    assert len({read(one)["Message-ID"] for one in office.taken}) == 1


def test_nobody_listening_is_a_passing_trouble(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answered = mail.send(letter(), post(taken.getsockname()[1], tmp_path))

    assert answered.outcome is Outcome.AGAIN
    assert "could not be reached" in answered.because


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_server_without_encryption_gets_no_mail_that_was_to_be_encrypted(tmp_path, security):
    with mail_server() as office:
        answered = mail.send(letter(), post(office.port, tmp_path, security=security))

    assert (answered.outcome, office.taken) == (Outcome.AGAIN, [])


def test_a_log_in_that_is_refused_is_our_own_trouble_and_tried_again(tmp_path):
    with mail_server(EHLO="250-mail.example\r\n250 AUTH PLAIN", AUTH="535 Wrong password") as office:
        answered = mail.send(letter(), post(office.port, tmp_path, user="desk"))

    assert (answered.outcome, office.taken) == (Outcome.AGAIN, [])
    assert "secret" not in answered.because


@pytest.mark.parametrize(
    "to",
    ["olga@example.org\r\nBcc: all@example.org", "olga", "", "a@b.example, c@d.example", "olga@exa mple", "<olga@x>"],
)
def test_an_address_that_is_none_leaves_no_mail(tmp_path, to):
    with mail_server() as office:
        answered = mail.send(letter(to=to), post(office.port, tmp_path))

    assert (answered.outcome, office.taken) == (Outcome.REFUSED, [])


def test_no_line_break_gets_into_a_header(tmp_path):
    with mail_server() as office:
        answered = mail.send(letter(subject="Conflict\r\nBcc: all@example.org"), post(office.port, tmp_path))

    assert (answered.outcome, office.taken) == (Outcome.REFUSED, [])


def test_without_a_server_a_mail_is_a_file_in_the_folder(tmp_path):
    folder = tmp_path / "mail"

    answered = mail.send(letter(), Post(None, folder, "Countersign <desk@example.org>", "http://localhost:8000"))
    mail.send(letter(number=2), Post(None, folder, "Countersign <desk@example.org>", "http://localhost:8000"))

    (file,) = folder.iterdir()
    assert answered.outcome is Outcome.SENT
    assert file.suffix == ".eml"
    assert read(file.read_bytes())["Message-ID"] == f"<notice-{NOTICE}@localhost>"
