import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from drafts.decisions.scanning import LineRefused, scan_line

NOW = datetime(2026, 3, 10, 10, 0, tzinfo=UTC)
ZONE = ZoneInfo("UTC")


def scanned(**row):
    return scan_line(json.dumps(row), now=NOW, zone=ZONE).as_json()


def test_a_line_gives_its_claims_and_findings_in_the_published_shape():
    row = scanned(
        id="a", text="We will call you today.", ticket={"status": "open", "callback_at": "2026-03-10T15:00:00Z"}
    )

    assert row["id"] == "a"
    assert [(c["class"], c["sub"], c["tier"], c["verdict"], c["text"]) for c in row["claims"]] == [
        ("ACTION", "contact", "claim", "SUPPORTED", "We will call you"),
        ("TIMING", "date", "claim", "SUPPORTED", "today"),
    ]
    assert row["claims"][1]["latest"] == "2026-03-10T23:59:59Z"


def test_the_lines_own_moment_and_zone_go_before_the_given_ones():
    row = scanned(text="We will call you today.", now="2026-01-05T12:00:00Z", timezone="America/New_York")

    assert row["claims"][1]["latest"] == "2026-01-06T04:59:59Z"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"text": "Your order is fine\u202e."}, "hidden_characters"),
        ({"text": "Dear customer, <b>hello</b>."}, "markup_in_draft"),
        (
            {"text": "Which day?", "selected_version": "V2", "missing_fields": ["received_on"]},
            "selected_version_despite_missing_field",
        ),
    ],
)
def test_faults_of_the_output_are_found_without_a_database(row, code):
    assert code in [finding["code"] for finding in scanned(**row)["findings"]]


@pytest.mark.parametrize(
    "line",
    [
        "", "no json", "[]", "3", "{}", '{"text": 3}', '{"text": "x", "ticket": []}', '{"text": "x", "now": "soon"}',
        '{"text": "x", "timezone": "Mars/Base"}', '{"text": "x", "timezone": "../x"}', "[" * 100_000,
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_scanned_says_why(line):
    with pytest.raises(LineRefused):
        scan_line(line, now=NOW, zone=ZONE)


@pytest.fixture
def drafts(tmp_path):
    path = tmp_path / "drafts.jsonl"
    path.write_bytes(b'{"id": 1, "text": "We have refunded you\\u0000."}\nbroken\xff\n\n{"id": 2, "text": "Hello."}\n')
    return str(path)


def test_the_command_writes_one_line_for_each_line_even_a_broken_one(drafts, capsys):
    call_command("scan", drafts, format="json", now=NOW)

    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["id"], len(row["claims"]), "error" in row) for row in rows] == [
        (1, 1, False),
        (None, 0, True),
        (2, 0, False),
    ]


def test_the_command_prints_a_table_for_people(drafts, capsys):
    call_command("scan", drafts, now=NOW)

    printed = capsys.readouterr().out
    assert "STATUS   UNSUPPORTED" in printed
    assert "line 2: not read" in printed


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="nowhere"):
        call_command("scan", str(tmp_path / "nowhere"))
