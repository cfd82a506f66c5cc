"""Files of policies that are refused whole, and what is said about them."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ledger import queries

pytestmark = pytest.mark.django_db(transaction=True)

PASSAGE = {"question_key": "hire_period::tent", "section": "1", "text": "A tent is hired for 5 days."}
BODY = {
    "doc_id": "hire", "version": "H1", "channels": ["chat"], "deciding_date": "collected_on",
    "effective_from": "2026-01-01", "statements": [PASSAGE],
}  # fmt: skip


def refused(*paths, command="load_policies"):
    with pytest.raises(CommandError) as error:
        call_command(command, *map(str, paths), stdout=StringIO())
    assert (queries.documents(), queries.registry()) == ((), {})
    assert str(error.value).endswith(" Nothing was loaded.") or "\nNothing was loaded." in str(error.value)
    return str(error.value)


def test_a_folder_without_policies_is_no_success(tmp_path):
    (tmp_path / "notes.txt").write_text("Nothing here.")

    assert "no .md or .json found" in refused(tmp_path)


def test_a_key_that_nobody_registered_is_named_with_its_line_and_the_ways_to_register_it(tmp_path):
    file = tmp_path / "hire.json"
    file.write_text(json.dumps(BODY, indent=1))

    told = refused(file)

    assert "hire.json: line 11: The key 'hire_period::tent' is not in the registry." in told
    assert "load_keys" in told
    assert "--register-keys" in told


def test_a_slip_in_the_name_of_a_field_is_refused(tmp_path):
    file = tmp_path / "hire.json"
    file.write_text(json.dumps({**BODY, "effective_untill": "2026-06-01"}))

    assert "effective_untill: There is no field 'effective_untill'. Did you mean effective_until?" in refused(file)


@pytest.mark.parametrize("command", ["load_policies", "load_keys"])
def test_nan_is_no_json(tmp_path, command):
    file = tmp_path / "keys.json"
    file.write_text('{"keys": [{"key": "a::b", "question_canonical": "?", "examples": NaN}]}')

    assert "NaN is no JSON" in refused(file, command=command)


def test_a_passage_of_five_million_letters_is_too_long(tmp_path):
    file = tmp_path / "hire.json"
    file.write_text(json.dumps({**BODY, "statements": [{**PASSAGE, "text": "x" * 5_000_000}]}))

    assert "statements[0].text: The text is too long: at most 65,536" in refused(file)


@pytest.mark.parametrize("name", ["../../etc/x", ".", "a/./b"])
def test_a_name_to_which_no_address_leads_is_refused(tmp_path, name):
    file = tmp_path / "hire.json"
    key = {"key": "hire_period::tent", "question_canonical": "For how long is a tent hired?"}
    file.write_text(json.dumps({"keys": [key], "policies": [{**BODY, "doc_id": name}]}))

    assert "doc_id: A name or a part of one cannot be . or .." in refused(file)
