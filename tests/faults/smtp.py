"""A mail server of a few lines that does what it is told: takes mails, refuses them, hangs, or hangs up."""

import socketserver
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

CUT, SILENT = "cut", "silent"


@dataclass
class Office:
    """Where it listens, the mails that it took, and how it answers a command (`RCPT` → `550 No such user`)."""

    port: int = 0
    answers: Mapping[str, str] = field(default_factory=dict)
    taken: list[bytes] = field(default_factory=list)
    closing: Event = field(default_factory=Event)


class _Session(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        office: Office = self.server.office
        if not self._say("CONNECT", "220 mail.example ready"):
            return
        while line := self.rfile.readline():
            command = line.decode("ascii", "replace").strip().upper().partition(" ")[0].partition(":")[0]
            if command == "QUIT":
                self._say("QUIT", "221 bye")
                return
            if not self._say(command, "354 go on" if command == "DATA" else "250 fine"):
                return
            if command == "DATA" and office.answers.get("DATA", "354").startswith("354"):
                mail = self._mail()
                if not self._say("MAIL-TAKEN", "250 taken", mail):
                    return

    def _mail(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) and line != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        return b"".join(lines)

    def _say(self, command: str, usual: str, mail: bytes | None = None) -> bool:
        """Answer a command as told; False where the session ends with it. A mail counts once it is said to be taken."""
        office: Office = self.server.office
        answer = office.answers.get(command, usual)
        if answer == SILENT:
            office.closing.wait(30)
            return False
        if mail is not None and (answer.startswith("2") or answer == CUT):
            office.taken.append(mail)
        if answer == CUT:
            return False
        self.wfile.write(answer.encode() + b"\r\n")
        return True


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextmanager
def mail_server(**answers: str) -> Iterator[Office]:
    """Run such a server; `CONNECT`, `MAIL_TAKEN` and the commands of SMTP can be answered in another way."""
    office = Office(answers={name.replace("_", "-"): answer for name, answer in answers.items()})
    with _Server(("127.0.0.1", 0), _Session) as server:
        server.office = office
        office.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield office
        finally:
            office.closing.set()
            server.shutdown()
            thread.join()
