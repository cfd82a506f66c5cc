"""`manage.py drift`: the published JSON, the table for people, the spreadsheet, and what it says to a bad file."""

import csv
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.unit.drafts.drifting.threads import FOUR_ANSWERS, PASSAGES

POLICY = """---
doc_id: policy
version: v4
title: Repairs
kind: own_policy
channels: [chat]
deciding_date: service_on
effective_from: 2025-01-01
status: active
---
## 2.1 {#warranty_duration::repair}

Repairs carry a one-year warranty.
"""


def as_line(transcript):
    messages = [{"role": turn.role, "text": turn.text} for turn in transcript.turns]
    return json.dumps({"conversation_id": transcript.conversation_id, "messages": messages})


@pytest.fixture
def archive(tmp_path):
    file = tmp_path / "archive.jsonl"
    file.write_text(as_line(FOUR_ANSWERS) + "\nbroken\n")
    return file


def test_json_has_the_published_shape(archive, capsys):
    call_command("drift", str(archive), format="json")

    report = json.loads(capsys.readouterr().out)
    (row,) = report.pop("rows")
    assert report == {
        "conversations": 1,
        "asked_three_or_more": 1,
        "two_answers_or_more": 1,
        "three_answers_or_more": 1,
        "broken": [{"line": 2, "why": report["broken"][0]["why"]}],
    }
    assert row["conversation_id"] == "conv_four"
    assert (row["question_key"], row["times_asked"]) == ("warranty_duration", 4)
    assert row["distinct_answers"] == ["12 months", "24 months", "a lifetime"]
    assert row["evidence"][0] == {"turn": 1, "text": FOUR_ANSWERS.turns[1].text, "answer": "12 months"}
    assert row["documents"] == []


def test_the_table_lays_the_sentences_side_by_side_and_counts(archive, capsys):
    call_command("drift", str(archive))

    shown = capsys.readouterr().out
    assert "conv_four  warranty_duration: asked 4 times, 3 answers" in shown
    assert "  24 months\n    message   3: Your repair is covered for 24 months." in shown
    assert "1 conversation read.\n1 has a question that was asked three times" in shown
    assert "line 2: This is not valid JSON" in shown


def test_policy_files_tell_which_document_states_an_answer(archive, tmp_path, capsys):
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "policy.md").write_text(POLICY)

    call_command("drift", str(archive), format="json", policies=[tmp_path / "policies"])

    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["documents"] == [{"answer": "12 months", "doc_id": "policy", "version": "v4", "section": "2.1"}]
    assert PASSAGES[0].text in POLICY


def test_the_spreadsheet_has_a_line_for_each_sentence_and_no_formula(tmp_path, capsys):
    file, out = tmp_path / "archive.csv", tmp_path / "out.csv"
    with file.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["conversation_id", "role", "text"])
        writer.writerows(["=1+1", turn.role, turn.text] for turn in FOUR_ANSWERS.turns)

    call_command("drift", str(file), csv=out)

    rows = list(csv.reader(out.read_text(encoding="utf-8-sig").splitlines()))
    assert "1 conversation read." in capsys.readouterr().out
    assert len(rows) == 5
    assert rows[1][:6] == ["'=1+1", "warranty_duration", "4", "3", "12 months", "1"]


@pytest.mark.parametrize(("content", "why"), [("", "empty"), ("\n\n", "empty")])
def test_an_empty_file_is_refused(tmp_path, content, why):
    (tmp_path / "empty.jsonl").write_text(content)

    with pytest.raises(CommandError, match=why):
        call_command("drift", str(tmp_path / "empty.jsonl"))


LINE = as_line(FOUR_ANSWERS)
RECORDS = "conversation_id,role,text\na,customer,Café?\n"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        pytest.param("a.jsonl", LINE.encode("utf-16"), "line 1: .*Send UTF-8", id="utf-16"),
        pytest.param("a.jsonl", LINE.replace("repair", "réparé").encode("latin-1") + b"\xe9", "UTF-8", id="latin-1"),
        pytest.param("a.jsonl", f"[{LINE}]".encode(), "line 1: A list begins here. Send JSON Lines", id="list"),
        pytest.param("a.jsonl", f"[\n{LINE},\nx\n]".encode(), "A list begins .* 3 more lines", id="long-list"),
        pytest.param("a.csv", b"a,customer,Hi\nb,agent,Ho\n", "The header lacks", id="no-header"),
        pytest.param(
            "a.csv", RECORDS.replace(",", ";").encode(), "semicolons; separate them by commas", id="semicolons"
        ),
        pytest.param("a.csv", RECORDS.encode("utf-16"), "may be UTF-16. Save it as UTF-8", id="csv-utf-16"),
        pytest.param("a.csv", RECORDS.encode("latin-1"), "line 2: .*not UTF-8", id="csv-latin-1"),
        pytest.param("a.csv", b"conversation_id,role,text\n", "no message that can be read", id="header-alone"),
    ],
)
def test_a_file_of_which_no_conversation_can_be_read_is_refused_with_the_reason(tmp_path, capsys, name, content, why):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(CommandError, match=why) as refused:
        call_command("drift", str(tmp_path / name), format="json")

    assert str(refused.value).startswith("No conversation could be read.")
    assert capsys.readouterr().out == ""


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("drift", str(tmp_path / "nowhere"))
    (tmp_path / "a.jsonl").write_text(as_line(FOUR_ANSWERS))
    with pytest.raises(CommandError, match="no file or folder"):
        call_command("drift", str(tmp_path / "a.jsonl"), policies=[tmp_path / "nowhere"])
