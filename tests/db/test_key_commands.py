"""The registry of question keys on the command line."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ledger import queries as ledger

pytestmark = pytest.mark.django_db(transaction=True)


def run(command, *args, **options):
    out = StringIO()
    call_command(command, *map(str, args), stdout=out, **options)
    return out.getvalue()


def test_the_default_registry_is_loaded_once():
    first, second = run("load_keys"), run("load_keys")

    assert len(ledger.registry()) == 23
    assert first.count("created") == 23
    assert second == "Every key of the default registry is there already.\n"


def test_what_was_exported_is_loaded_back_without_a_change(tmp_path):
    run("load_keys")
    file = tmp_path / "keys.json"

    run("export_keys", file, stderr=StringIO())
    again = run("load_keys", file, dry_run=True)

    assert json.loads(run("export_keys")) == json.loads(file.read_text("utf-8"))
    assert "created" not in again
    assert {line.split()[0] for line in again.splitlines()[:-1]} == {"unchanged"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"keys": [{"key": "a::b", "question_canonical": "?", "owner": "nobody"}]}', "a::b, owner: No active person"),
        ('{"keys": [{"key": "a::b"}]}', "line 1, keys[0].question_canonical"),
        ("no json", "line 1, file: This is no JSON"),
    ],
)
def test_a_file_with_a_fault_is_refused_by_name_and_place(tmp_path, content, told):
    file = tmp_path / "keys.json"
    file.write_text(content, "utf-8")

    with pytest.raises(CommandError) as refused:
        run("load_keys", file)

    assert str(file) in str(refused.value)
    assert told in str(refused.value)
    assert "Nothing was loaded." in str(refused.value)
    assert ledger.registry() == {}


def test_somebody_who_may_settle_nothing_owns_no_key(tmp_path, agent, owner):
    file = tmp_path / "keys.json"
    file.write_text('{"keys": [{"key": "a::b", "question_canonical": "?", "owner": "agent"}]}', "utf-8")

    for command in ("load_keys", "load_policies"):
        with pytest.raises(CommandError, match=r"'agent' is no policy owner.*Policy owners are: owner;"):
            run(command, file)
    assert ledger.registry() == {}


def test_a_dry_run_changes_nothing():
    assert "this was a dry run" in run("load_keys", dry_run=True)
    assert ledger.registry() == {}
