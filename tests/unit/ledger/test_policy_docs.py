"""The examples in docs/policies.md are files that can be read, and its tables name every field."""

import re
from pathlib import Path

import pytest

from ledger.decisions.fields import KEY_FIELDS, VERSION_FIELDS
from ledger.decisions.policy_files import read_file

TEXT = (Path(__file__).parents[3] / "docs" / "policies.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```(markdown|json)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("language", "example"), EXAMPLES)
def test_an_example_can_be_read(language, example):
    bundle = read_file("a.md" if language == "markdown" else "a.json", example)

    assert all(version.statements for version in bundle.versions)
    assert bundle.versions


def test_every_field_is_described():
    told = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)

    assert sorted(told) == sorted([*(field for field in VERSION_FIELDS if field != "body"), *KEY_FIELDS])
    assert len(EXAMPLES) == 3
