"""Loading keys and policies from files on the command line."""

import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from drafts.management.commands.load_policies import MOST_BYTES
from ledger import queries
from ledger.decisions.policy_files import read_file
from ledger.models import Conflict
from tests import builders
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


def printed(*paths, **options):
    """Load files, with keys that nobody registered, and return what was printed."""
    out = StringIO()
    call_command("load_policies", *map(str, paths), stdout=out, **{"register_keys": True, **options})
    return out.getvalue().splitlines()


def load(*paths, **options):
    """Load files, and return what became of each key and version, word by word."""
    return [line.split() for line in printed(*paths, **options) if not line.startswith(" ")]


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

    call_command("load_policies", str(written(tmp_path, terms)), register_keys=True, format="json", stdout=out)

    assert {json.loads(line)["outcome"] for line in out.getvalue().splitlines()} == {"created"}


MARKDOWN = """---
doc_id: {doc_id}
version: {version}
channels: [chat]
deciding_date: collected_on
effective_from: {begin}
---
# Hire terms

## 1 {{#hire_period::tent}}

A tent is hired for {days} days.
"""


def markdown(folder, doc_id, *, version="H2", begin="2026-07-01", days=7):
    """A later version of the document, as people keep it under review."""
    return written(folder, MARKDOWN.format(doc_id=doc_id, version=version, begin=begin, days=days), f"{version}.md")


def test_a_dry_run_of_a_version_without_passages_changes_nothing_either(tmp_path, terms):
    terms["policies"][0]["statements"] = []
    load(written(tmp_path, {"policies": terms["policies"]}), dry_run=True)

    assert queries.document(terms["policies"][0]["doc_id"]) is None


def test_a_dry_run_tells_the_change_in_words(tmp_path, terms):
    doc_id = terms["policies"][0]["doc_id"]
    load(written(tmp_path, terms))

    lines = printed(markdown(tmp_path, doc_id), dry_run=True)

    assert lines == [
        f"created    version  {doc_id}/H2 ends H1 on 2026-07-01",
        "           follows H1",
        "           effective_from: 2026-01-01 -> 2026-07-01",
        "           hire_period::tent: the passage changes: 5 days / 7 days",
        "           hire_price::tent: no longer answered",
        "Nothing was changed: this was a dry run.",
    ]
    assert queries.versions_of([doc_id])[0].effective_until is None


def test_a_dry_run_says_which_conflicts_would_open_and_opens_none(tmp_path, terms):
    load(written(tmp_path, terms))
    rival = {**terms["policies"][0], "doc_id": own("leaflet"), "version": "L1"}
    path = written(tmp_path, rival, "leaflet.json")

    lines = printed(path, dry_run=True)

    assert "opened     conflict hire_period::tent on chat" in "\n".join(lines)
    assert f"hire_period::tent is also answered by {terms['policies'][0]['doc_id']}/H1" in "\n".join(lines)
    assert not Conflict.objects.exists()
    load(path)
    assert set(Conflict.objects.values_list("question_key", "found_by")) == {
        ("hire_period::tent", "publishing"), ("hire_price::tent", "publishing"),
    }  # fmt: skip


def test_versions_that_compete_on_several_channels_are_one_matter_until_one_of_them_is_settled(tmp_path, terms):
    both = [
        {**terms["policies"][0], "channels": ["mail", "chat"], "statements": terms["policies"][0]["statements"][:1]}
    ]
    rival = {**both[0], "doc_id": own("leaflet"), "version": "L1"}
    load(written(tmp_path, {**terms, "policies": both}), written(tmp_path, rival, "leaflet.json"))
    opened = list(Conflict.objects.values_list("channel", "state"))

    load(written(tmp_path, {**rival, "channels": ["mail"]}, "leaflet.json"))

    assert opened == [("chat", "open")]
    assert set(Conflict.objects.values_list("channel", "state")) == {("chat", "obsolete"), ("mail", "open")}


def test_open_drafts_of_the_touched_keys_are_analysed_again(tmp_path, terms):
    load(written(tmp_path, terms))
    item = builders.item(
        "A tent is hired for 7 days.",
        question="hire_period::tent",
        channel="chat",
        facts={"collected_on": "2026-08-01"},
    )
    assert item.analysis["router"]["version"] == "H1"

    load(markdown(tmp_path, terms["policies"][0]["doc_id"]))

    item.refresh_from_db()
    assert item.analysis["router"]["version"] == "H2"


def test_markdown_brings_the_whole_text_and_is_written_out_again_to_the_letter(tmp_path, terms):
    doc_id = terms["policies"][0]["doc_id"]
    load(written(tmp_path, terms))
    path = markdown(tmp_path, doc_id)
    load(path)
    stored = queries.versions_of([doc_id])
    out = StringIO()

    call_command("export_policies", str(tmp_path / "out"), document=[doc_id], stdout=out)

    files = sorted((tmp_path / "out").iterdir())
    assert [str(file) for file in files] == out.getvalue().splitlines()
    assert stored[1].body == path.read_text().split("---\n", 2)[2]
    assert {outcome for outcome, *_ in load(*files)} == {"unchanged"}
    assert queries.versions_of([doc_id]) == stored


def test_versions_whose_names_differ_in_signs_alone_get_files_of_their_own(tmp_path, terms):
    names = ("1/2", "1-2", "1:2")
    for place, name in enumerate(names, start=1):
        body = {**terms["policies"][0], "version": name, "effective_from": f"2026-0{place}-01"}
        load(written(tmp_path, {**terms, "policies": [body]}))

    call_command("export_policies", str(tmp_path / "out"), stdout=StringIO())

    files = [read_file(file.name, file.read_text()) for file in (tmp_path / "out").iterdir()]
    assert {bundle.versions[0].version for bundle in files} == set(names)


def test_a_document_that_is_not_there_is_not_written(tmp_path):
    with pytest.raises(CommandError, match="no document 'nothing'"):
        call_command("export_policies", str(tmp_path / "out"), document=["nothing"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        pytest.param({"begin": "2026-01-01"}, "H2 overlaps H1", id="overlap"),
        pytest.param({"begin": ""}, "effective_from", id="no-date"),
        pytest.param({"begin": "2026-07-01\neffective_until: 2026-07-01"}, "effective_until: line 7: .*after",
                     id="until-before-from"),
        pytest.param({"begin": "2026-07-01\nversion: H3"}, "line 7: the field version has a value already", id="twice"),
        pytest.param({"begin": "2026-07-01", "version": "H2\u200b"}, "version: .*cannot be seen",
                     id="hidden-character"),
        pytest.param({"begin": "2026-07-01\nnonsense"}, "line 7: write one", id="broken-front-matter"),
        pytest.param({"days": "7 {#x}\n\n## 2 {#hire_period::tent}\n\n8"}, "at most one statement", id="key-twice"),
        pytest.param({"days": "7\n\n## 2 {#nobody::knows}\n\n8"}, "'nobody::knows' is not in the registry",
                     id="unknown-key"),
    ],
)  # fmt: skip
def test_a_refused_file_names_the_place_and_nothing_of_any_file_is_kept(tmp_path, terms, broken, words):
    doc_id = terms["policies"][0]["doc_id"]
    load(written(tmp_path, terms))
    markdown(tmp_path, doc_id, version="A-good-one", begin="2026-03-01")
    markdown(tmp_path, doc_id, **broken)

    with pytest.raises(CommandError, match=rf"(?s)H2.?\.md.*{words}.*Nothing was loaded"):
        load(tmp_path, register_keys=False)

    assert [version.version for version in queries.versions_of([doc_id])] == ["H1"]


def test_a_huge_file_and_one_that_is_no_utf_8_are_refused_with_their_names(tmp_path):
    (tmp_path / "huge.json").write_bytes(b" " * (MOST_BYTES + 1))
    (tmp_path / "latin.md").write_bytes(b"---\ntitle: R\xe9sum\xe9\n")

    with pytest.raises(CommandError, match=r"huge\.json.*at most"):
        load(tmp_path / "huge.json")
    with pytest.raises(CommandError, match=r"latin\.md: line 2: .*not UTF-8"):
        load(tmp_path / "latin.md")


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
