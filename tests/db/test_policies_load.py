"""Loading keys and policies from files on the command line."""

import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from ledger import queries
from tests.db.ledger_help import own

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def terms():
    """A file's content: a document of its own with a key that nobody has registered."""
    return {
        "keys": [
            {"key": "hire_period::pump", "question_canonical": "And the pump?", "parent": "hire_period::tent",
             "boundary": "The pump goes with the tent."},
            {"key": "hire_period::tent", "question_canonical": "For how long is a tent hired?"},
        ],
        "policies": [{
            "doc_id": own("d"), "version": "H1", "channels": ["chat"], "deciding_date": "collected_on",
            "effective_from": "2026-01-01",
            "statements": [
                {"question_key": "hire_period::tent", "section": "1", "text": "A tent is hired for 5 days."},
                {"question_key": "hire_price::tent", "section": "2", "text": "A tent costs 30 euros."},
            ],
        }],
    }  # fmt: skip


def written(folder, content, name="terms.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def load(*paths, **options):
    out = StringIO()
    call_command("load_policies", *map(str, paths), stdout=out, **options)
    return [line.split() for line in out.getvalue().splitlines()]


def test_keys_and_versions_are_loaded_once(tmp_path, terms):
    path = written(tmp_path, terms)
    name = f"{terms['policies'][0]['doc_id']}/H1"

    first, second = load(path), load(path)

    assert first == [
        ["created", "key", "hire_period::tent"], ["created", "key", "hire_period::pump"],
        ["created", "key", "hire_price::tent"], ["created", "version", name],
    ]  # fmt: skip
    assert {outcome for outcome, *_ in second} == {"unchanged"}
    assert queries.registry()["hire_price::tent"].deciding_facts == ("collected_on",)


def test_a_dry_run_says_what_would_change_and_changes_nothing(tmp_path, terms):
    lines = load(written(tmp_path, terms), dry_run=True)

    assert lines[0] == ["created", "key", "hire_period::tent"]
    assert queries.registry() == {}


def test_a_folder_is_loaded_whole_or_not_at_all(tmp_path, terms):
    written(tmp_path, terms)
    doc_id = terms["policies"][0]["doc_id"]
    later = f"---\ndoc_id: {doc_id}\nversion: H2\nchannels: [chat]\ndeciding_date: collected_on\n"
    passage = "## 1 {#hire_period::tent}\nA tent is hired for 7 days.\n"
    written(tmp_path, f"{later}effective_from: 2026-01-01\n---\n{passage}", "z.md")

    with pytest.raises(CommandError, match=r"z\.md.*H2 overlaps H1"):
        load(tmp_path)
    assert queries.registry() == {}

    written(tmp_path, f"{later}effective_from: 2026-07-01\n---\n{passage}", "z.md")
    assert load(tmp_path)[-1] == ["created", "version", f"{doc_id}/H2", "ends", "H1", "on", "2026-07-01"]


def test_versions_are_published_in_a_persons_name(tmp_path, terms):
    User.objects.create(username="olga")

    load(written(tmp_path, terms), user="olga")

    assert queries.documents()[0].versions[0].published_by == "olga"


def test_changes_can_be_read_as_json_lines(tmp_path, terms):
    out = StringIO()

    call_command("load_policies", str(written(tmp_path, terms)), format="json", stdout=out)

    assert {json.loads(line)["outcome"] for line in out.getvalue().splitlines()} == {"created"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "no JSON"),
        ('{"policies": [{"doc_id": "d", "version": "1"}]}', "deciding_date"),
        ('{"keys": [{"key": "Tent", "question_canonical": "?"}]}', "key"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_place(tmp_path, content, words):
    with pytest.raises(CommandError, match=f"terms.json.*{words}"):
        load(written(tmp_path, content))


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(CommandError, match="no file or folder"):
        load(tmp_path / "none.json")
    with pytest.raises(CommandError, match="No active person"):
        load(written(tmp_path, {"keys": [{"key": "a::b", "question_canonical": "?"}]}), user="nobody")
    (tmp_path / "latin.json").write_bytes(b"\xe9")
    with pytest.raises(CommandError, match="not UTF-8"):
        load(tmp_path / "latin.json")
