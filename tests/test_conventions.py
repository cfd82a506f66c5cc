"""House rules that a machine can keep. Each names what breaks it, file and line."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("console", "drafts", "ledger")
LONGEST_FUNCTION = 50
LONGEST_MODULE = 350
ONE_FILE = {"drafts/evidence_verifier/verify_evidence.py"}  # handed out as it is, to machines without this product
CLOCKS = {("timezone", "now"), ("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today")}
CHANCE = {"random", "secrets", "time"}
WRITES = {"save", "create", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "delete"}
INLINE = re.compile(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|\shx-on|javascript:", re.IGNORECASE)
TEMPLATE_TAG = re.compile(r"{%.*?%}|{{.*?}}")

type Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*packages: str) -> list[Path]:
    found = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    return [path for path in found if "migrations" not in path.parts]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(parsed(path)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def layer(*names: str) -> list[Path]:
    return [
        path for path in modules("drafts", "ledger") if path.relative_to(ROOT).parts[1].removesuffix(".py") in names
    ]


def public(path: Path) -> Iterator[Function]:
    for node in parsed(path).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            yield node


def decorators(function: Function) -> list[str]:
    return [ast.unparse(decorator) for decorator in function.decorator_list]


def test_no_function_is_too_long():
    long = [
        f"{where(path, function.lineno)} {function.name}: {function.end_lineno - function.lineno + 1} lines"
        for path in modules(*PACKAGES, "tests", "benchmarks")
        for function in functions(path)
        if function.end_lineno - function.lineno + 1 > LONGEST_FUNCTION
    ]

    assert long == []


def test_no_module_is_too_long():
    paths = [path for path in modules(*PACKAGES) if str(path.relative_to(ROOT)) not in ONE_FILE]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}

    assert [f"{where(path, lines)}" for path, lines in lengths.items() if lines > LONGEST_MODULE] == []


def test_decisions_and_services_are_given_the_time_and_roll_no_dice():
    used = [
        f"{where(path, node.lineno)} {ast.unparse(node)}"
        for path in layer("decisions", "services", "queries", "models")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, (ast.Name, ast.Attribute))
        and (ast.unparse(node.value).rsplit(".", 1)[-1], node.attr) in CLOCKS
    ]

    assert used == []


def test_decisions_and_services_import_neither_clock_nor_chance():
    imported = [
        f"{where(path, node.lineno)} {name}"
        for path in layer("decisions", "services")
        for node in ast.walk(parsed(path))
        for name in _imported(node)
        if name.split(".")[0] in CHANCE
    ]

    assert imported == []


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def test_what_other_packages_call_says_what_it_does():
    silent = [
        f"{where(path, function.lineno)} {function.name}"
        for path in [*layer("decisions", "services", "queries"), *modules("console/database")]
        for function in public(path)
        if not ast.get_docstring(function)
    ]

    assert silent == []


def test_a_service_that_opens_a_transaction_is_the_whole_of_it():
    nested = [
        f"{where(path, function.lineno)} {function.name}"
        for path in layer("services")
        for function in functions(path)
        if any("atomic" in decorator and "durable=True" not in decorator for decorator in decorators(function))
    ]

    assert nested == [], "decorate with @transaction.atomic(durable=True), or let the caller open it"


def test_what_the_console_asks_to_be_written_is_one_transaction():
    called = {name for path in [*modules("console"), *layer("management")] for name in _called_functions(path)}
    open_ended = [
        f"{where(path, function.lineno)} {function.name}"
        for path in layer("services")
        for function in public(path)
        if f"{_dotted(path)}.{function.name}" in called and _writes(function)
        if not any("atomic" in decorator for decorator in decorators(function))
    ]

    assert open_ended == []


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _called_functions(path: Path) -> Iterator[str]:
    """The full names of what a module calls, as far as its own imports tell."""
    tree = parsed(path)
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            first, _, rest = ast.unparse(node.func).partition(".")
            yield ".".join(filter(None, (imported.get(first, first), rest)))


def _writes(function: Function) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES
        for node in ast.walk(function)
    )


def test_nothing_catches_everything():
    caught = [
        where(path, node.lineno)
        for path in modules(*PACKAGES)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) == "BaseException")
    ]

    assert caught == []


def test_only_commands_talk_to_a_terminal():
    printed = [
        where(path, node.lineno)
        for path in modules(*PACKAGES)
        if "management" not in path.parts
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print"
    ]

    assert printed == []


def test_only_settings_and_the_start_of_a_process_read_the_environment():
    allowed = {
        "console/settings.py",
        "console/wsgi.py",
        "console/celery.py",
        "console/database/places.py",
        "console/management/commands/run.py",
    }
    reading = [
        where(path, node.lineno)
        for path in modules(*PACKAGES)
        if str(path.relative_to(ROOT)) not in allowed
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"os.environ", "os.getenv"}
    ]

    assert reading == []


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_templates_hold_no_script_and_no_style(path):
    lines = TEMPLATE_TAG.sub(" ", path.read_text(encoding="utf-8")).splitlines()

    assert [where(path, number) for number, line in enumerate(lines, 1) if INLINE.search(line)] == []


def test_committed_files_name_no_registry():
    lists = sorted((ROOT / ".requirements").iterdir())
    addresses = [where(path, 1) for path in lists if re.search(r"https?://|--index|--find-links", path.read_text())]

    assert addresses == []
