"""The tree against the definition in RFC 6962, written down here as it stands there, and proofs against forgeries."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.decisions import merkle
from ledger.decisions.merkle import NotInTheTree, Tree


def naive_root(leaves):
    """MTH of RFC 6962, 2.1."""
    if len(leaves) < 2:
        return hashlib.sha256(b"\x00" + leaves[0]).digest() if leaves else hashlib.sha256(b"").digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + naive_root(leaves[:k]) + naive_root(leaves[k:])).digest()


def naive_path(m, leaves):
    """PATH of RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return [*naive_path(m, leaves[:k]), naive_root(leaves[k:])]
    return [*naive_path(m - k, leaves[k:]), naive_root(leaves[:k])]


def naive_subproof(m, leaves, whole):
    """SUBPROOF of RFC 6962, 2.1.2."""
    if m == len(leaves):
        return [] if whole else [naive_root(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*naive_subproof(m, leaves[:k], whole), naive_root(leaves[k:])]
    return [*naive_subproof(m - k, leaves[k:], False), naive_root(leaves[:k])]


def numbered(count):
    return [hashlib.sha256(str(number).encode()).digest() for number in range(count)]


def hashes(ranges, leaves):
    found = merkle.hashes_of(ranges, leaves)
    return [found[one] for one in ranges]


@pytest.mark.parametrize("count", range(34))
def test_the_root_is_that_of_the_definition(count):
    assert merkle.root_of(numbered(count)) == naive_root(numbered(count))


def test_known_roots_of_the_certificate_transparency_test_data():
    leaves = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243")]

    assert merkle.root_of([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert merkle.root_of(leaves[:1]).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert merkle.root_of(leaves[:2]).hex() == "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
    assert merkle.root_of(leaves[:3]).hex() == "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"


@given(st.integers(1, 120), st.integers(0, 60))
def test_a_tree_goes_on_from_its_edge(size, more):
    leaves = numbered(size + more)
    begun = Tree()
    for data in leaves[:size]:
        begun.add(data)

    continued = Tree(begun.size, begun.edge)
    for data in leaves[size:]:
        continued.add(data)

    assert (continued.size, continued.root()) == (size + more, naive_root(leaves))


@pytest.mark.parametrize(("size", "edge"), [(-1, []), (1, []), (3, [b"1" * 32]), (0, [b"1" * 32])])
def test_an_edge_that_does_not_fit_its_size_is_refused(size, edge):
    with pytest.raises(ValueError, match="no edge"):
        Tree(size, edge)


@pytest.mark.parametrize("size", range(1, 20))
def test_proofs_are_those_of_the_definition_and_hold(size):
    leaves = numbered(size)
    root = naive_root(leaves)

    for index in range(size):
        path = hashes(merkle.inclusion_ranges(index, size), leaves)
        assert path == naive_path(index, leaves)
        assert merkle.is_included(leaves[index], index, size, path, root)
    for older in range(1, size + 1):
        proof = hashes(merkle.consistency_ranges(older, size), leaves)
        assert proof == naive_subproof(older, leaves, True)
        assert merkle.is_extended(older, naive_root(leaves[:older]), size, root, proof)


@given(st.data())
def test_an_inclusion_proof_shows_nothing_else(data):
    size = data.draw(st.integers(2, 70))
    index, other = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1))
    leaves = numbered(size)
    root, path = naive_root(leaves), naive_path(index, leaves)
    changed = data.draw(st.integers(0, len(path) - 1))

    assert merkle.is_included(leaves[other], other, size, path, root) == (other == index)
    assert not merkle.is_included(b"another", index, size, path, root)
    assert not merkle.is_included(leaves[index], index, size, path[:-1], root)
    assert not merkle.is_included(leaves[index], index, size, [*path, root], root)
    assert not merkle.is_included(leaves[index], index, size, [*path[:changed], root, *path[changed + 1 :]], root)
    assert not merkle.is_included(leaves[index], -1, size, path, root)
    assert not merkle.is_included(leaves[index], size, size, path, root)


@given(st.data())
def test_a_consistency_proof_shows_no_tree_with_another_past(data):
    size = data.draw(st.integers(2, 70))
    older = data.draw(st.integers(1, size - 1))
    changed = data.draw(st.integers(0, older - 1))
    leaves = numbered(size)
    rewritten = [*leaves[:changed], b"another", *leaves[changed + 1 :]]
    proof = naive_subproof(older, leaves, True)
    forged = naive_subproof(older, rewritten, True)

    assert merkle.is_extended(older, naive_root(leaves[:older]), size, naive_root(leaves), proof)
    assert not merkle.is_extended(older, naive_root(leaves[:older]), size, naive_root(rewritten), proof)
    assert not merkle.is_extended(older, naive_root(leaves[:older]), size, naive_root(rewritten), forged)
    assert not merkle.is_extended(older, naive_root(leaves[:older]), size, naive_root(leaves), [*proof, proof[0]])


def test_equal_trees_extend_each_other_without_a_proof():
    root = naive_root(numbered(5))

    assert merkle.consistency_ranges(5, 5) == ()
    assert merkle.is_extended(5, root, 5, root, [])
    assert not merkle.is_extended(5, root, 5, naive_root(numbered(4)), [])
    assert not merkle.is_extended(6, root, 5, root, [])
    assert not merkle.is_extended(0, merkle.EMPTY_ROOT, 5, root, [])


def test_what_lies_outside_a_tree_has_no_proof():
    for ask in (
        lambda: merkle.inclusion_ranges(3, 3),
        lambda: merkle.inclusion_ranges(-1, 3),
        lambda: merkle.consistency_ranges(4, 3),
        lambda: merkle.consistency_ranges(0, 3),
        lambda: merkle.hashes_of([(4, 8)], numbered(7)),
    ):
        with pytest.raises(NotInTheTree):
            ask()


def test_a_leaf_cannot_pass_for_a_node():
    left, right = numbered(2)

    assert merkle.root_of([left, right]) != merkle.root_of([merkle.leaf_hash(left) + merkle.leaf_hash(right)])
