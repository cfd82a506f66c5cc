"""The parts of the readable document that tell what was said: ledger, thread, corrections, replies that left."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from zoneinfo import ZoneInfo

from drafts.decisions import evidence_words as words
from drafts.decisions.evidence_markup import (
    Html,
    in_words,
    join,
    known,
    letter,
    moment,
    pairs,
    quote,
    section,
    table,
    tag,
)
from drafts.decisions.evidence_records import Corrected, Decided, Left, Records, Tried, Turn
from ledger.decisions.chain import Row
from ledger.decisions.line import Link, Standing, standing_answers
from ledger.decisions.vocabulary import EntryKind

type Columns = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells one conversation's records; times in `zone`."""

    records: Records
    zone: ZoneInfo

    def sections(self) -> Html:
        """Return all parts in their order."""
        return join((self._live(), self._ledger(), self._thread(), self._corrections(), self._replies()))

    def at(self, instant: datetime | str | None) -> Html | None:
        """Show an instant."""
        return moment(instant, self.zone)

    def person(self, name: str | None) -> Html | None:
        """Name a person, with the name they sign in with."""
        if name is None:
            return None
        full = self.records.people.get(name)
        return letter(f"{full} ({name})" if full and full != name else name)

    def _live(self) -> Html:
        standing = standing_answers(_link(row) for row in self.records.entries)
        by_id = {_text(row.columns, "id"): row for row in self.records.entries}
        told = [self._standing(by_id[one.entry_id], one) for one in standing.values()]
        nothing = tag("p", "No answer counts now in this conversation.")
        return section("What the customer has been told and what counts now", *(told or [nothing]), id_="now")

    def _standing(self, row: Row, standing: Standing) -> Html:
        times = standing.replay_count
        repeated = f", repeated {times} time{'' if times == 1 else 's'}" if times else ""
        since = self.at(_text(row.columns, "effective_at")) or ""
        return tag(
            "article",
            tag("h3", letter(_text(row.columns, "question_canonical"))),
            quote(_text(row.columns, "answer_text")),
            tag("p", "Since ", since, f"{repeated}. Ledger entry {row.position} below."),
        )

    def _ledger(self) -> Html:
        shown = [self._entry(place, row) for place, row in enumerate(self.records.entries)]
        nothing = tag("p", "Nothing has been promised in this conversation.")
        lead = "Every entry in the order in which it was written. None can be changed or removed."
        inside = (tag("p", lead), *shown) if shown else (nothing,)
        return section("What was said, when and by whom", *inside, id_="ledger")

    def _entry(self, place: int, row: Row) -> Html:
        said, at = row.columns, f"entries/{place}/columns"
        kind = _text(said, "kind")
        return tag(
            "article",
            tag("h3", f"{row.position}. {words.KINDS[kind]}"),
            tag(
                "p",
                tag("strong", self.person(_text(said, "decided_by")) or ""),
                " ",
                words.KIND_SENTENCES[kind],
            ),
            quote(_text(said, "answer_text"), f"{at}/answer_text"),
            pairs(self._entry_pairs(said, at)),
            self._source(said, at) if kind in (EntryKind.ANSWER, EntryKind.CORRECTION) else Html(),
            id=f"entry-{row.position}",
        )

    def _entry_pairs(self, said: Columns, at: str) -> Iterator[tuple[str, str | None]]:
        question = letter(_text(said, "question_canonical"), f"{at}/question_canonical")
        yield (
            "Question",
            join((question, f" ({_text(said, 'question_key')}, {words.ORIGINS[_text(said, 'matched_by')]})")),
        )
        if said["asked_key"] != said["question_key"]:
            yield "Asked as", _text(said, "asked_key")
        yield "Decided", join((self.at(_text(said, "effective_at")) or "", " by the application's clock"))
        yield "Written down", join((self.at(_text(said, "recorded_at")) or "", " by the database's clock"))
        reason = known(said, "reason")
        yield "Reason", letter(reason, f"{at}/reason") if reason else None
        yield "Owner", self.person(known(said, "owner") or None)
        for label, name in (("Supersedes", "supersedes"), ("Repeats", "replays"), ("Brings back", "restores")):
            yield label, self._other(known(said, name))
        facts = cast("list[Columns]", said["typed_facts"])
        yield "Committed to", letter("; ".join(words.fact(one) for one in facts)) if facts else None
        deciding = cast("Columns", said["deciding_facts"])
        stated = "; ".join(
            f"{words.name_of(name)}: {in_words(str(value))}" for name, value in deciding.items() if value is not None
        )
        yield "Known facts", letter(stated) if stated else None

    def _other(self, entry_id: str) -> str | None:
        found = (row.position for row in self.records.entries if row.columns["id"] == entry_id)
        position = next(found, None)
        return None if position is None else tag("a", f"entry {position}", href=f"#entry-{position}")

    def _source(self, said: Columns, at: str) -> Html:
        source = cast("Columns | None", said["answer_source"])
        if source is None:
            return tag("p", "No source is recorded: this answer gives information and commits to nothing.")
        until = known(source, "effective_until")
        begins = in_words(known(source, "effective_from"))
        valid = f"from {begins}" + (f" until before {in_words(until)}" if until else ", without an end")
        kind = words.DOCUMENT_KINDS.get(known(source, "kind"), known(source, "kind"))
        where = f"version {known(source, 'version')}, section {known(source, 'section')}, {kind}, in force {valid}"
        return tag(
            "div",
            tag("h4", "The passage behind it, as it was then"),
            tag(
                "p",
                letter(f"{known(source, 'title')} ({known(source, 'doc_id')})"),
                ", ",
                letter(where),
            ),
            quote(known(source, "passage"), f"{at}/answer_source/passage"),
            tag("p", "SHA-256 of the passage ", tag("code", known(source, "passage_digest")), class_="hash"),
            class_="source",
        )

    def _thread(self) -> Html:
        turns = [self._turn(place, turn) for place, turn in enumerate(self.records.transcript)]
        inside = tag("ol", *turns, class_="thread") if turns else tag("p", "No message is kept.")
        return section("The thread", inside, id_="thread")

    def _turn(self, place: int, turn: Turn) -> Html:
        through = " Sent through the desk." if turn.through_desk else ""
        not_through = " Not sent through the desk." if turn.role == "agent" and not turn.through_desk else ""
        sent = join(("sent ", self.at(turn.sent_at) or "")) if turn.sent_at else Html("time of sending not named")
        edits = [
            tag(
                "li",
                "Until ",
                self.at(edit.replaced_at) or "",
                " it said:",
                quote(edit.text, f"transcript/{place}/earlier_texts/{n}/text"),
            )
            for n, edit in enumerate(turn.earlier_texts)
        ]
        return tag(
            "li",
            tag("h3", f"{turn.ordinal}. {words.ROLES[turn.role]}"),
            tag(
                "p",
                sent,
                ", known here since ",
                self.at(turn.received_at) or "",
                ".",
                through or not_through,
                class_="quiet",
            ),
            quote(turn.text, f"transcript/{place}/text") if turn.text else tag("p", "The text is no longer kept."),
            tag("ul", *edits) if edits else Html(),
        )

    def _corrections(self) -> Html:
        made = [self._correction(place, one) for place, one in enumerate(self.records.corrections)]
        return section("Corrections", *(made or [tag("p", "Nothing was corrected.")]), id_="corrections")

    def _correction(self, place: int, made: Corrected) -> Html:
        at = f"corrections/{place}"
        return tag(
            "article",
            tag("h3", "Corrected ", self.at(made.corrected_at) or ""),
            pairs(
                (
                    ("Issued by", self.person(made.corrected_by)),
                    ("Owner", self.person(made.owner)),
                    ("Reason", letter(made.reason, f"{at}/reason")),
                    ("Question", letter(made.question_key)),
                    ("Said before in", f"message {made.said_in_message}" if made.said_in_message else None),
                    ("Ledger", self._other(made.entry_id)),
                    ("Taken back", self._withdrawn(made)),
                )
            ),
            tag("p", "Before:"), quote(made.old_text, f"{at}/old_text"),
            tag("p", "After:"), quote(made.new_text, f"{at}/new_text"),
            tag("p", "The message to the customer:"), quote(made.message, f"{at}/message"),
        )  # fmt: skip

    def _withdrawn(self, made: Corrected | Decided) -> Html | None:
        if made.withdrawn_at is None:
            return None
        by = self.person(made.withdrawn_by) or "the last look before sending"
        return join((self.at(made.withdrawn_at) or "", " by ", by, ": ", letter(made.withdrawn_because or "")))

    def _replies(self) -> Html:
        decided = [self._decision(place, one) for place, one in enumerate(self.records.decisions)]
        alone = [self._delivery(place, one) for place, one in enumerate(self.records.deliveries) if not one.decision_id]
        nothing = tag("p", "No reply was decided here.")
        return section("Decisions, and the replies that left", *((decided + alone) or [nothing]), id_="replies")

    def _decision(self, place: int, made: Decided) -> Html:
        left = [(n, one) for n, one in enumerate(self.records.deliveries) if one.decision_id == made.id]
        shown = quote(made.text, f"decisions/{place}/text") if made.text and not left else Html()
        return tag(
            "article",
            tag("h3", "Decided ", self.at(made.decided_at) or ""),
            tag("p", tag("strong", self.person(made.decided_by) or ""), f" {words.DECISIONS[made.kind]}."),
            pairs(
                (
                    ("Draft", letter(made.item)),
                    ("Reason", letter(made.reason, f"decisions/{place}/reason") if made.reason else None),
                    ("Owner", self.person(made.owner)),
                    ("Undone", self._withdrawn(made)),
                )
            ),
            shown,
            *(self._delivery(n, one) for n, one in left),
        )

    def _delivery(self, place: int, left: Left) -> Html:
        attempts = (self._attempt(one) for one in left.attempts)
        return tag(
            "article",
            tag("h4", f"The reply {words.DELIVERIES[left.state]}"),
            pairs(
                (
                    ("Receiver", letter(left.destination) if left.destination else None),
                    ("Confirmed by the receiver", self.at(left.delivered_at)),
                    ("Because", letter(left.because) if left.because else None),
                    ("Said by", self.person(left.settled_by)),
                )
            ),
            quote(left.text, f"deliveries/{place}/text"),
            table(("Attempt", "Came to", "Address", "Answer"), attempts, caption="Attempts to hand it over")
            if left.attempts
            else Html(),
        )

    def _attempt(self, tried: Tried) -> tuple[str, ...]:
        came_to = words.OUTCOMES[tried.outcome] if tried.outcome else "no end is recorded"
        ended = join((came_to, ", ", self.at(tried.ended_at) or "")) if tried.ended_at else came_to
        status = f"{tried.status} " if tried.status else ""
        return (
            join((f"{tried.number}. ", self.at(tried.started_at) or "")),
            ended,
            letter(tried.address),
            join((status, letter(tried.receiver_said))),
        )


def _text(columns: Columns, name: str) -> str:
    return str(columns[name])


def _link(row: Row) -> Link:
    said = row.columns
    return Link(
        entry_id=_text(said, "id"),
        position=row.position,
        kind=EntryKind(_text(said, "kind")),
        question_key=_text(said, "question_key"),
        supersedes=known(said, "supersedes") or None,
        replays=known(said, "replays") or None,
        restores=known(said, "restores") or None,
    )
