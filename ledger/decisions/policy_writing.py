"""Write a policy version as the Markdown file that `policy_files.read_markdown` reads back, to the letter."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ledger.decisions.policy_files import read_markdown
from ledger.decisions.sending import Malformed
from ledger.decisions.vocabulary import Statement, Version

_PLAIN = re.compile(r"[^\W_][^\x00-\x1f\x7f\x85\u2028\u2029\"']*")
_EMPTY = frozenset({"null", "~"})
_PLAIN_CHANNEL = re.compile(r"\w[\w.@/+ -]*(?<! )")


def write_markdown(version: Version) -> str:
    """Return a version as Markdown with front matter; its whole text stands below, unchanged.

    Passages are named by the headings of the text where those say exactly what is stored, else in the front matter.
    Permission to answer is no part of a file.
    """
    plain = replace(version, permitted=False)
    by_headings = _written(plain, ())
    return by_headings if _reads_as(by_headings, plain) else _written(plain, _members(plain.statements))


def file_name(version: Version) -> str:
    """Return a name for a version's file, in letters that every system takes."""
    named = (re.sub(r"[^A-Za-z0-9._-]+", "-", part).strip("-.") or "x" for part in (version.doc_id, version.version))
    return f"{'--'.join(named)}.md"


def _reads_as(text: str, version: Version) -> bool:
    try:
        found = read_markdown(text)
    except Malformed:
        return False
    return replace(found, body=found.body or None) == version


def _written(version: Version, statements: Iterable[str]) -> str:
    until = version.effective_until.isoformat() if version.effective_until else ""
    fields = (
        ("doc_id", _scalar(version.doc_id)),
        ("version", _scalar(version.version)),
        ("title", _scalar(version.title)),
        ("kind", version.kind.value),
        ("channels", _channels(version.channels)),
        ("deciding_date", version.deciding_date),
        ("effective_from", version.effective_from.isoformat()),
        ("effective_until", until),
        ("status", version.status.value),
    )
    lines = [f"{name}: {value}".rstrip(" ") for name, value in fields]
    return "\n".join(("---", *lines, *statements, "---", version.body or ""))


def _members(statements: tuple[Statement, ...]) -> Iterator[str]:
    yield "statements:"
    for one in statements:
        yield f"- question_key: {one.question_key}"
        yield f"  section: {_scalar(one.section)}".rstrip(" ")
        yield f"  text: {json.dumps(one.text, ensure_ascii=False)}"


def _scalar(text: str) -> str:
    """Write a text plainly where it is read back as it is, else in double quotes."""
    if not text:
        return ""
    is_plain = _PLAIN.fullmatch(text) is not None and text == text.strip() and text not in _EMPTY
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _channels(channels: frozenset[str]) -> str:
    names = sorted(channels)
    if all(_PLAIN_CHANNEL.fullmatch(name) for name in names):
        return f"[{', '.join(names)}]"
    return json.dumps(names, ensure_ascii=False)
