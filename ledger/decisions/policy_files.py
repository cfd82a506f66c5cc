"""Policies kept in files: JSON in the shape of the API, or Markdown with front matter, so that they can be reviewed.

A Markdown file holds one version. Its front matter has the fields of the API body, one to a line (`channels` as
`[chat, mail]`), with `doc_id` and `version`; each passage stands below a heading that names its key:

    ## 2.1 Coverage period {#warranty_duration::repair_general}
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ledger.decisions.keys import topic_of
from ledger.decisions.sending import Malformed, read_key, read_version
from ledger.decisions.vocabulary import KeyEntry, Version

_HEADING = re.compile(r"^#{1,6}\s+(?P<section>.*?)\s*(?:\{#(?P<key>[^}]*)\})?\s*$")
_FIELD = re.compile(r"^(?P<name>[a-z_]+):\s*(?P<value>.*?)\s*$")
_LISTS = frozenset({"channels"})


@dataclass(frozen=True, slots=True)
class Bundle:
    """What one file holds: keys, and versions in the order in which they begin."""

    keys: tuple[KeyEntry, ...]
    versions: tuple[Version, ...]


def read_file(name: str, text: str) -> Bundle:
    """Read a policy file by its ending: `.md` is Markdown, everything else JSON. Raises Malformed.

    JSON is one version, a list of them, or an object with `keys`, `policies` and `documents`; other members are
    left alone.
    """
    if name.endswith(".md"):
        return Bundle((), (read_markdown(text),))
    try:
        content = json.loads(text)
    except ValueError as broken:
        raise Malformed("file", f"This is no JSON: {broken}") from None
    sent = content if isinstance(content, Mapping) and not _is_version(content) else {"policies": content}
    policies = [*_listed(sent, "policies"), *_listed(sent, "documents")]
    versions = [_version(f"policies[{place}]", body) for place, body in enumerate(policies)]
    keys = [_key(f"keys[{place}]", body) for place, body in enumerate(_listed(sent, "keys"))]
    if not keys and not versions:
        raise Malformed("file", "There are no keys, policies or documents in this file.")
    return Bundle(tuple(keys), tuple(sorted(versions, key=lambda v: (v.doc_id, v.effective_from))))


def read_markdown(text: str) -> Version:
    """Read one version from Markdown with front matter. Raises Malformed."""
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    if lines[0].strip() != "---" or "---" not in (line.strip() for line in lines[1:]):
        raise Malformed("file", "Begin with front matter: fields between two lines of ---.")
    end = next(place for place, line in enumerate(lines[1:], start=1) if line.strip() == "---")
    body: dict[str, object] = dict(_fields(lines[1:end]))
    body["statements"] = list(_passages(lines[end + 1 :]))
    return _version("front matter", body)


def key_for(key: str, version: Version) -> KeyEntry:
    """Return a plain key for a statement whose key nobody has registered; a policy owner words the question later."""
    scope = key.partition("::")[2]
    question = f"{topic_of(key)}: {scope}".replace("_", " ").capitalize()
    return KeyEntry(key, question, deciding_facts=(version.deciding_date,))


def _is_version(content: Mapping[object, object]) -> bool:
    return "doc_id" in content or "statements" in content


def _listed(sent: Mapping[str, object], member: str) -> list[object]:
    value = sent.get(member, [])
    if isinstance(value, Mapping):
        return [value]
    if not isinstance(value, list):
        raise Malformed(member, "Send a list.")
    return value


def _version(where: str, body: object) -> Version:
    with_names = _object(where, body)
    names = [with_names.get(field) for field in ("doc_id", "version")]
    for field, name in zip(("doc_id", "version"), names, strict=True):
        if not isinstance(name, str):
            raise Malformed(f"{where}.{field}", "Send a text.")
    try:
        return read_version(str(names[0]), str(names[1]), with_names)
    except Malformed as malformed:
        raise Malformed(f"{where}.{malformed.field}", malformed.message) from None


def _key(where: str, body: object) -> KeyEntry:
    entry = _object(where, body)
    if not isinstance(entry.get("key"), str):
        raise Malformed(f"{where}.key", "Send a text.")
    try:
        return read_key(str(entry["key"]), entry)
    except Malformed as malformed:
        raise Malformed(f"{where}.{malformed.field}", malformed.message) from None


def _object(where: str, body: object) -> Mapping[str, object]:
    if not isinstance(body, Mapping):
        raise Malformed(where, "Send an object.")
    return body


def _fields(lines: list[str]) -> Iterator[tuple[str, object]]:
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _FIELD.match(line)
        if found is None:
            raise Malformed("front matter", f"Write one `name: value` to a line, not {line!r}.")
        yield found["name"], _value(found["name"], found["value"])


def _value(name: str, text: str) -> object:
    if name in _LISTS:
        return [each.strip(" '\"") for each in text.strip("[]").split(",") if each.strip()]
    if text in {"", "null", "~"}:
        return None
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _passages(lines: list[str]) -> Iterator[Mapping[str, object]]:
    """Yield a statement for every heading that names a key; its paragraphs become lines of their own."""
    section, key, held = "", None, list[str]()
    for line in (*lines, "# end"):
        heading = _HEADING.match(line)
        if heading is None:
            held.append(line)
            continue
        if key is not None:
            yield {"question_key": key, "section": section, "text": _paragraphs(held)}
        section, key, held = heading["section"], heading["key"], []


def _paragraphs(lines: list[str]) -> str:
    blocks = "\n".join(line.strip() for line in lines).strip().split("\n\n")
    return "\n\n".join(" ".join(block.split()) for block in blocks if block.strip())
