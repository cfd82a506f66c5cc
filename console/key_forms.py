"""What the pages about question keys take in: one key field by field, or a file of keys."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import QueryDict

from console.views.insertion import unix_lines
from drafts.decisions.textgate import TextRefused, check_text
from ledger.decisions.key_files import written
from ledger.decisions.sending import Malformed, check_key
from ledger.decisions.vocabulary import CommitmentClass, KeyEntry

LONGEST = 2_000
MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class TypedKey:
    """A question key as typed; lists have one entry a line. `seen` names how it stood, `faults` are by field."""

    key: str = ""
    question: str = ""
    commitment: str = CommitmentClass.BINDING_POLICY.value
    facts: str = ""
    parent: str = ""
    boundary: str = ""
    examples: str = ""
    owner: str = ""
    seen: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def entry(self) -> KeyEntry:
        """Return the key that is meant; faults have been looked at before."""
        return KeyEntry(
            key=self.key,
            question_canonical=self.question,
            commitment_class=CommitmentClass(self.commitment),
            deciding_facts=_lines(self.facts),
            parent=self.parent or None,
            boundary=self.boundary or None,
            examples=_lines(self.examples),
            owner=self.owner or None,
        )


FIELD_OF = {
    "key": "key", "question_canonical": "question", "commitment_class": "commitment", "deciding_facts": "facts",
    "parent": "parent", "boundary": "boundary", "examples": "examples", "owner": "owner", "seen": "seen",
}  # fmt: skip
"""Where on the page a field of a key stands."""


def typed_of(entry: KeyEntry) -> TypedKey:
    """Return a stored key as the form shows it."""
    return TypedKey(
        key=entry.key,
        question=entry.question_canonical,
        commitment=entry.commitment_class.value,
        facts="\n".join(entry.deciding_facts),
        parent=entry.parent or "",
        boundary=entry.boundary or "",
        examples="\n".join(entry.examples),
        owner=entry.owner or "",
        seen=digest_of(entry),
    )


def read_key(sent: QueryDict, *, key: str | None = None) -> TypedKey:
    """Read a key as typed; `key` is that of the page, which wins."""
    typed = TypedKey(
        key=key or sent.get("key", "").strip(),
        question=sent.get("question", "").strip(),
        commitment=sent.get("commitment", ""),
        facts=unix_lines(sent.get("facts", "")),
        parent=sent.get("parent", ""),
        boundary=unix_lines(sent.get("boundary", "")).strip(),
        examples=unix_lines(sent.get("examples", "")),
        owner=sent.get("owner", ""),
        seen=sent.get("seen", ""),
    )
    return replace(typed, faults=_faults(typed))


def digest_of(entry: KeyEntry | None) -> str:
    """Return what a form is bound to: a digest of how the key stood when it was shown, empty where it was not there."""
    return hashlib.sha256(written([entry]).encode()).hexdigest() if entry else ""


def _faults(typed: TypedKey) -> dict[str, str]:
    faults = {}
    for name in ("key", "question", "facts", "boundary", "examples"):
        text = getattr(typed, name)
        try:
            check_text(name, text)
        except TextRefused as refused:
            faults[name] = refused.message
        if len(text) > LONGEST * (MOST_LINES if name in {"facts", "examples"} else 1) or text.count("\n") > MOST_LINES:
            faults[name] = f"Shorten this to {LONGEST:,} characters a line and {MOST_LINES} lines."
    if typed.commitment not in {known.value for known in CommitmentClass}:
        faults["commitment"] = "Choose one of the three."
    if faults:
        return faults
    try:
        check_key(typed.entry)
    except Malformed as malformed:
        faults[FIELD_OF.get(malformed.field, malformed.field)] = malformed.message
    return faults


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
