"""The first bad entry is the one that was sealed first, and lists stay short."""

from ledger.decisions.chain import Layer, Problem
from ledger.decisions.findings import Findings


def problem(layer=Layer.CHAIN, talk="a", position=1, entry_id="a1", number=None):
    return Problem(layer, talk, position, entry_id, "wrong", number)


def test_problems_are_counted_and_so_many_listed():
    findings = Findings(most=2)

    listed = findings.take([problem(), problem(), problem()])

    assert (len(listed), findings.count, findings.unlisted) == (2, 3, 1)


def test_the_first_is_the_earliest_by_place_among_all():
    findings = Findings(most=9)
    late, early = problem(talk="a", position=1, entry_id="a1"), problem(talk="b", position=7, entry_id="b7")
    findings.take([late, problem(talk="a", position=2, entry_id="a2"), early])

    assert sorted(findings.entry_ids()) == ["a1", "b7"]
    assert findings.first({"a1": 50, "b7": 3}) == early
    assert findings.first({"a1": 50}) == late


def test_within_a_conversation_the_position_decides():
    findings = Findings(most=9)
    findings.take([problem(position=3, entry_id="a3"), problem(position=2, entry_id="a2")])

    assert findings.first({}).entry_id == "a2"


def test_what_names_an_entry_comes_before_what_does_not_and_sources_come_last():
    findings = Findings(most=9)
    source = problem(Layer.SOURCES, talk="s", entry_id="s1")
    head = problem(Layer.HEADS, talk="h", position=None, entry_id=None)
    whole = problem(Layer.CHECKPOINTS, talk=None, position=None, entry_id=None, number=4)
    findings.take([source])
    assert findings.first({"s1": 0}) == source

    findings.take([head])
    assert findings.first({"s1": 0}) == head

    findings.take([whole])
    assert findings.first({"s1": 0}) == whole

    named = problem(Layer.LEAVES, talk="n", entry_id="n1", number=70)
    findings.take([named])
    assert findings.first({"s1": 0}) == named


def test_a_missing_number_comes_before_the_range_between_two_checkpoints():
    findings = Findings(most=9)
    gap = problem(Layer.LEAVES, talk=None, position=None, entry_id=None, number=21)
    between = problem(Layer.CHECKPOINTS, talk=None, position=None, entry_id=None, number=20)
    findings.take([problem(Layer.HEADS, talk="h", position=None, entry_id=None), between, gap, between])

    assert findings.first({}) == gap

    named = problem(talk="n", entry_id="n1")
    findings.take([named])
    assert findings.first({"n1": 20}) == named
    assert findings.first({"n1": 22}) == gap


def test_nothing_found_is_nothing_first():
    assert Findings(most=9).first({}) is None
