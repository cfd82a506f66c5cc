"""Policies kept in files: JSON in the shape of the API, or Markdown with front matter, so that they can be reviewed.

A Markdown file holds one version. Its front matter has the fields of the API body, one to a line (`channels` as
`[chat, mail]`), with `doc_id` and `version`. The text below the front matter is the whole text of the version, to the
letter; each passage stands below a heading that names its key:

    ## 2.1 Coverage period {#warranty_duration::repair_general}

A text that has no such headings names its passages in the front matter instead, each member on a line of its own:

    statements:
    - question_key: warranty_duration::repair_general
      section: 2.1 Coverage period
      text: "Every repair is covered for 12 months."
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from ledger.decisions.fields import STATEMENT_FIELDS, VERSION_FIELDS, as_place, meant_by, no_such_field
from ledger.decisions.keys import topic_of
from ledger.decisions.sending import Malformed, read_key, read_version
from ledger.decisions.vocabulary import KeyEntry, Version

_HEADING = re.compile(r"^#{1,6}\s+(?P<section>.*?)\s*(?:\{#(?P<key>[^}]*)\})?\s*$")
_FIELD = re.compile(r"^(?P<name>[a-z_]+):[ \t]*(?P<value>.*?)[ \t]*$")
_MEMBER = re.compile(r"^(?P<new>-[ \t]|[ \t]+)[ \t]*(?P<name>[a-z_]+):[ \t]*(?P<value>.*?)[ \t]*$")
_KEY_NAMED = re.compile(r"""(?:question_key["']?\s*:\s*["']?|\{#)(?P<key>[a-z0-9_]+::[a-z0-9_]+)""")
_LISTS = frozenset({"channels"})
_FIELDS = tuple(field for field in VERSION_FIELDS if field != "body")  # which stands below the front matter
_COLLECTIONS = ("keys", "policies", "documents")


@dataclass(frozen=True, slots=True)
class Bundle:
    """What one file holds: keys, and versions in the order in which they begin.

    `lines` says on which line of the file the key of a passage stands first.
    """

    keys: tuple[KeyEntry, ...]
    versions: tuple[Version, ...]
    lines: Mapping[str, int] = field(default_factory=dict)


def read_file(name: str, text: str) -> Bundle:
    """Read a policy file by its ending: `.md` is Markdown, everything else JSON. Raises Malformed.

    JSON is one version, a list of them, or an object with `keys`, `policies` and `documents`; other members are left
    alone unless their name is a slip for one of these.
    """
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise Malformed("file", f"line {line}: there is a NUL character, which no text holds. Remove it.")
    if name.endswith(".md"):
        return _with_lines(text, Bundle((), (read_markdown(text),)))
    try:
        content = json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_members_once, parse_constant=_refuse_constant
        )
    except Malformed:
        raise
    except (ValueError, RecursionError) as broken:
        raise Malformed("file", f"This is no JSON: {broken}.") from None
    sent = content if isinstance(content, Mapping) and not _is_version(content) else {"policies": content}
    _refuse_slips(sent)
    policies = [*_listed(sent, "policies"), *_listed(sent, "documents")]
    versions = [_version(f"policies[{place}]", body) for place, body in enumerate(policies)]
    keys = [_key(f"keys[{place}]", body) for place, body in enumerate(_listed(sent, "keys"))]
    if not keys and not versions:
        raise Malformed("file", "There are no keys, policies or documents in this file.")
    ordered = tuple(sorted(versions, key=lambda v: (v.doc_id, v.effective_from)))
    return _with_lines(text, Bundle(tuple(keys), ordered))


def read_markdown(text: str) -> Version:
    """Read one version from Markdown with front matter. Raises Malformed."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    if lines[0].strip() != "---" or "---" not in (line.strip() for line in lines[1:]):
        raise Malformed("file", "Begin with front matter: fields between two lines of ---.")
    end = next(place for place, line in enumerate(lines[1:], start=1) if line.strip() == "---")
    fields, places = _front_matter(lines[1:end])
    below = lines[end + 1 :]
    sent = {"statements": list(_passages(below)), **fields, "body": "\n".join(below)}
    try:
        return _version("front matter", sent)
    except Malformed as malformed:
        line = places.get(malformed.field.removeprefix("front matter.").partition("[")[0])
        told = malformed.message if line is None else f"line {line}: {malformed.message}"
        raise Malformed(malformed.field, told) from None


def _with_lines(text: str, bundle: Bundle) -> Bundle:
    """Note where the key of each passage is named: behind `question_key`, or at a heading."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        for found in _KEY_NAMED.finditer(line):
            lines.setdefault(found["key"], number)
    return replace(bundle, lines=lines)


def _refuse_constant(literal: str) -> NoReturn:
    raise Malformed("file", f"{literal} is no JSON. Write a number or null.")


def key_for(key: str, version: Version) -> KeyEntry:
    """Return a plain key for a statement whose key nobody has registered; a policy owner words the question later."""
    scope = key.partition("::")[2]
    question = f"{topic_of(key)}: {scope}".replace("_", " ").capitalize()
    return KeyEntry(key, question, deciding_facts=(version.deciding_date,))


def _is_version(content: Mapping[object, object]) -> bool:
    return "doc_id" in content or "statements" in content


def _refuse_slips(sent: Mapping[str, object]) -> None:
    for name in sent.keys() - set(_COLLECTIONS):
        if meant := meant_by(name, _COLLECTIONS):
            raise Malformed(
                as_place(name), f"Did you mean {meant}? Other names are left alone, so this is read by none."
            )


def _listed(sent: Mapping[str, object], member: str) -> list[object]:
    value = sent.get(member, [])
    if isinstance(value, Mapping):
        return [value]
    if not isinstance(value, list):
        raise Malformed(member, "Send a list.")
    return value


def _version(where: str, body: object) -> Version:
    with_names = _object(where, body)
    names = [with_names.get(member) for member in ("doc_id", "version")]
    for member, name in zip(("doc_id", "version"), names, strict=True):
        if not isinstance(name, str):
            raise Malformed(f"{where}.{member}", "Send a text.")
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


def _members_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise Malformed("file", f"The member {name!r} stands twice in one object.")
        found[name] = value
    return found


def _front_matter(lines: list[str]) -> tuple[dict[str, object], dict[str, int]]:
    """Return the fields, and the line of the file on which each stands."""
    fields: dict[str, object] = {}
    places: dict[str, int] = {}
    statements: list[dict[str, object]] = []
    within = False
    for number, line in enumerate(lines, start=2):  # the first line of the file is the dashes
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if within and (member := _MEMBER.match(line)):
            _add_member(statements, member, number)
            continue
        found = _FIELD.match(line)
        if found is None:
            raise Malformed("front matter", f"line {number}: write one `name: value` to a line, not {line!r}.")
        name = _once(found["name"], _FIELDS, fields, number)
        within = name == "statements"
        fields[name] = statements if within else _value(name, found["value"], number)
        places[name] = number
    return fields, places


def _add_member(statements: list[dict[str, object]], member: re.Match[str], number: int) -> None:
    if member["new"].startswith("-"):
        statements.append({})
    if not statements:
        raise Malformed("front matter", f"line {number}: begin each statement with a dash.")
    name = _once(member["name"], STATEMENT_FIELDS, statements[-1], number)
    statements[-1][name] = _value(name, member["value"], number)


def _once(name: str, known: tuple[str, ...], found: Mapping[str, object], number: int) -> str:
    """Return the name of a field that may stand here and stands here for the first time."""
    if name not in known:
        raise Malformed("front matter", f"line {number}: {no_such_field(name, known)}")
    if name in found:
        raise Malformed("front matter", f"line {number}: the field {name} has a value already; give it once.")
    return name


def _value(name: str, text: str, number: int) -> object:
    if name in _LISTS:
        return _list(text, number)
    if text in {"", "null", "~"}:
        return None
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return _quoted(text, number) if text[0] == '"' else text


def _quoted(text: str, number: int) -> object:
    """Read what stands between double quotes, with the escapes that JSON and YAML share."""
    try:
        return json.loads(text)
    except ValueError:
        message = f'line {number}: what is in double quotes must end with them, and a quote inside is written \\".'
        raise Malformed("front matter", message) from None


def _list(text: str, number: int) -> object:
    if text.startswith("[") != text.endswith("]"):
        raise Malformed("front matter", f"line {number}: close the list that is opened, as in [chat, mail].")
    if '"' in text:
        return _quoted(text, number)
    return [each.strip(" '") for each in text.strip("[]").split(",") if each.strip()]


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
