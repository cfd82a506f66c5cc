"""The text gate at every entrance: what may come in as JSON or as text, and the sentence that says why not.

Everything that passes is kept to the letter. The limits are our own and are counted before the standard parser runs,
so that a body is judged alike on every interpreter.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import NoReturn, cast

BODY_LIMIT_BYTES = 256 * 1024
TEXT_LIMIT_BYTES = 64 * 1024
DEPTH_LIMIT = 32
LIST_LIMIT = 10_000
NUMBER_LIMIT_CHARACTERS = 64
PATH_LIMIT_CHARACTERS = 200

_STRUCTURE = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


class TextRefused(Exception):
    """Something that came in cannot be kept to the letter. `field` is a path, `message` says how to fix it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class BodyTooLarge(TextRefused):
    """The whole body is over its limit of bytes; over HTTP this is 413."""


def parse_json(body: bytes) -> object:
    """Parse one strict UTF-8 JSON document and return plain Python values.

    Raises BodyTooLarge above 256 kB, and TextRefused for everything that would not survive storage to the letter or
    that two parsers would read differently: other encodings, nesting beyond 32, NaN and infinities, duplicate names,
    over-long numbers, NUL and lone surrogates in values and names, over-long texts and lists.
    """
    if len(body) > BODY_LIMIT_BYTES:
        raise BodyTooLarge("body", f"The body has {len(body)} bytes; send at most {BODY_LIMIT_BYTES}.")
    text = _decoded(body)
    _check_depth(text)
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_object_of_distinct_names,
            parse_constant=_refuse_constant,
            parse_float=_finite_float,
            parse_int=_bounded_int,
        )
    except json.JSONDecodeError as error:
        fault = f"{error.msg} at line {error.lineno}, column {error.colno}"
        raise TextRefused("body", f"This is not valid JSON ({fault}). Correct it and send again.") from None
    check_value("", value)
    return value


def check_text(field: str, value: object, *, limit_bytes: int = TEXT_LIMIT_BYTES) -> str:
    """Return `value` unchanged when it is a text that can be stored and sent to the letter.

    Raises TextRefused for anything that is no text, holds NUL or half of a surrogate pair, or has more than
    `limit_bytes` bytes in UTF-8.
    """
    name = field or "body"
    if not isinstance(value, str):
        raise TextRefused(name, "This must be text. Send a string.")
    if fault := _fault_in_characters(value):
        raise TextRefused(name, f"The text {fault}. Remove that character and send again.")
    if len(value) > limit_bytes or len(value.encode()) > limit_bytes:
        raise TextRefused(
            name,
            f"The text is too long: at most {limit_bytes:,} plain letters fit, and fewer accented ones. Shorten it.",
        )
    return value


def check_value(field: str, value: object) -> None:
    """Walk parsed values and raise TextRefused, with the path of the fault, where one of them cannot be kept.

    The same rules as parse_json for depth, lists, numbers, texts and names; an empty `field` is the whole body.
    """
    waiting: list[tuple[str, object, int]] = [(field, value, 1)]
    while waiting:
        path, current, depth = waiting.pop()
        if isinstance(current, str):
            check_text(path, current)
        elif isinstance(current, int | float):
            _check_number(path, current)
        elif isinstance(current, dict | list | tuple):
            if depth > DEPTH_LIMIT:
                raise TextRefused(_short(path), _too_deep())
            waiting.extend((_short(name), inner, depth + 1) for name, inner in _members(path, current))
        elif current is not None:
            raise TextRefused(path or "body", f"A {type(current).__name__} cannot be kept. Send JSON values only.")


def _decoded(body: bytes) -> str:
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise TextRefused("body", "The body starts with a byte order mark. Send UTF-8 without one.")
    if b"\x00" in body:
        raise TextRefused("body", "The body holds a NUL byte or is UTF-16 or UTF-32. Send UTF-8 without NUL.")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TextRefused("body", f"The body is not valid UTF-8 at byte {error.start}. Send UTF-8.") from None


def _check_depth(text: str) -> None:
    """Count nesting by one linear pass; brackets inside strings do not count, and a broken rest is the parser's."""
    depth, in_string = 0, False
    for token in _STRUCTURE.finditer(text):
        sign = token[0]
        if sign == '"':
            in_string = not in_string
        elif in_string or sign[0] == "\\":
            continue
        elif sign in "[{":
            depth += 1
            if depth > DEPTH_LIMIT:
                raise TextRefused("body", _too_deep())
        else:
            depth -= 1


def _too_deep() -> str:
    return f"Objects and lists are nested more than {DEPTH_LIMIT} levels deep. Send flatter data."


def _object_of_distinct_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for name, value in pairs:
        if name in result:
            shown = _step(name)
            raise TextRefused(shown, f"The name {shown} stands twice in one object. Send each name once.")
        result[name] = value
    return result


def _refuse_constant(literal: str) -> NoReturn:
    raise TextRefused("body", f"{literal} is not a JSON number. Send a finite number or null.")


def _finite_float(literal: str) -> float:
    number = float(literal) if len(literal) <= NUMBER_LIMIT_CHARACTERS else math.inf
    if not math.isfinite(number):
        raise TextRefused("body", f"The number {literal[:20]} is too large or too long. Send it as text or shorten it.")
    return number


def _bounded_int(literal: str) -> int:
    if len(literal) > NUMBER_LIMIT_CHARACTERS:
        raise TextRefused("body", _too_long_a_number())
    return int(literal)


def _check_number(path: str, number: float) -> None:
    if isinstance(number, float) and not math.isfinite(number):
        raise TextRefused(path or "body", "This is not a finite number. Send a finite number or null.")
    if isinstance(number, int) and number.bit_length() > NUMBER_LIMIT_CHARACTERS * 4:
        raise TextRefused(path or "body", _too_long_a_number())


def _too_long_a_number() -> str:
    return f"A number has more than {NUMBER_LIMIT_CHARACTERS} digits. Shorten it or send it as text."


def _members(path: str, container: object) -> Iterator[tuple[str, object]]:
    if isinstance(container, dict):
        for name, inner in cast("dict[object, object]", container).items():
            yield _joined(path, _checked_name(path, name)), inner
        return
    items = cast("list[object] | tuple[object, ...]", container)
    if len(items) > LIST_LIMIT:
        raise TextRefused(path or "body", f"The list has {len(items)} entries; send at most {LIST_LIMIT}.")
    yield from _numbered(path, items)


def _numbered(path: str, items: Iterable[object]) -> Iterator[tuple[str, object]]:
    for position, inner in enumerate(items):
        yield f"{path}[{position}]", inner


def _checked_name(path: str, name: object) -> str:
    if not isinstance(name, str):
        raise TextRefused(path or "body", "A field name is not text. Send names as strings.")
    if fault := _fault_in_characters(name):
        raise TextRefused(_joined(path, _step(name)), f"This field name {fault}. Rename the field.")
    return _step(name)


def _fault_in_characters(text: str) -> str | None:
    if "\x00" in text:
        return f"holds a NUL character at position {text.index(chr(0))}"
    if found := _SURROGATE.search(text):
        return f"holds half of a surrogate pair (U+{ord(found[0]):04X}) at position {found.start()}"
    return None


def _step(name: str) -> str:
    """Return a name fit to stand in a path and a log line: plain names as they are, others quoted in ASCII."""
    return name if _PLAIN_NAME.fullmatch(name) else json.dumps(name[:64], ensure_ascii=True)


def _joined(path: str, step: str) -> str:
    if step.startswith('"'):
        return f"{path}[{step}]"
    return f"{path}.{step}" if path else step


def _short(path: str) -> str:
    return path if len(path) <= PATH_LIMIT_CHARACTERS else path[:PATH_LIMIT_CHARACTERS] + "…"
