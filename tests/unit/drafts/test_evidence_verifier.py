"""The verifier that is handed out: it finds every change, and knows nothing of this product."""

import ast
import base64
import hashlib
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from drafts.evidence_verifier import verify_evidence
from drafts.evidence_verifier.verify_evidence import ORDER, examine, is_signed
from ledger.decisions.chain import Head
from tests import evidence_help as packs

PROGRAM = Path(verify_evidence.__file__)
SYSTEM_PYTHONS = [path for path in ("/usr/bin/python3", sys.executable) if Path(path).exists()]
VECTORS = (  # RFC 8032, section 7.1: public key, message, signature
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
            "655141438e7a100b"
        ),
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
            "b00d291612bb0c00"
        ),
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
            "c027beceea1ec40a"
        ),
    ),
)
SMALL_ORDER = ("01" + "00" * 31, "ec" + "ff" * 30 + "7f", "00" * 32, "00" * 31 + "80")
NOT_CANONICAL = ("ee" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f", "ff" * 32, "01" + "00" * 30 + "80")


def broken(data, **more):
    return examine(data, **more).broken


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS, ids=["empty", "one-byte", "two-bytes"])
def test_the_published_vectors_of_ed25519_are_told_apart_from_any_other_message(key, message, signature):
    key, message, signature = (bytes.fromhex(text) for text in (key, message, signature))

    assert is_signed(key, message, signature)
    assert not is_signed(key, message + b"x", signature)


@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=200), bit=st.integers(0, 511))
def test_signatures_are_judged_as_the_library_judges_them(seed, message, bit):
    private = Ed25519PrivateKey.from_private_bytes(seed)
    key, signature = private.public_key().public_bytes_raw(), private.sign(message)
    changed = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")

    assert is_signed(key, message, signature)
    for candidate in (changed, signature[:63], signature + b"\x00"):
        with pytest.raises((InvalidSignature, ValueError)):
            Ed25519PublicKey.from_public_bytes(key).verify(candidate, message)
        assert not is_signed(key, message, candidate)


def test_a_signature_has_no_second_form():
    signature = packs.KEY.sign(b"x")
    s = int.from_bytes(signature[32:], "little") + ORDER

    assert not is_signed(packs.public(), b"x", signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.parametrize("key", [*SMALL_ORDER, *NOT_CANONICAL, "", "00" * 31, "02" + "00" * 31])
def test_a_key_that_signs_anything_or_is_none_is_refused(key):
    for signature in (bytes(64), bytes([1]) + bytes(63), bytes.fromhex(SMALL_ORDER[0]) + bytes(32)):
        assert not is_signed(bytes.fromhex(key), b"x", signature)


@pytest.mark.parametrize("write", [packs.packed, packs.documented], ids=["json", "html"])
def test_an_untouched_pack_holds(write):
    report = examine(write(packs.everything()), wanted=packs.public().hex())

    assert report.broken == []
    assert report.unproven


def test_a_change_of_any_single_byte_is_found_in_json():
    data = packs.packed(packs.records(packs.chained()))

    for place in range(len(data)):
        changed = bytes([*data[:place], data[place] ^ 1 << place % 8, *data[place + 1 :]])
        assert broken(changed), (place, data[place : place + 20])


def test_a_change_of_any_single_byte_is_found_in_html():
    data = packs.documented(packs.records(packs.chained()))
    frame = {*range(200), *range(len(data) - 300, len(data))}

    for place in sorted(frame | {*range(0, len(data), 11)}):
        changed = bytes([*data[:place], data[place] ^ 1 << place % 8, *data[place + 1 :]])
        assert broken(changed), (place, data[place : place + 20])


@pytest.mark.parametrize("write", [packs.packed, packs.documented], ids=["json", "html"])
def test_changes_by_seed_are_found_in_a_pack_that_holds_everything(write):
    chance, data = random.Random(31), write(packs.everything("“Quoted” <b>text</b> \u202e and more"))

    for _ in range(400):
        place, other = chance.randrange(len(data)), chance.randrange(1, 256)
        changed = (
            bytes([*data[:place], data[place] ^ other, *data[place + 1 :]]),
            data[:place] + bytes([other]) + data[place:],
            data[:place] + data[place + 1 + chance.randrange(50) :],
            data[: place - len(data)],
        )
        assert all(broken(one) for one in changed if one != data), place


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda d: d + b"\n", id="line-appended"),
        pytest.param(lambda d: d + b" ", id="space-appended"),
        pytest.param(lambda d: b"\xef\xbb\xbf" + d, id="byte-order-mark"),
        pytest.param(lambda d: d[:-1], id="last-line-feed-gone"),
        pytest.param(lambda d: d[:-1] + b"\r\n", id="other-line-end"),
        pytest.param(lambda d: b" " + d, id="space-before"),
        pytest.param(lambda d: d.replace(b'","', b'", "', 1), id="white-space"),
        pytest.param(lambda d: d.replace(b"How long?", b"How\\u0020long?"), id="escaped-otherwise"),
        pytest.param(lambda d: d.replace(b'"made":', b'"m\\u0061de":'), id="member-escaped"),
        pytest.param(lambda d: d.replace(b'"through_desk":false', b'"through_desk":0'), id="false-for-zero"),
        pytest.param(lambda d: d.replace(b'"position":1', b'"position":1.0'), id="a-float"),
        pytest.param(lambda d: d.replace(b'"position":1', b'"position":1e0'), id="an-exponent"),
        pytest.param(lambda d: d.replace(b'{"content":', b'{"content":1,"content":'), id="a-member-twice"),
        pytest.param(lambda d: d.replace(b'"format":', b'"formal":1,"format":'), id="a-member-more"),
        pytest.param(lambda d: d.decode().encode("utf-16"), id="utf-16"),
        pytest.param(lambda d: d.decode().upper().encode(), id="upper-case"),
        pytest.param(lambda _: b"", id="nothing"),
        pytest.param(lambda _: b"<", id="a-beginning"),
        pytest.param(lambda _: b"[" * 100_000, id="deep"),
        pytest.param(lambda _: b"null\n", id="null"),
        pytest.param(lambda _: b"{}\n", id="empty"),
        pytest.param(lambda _: b"NaN\n", id="nan"),
    ],
)
def test_a_file_that_reads_the_same_and_is_not_the_same_is_refused(change):
    data = packs.packed()

    assert broken(data) == []
    assert broken(change(data))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda d: d + b"\n", id="line-appended"),
        pytest.param(lambda d: d + b"<script>alert(1)</script>", id="script-appended"),
        pytest.param(lambda d: b"<script>alert(1)</script>\n" + d, id="script-before"),
        pytest.param(lambda d: d[:-1], id="last-line-feed-gone"),
        pytest.param(lambda d: d.replace(b"\n", b"\r\n"), id="other-line-ends"),
        pytest.param(lambda d: d + d[d.rindex(b"<!--") :], id="signature-twice"),
        pytest.param(lambda d: d[: d.rindex(b"<!--")], id="no-signature"),
        pytest.param(lambda d: d[d.rindex(b"<!--") :], id="signature-alone"),
        pytest.param(lambda d: d.replace(b"within 14 days", b"within 24 days"), id="a-word"),
        pytest.param(lambda d: d.replace(b"signature ", b"signature  "), id="space-in-the-last-line"),
    ],
)
def test_a_document_with_anything_added_or_taken_away_is_refused(change):
    data = packs.documented()

    assert broken(data) == []
    assert broken(change(data))


def test_a_pack_signed_with_another_key_is_known_by_the_key_that_was_named():
    forged = packs.packed(key=packs.OTHER_KEY)

    assert broken(forged) == []
    assert broken(forged, wanted=packs.public().hex()) == [
        "The pack is signed with another key than the one you named."
    ]
    assert broken(forged, wanted=hashlib.sha256(packs.public(packs.OTHER_KEY)).hexdigest()) == []


def test_a_document_around_a_pack_of_another_key_is_refused():
    made, other = packs.making(), packs.making(packs.OTHER_KEY)
    data = packs.document(
        packs.records(), made, packs.pack(packs.records(), other, packs.OTHER_KEY.sign), packs.KEY.sign
    )

    assert broken(data) == ["The document and the pack in it are signed with different keys."]


def in_content(change):
    return lambda told: change(told["content"])


def raised(content, name, value):
    content["entries"][0]["columns"][name] = value


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(lambda c: raised(c, "answer_text", "30 days."), "differs from the hashed bytes", id="column"),
        pytest.param(lambda c: c["entries"].pop(0), "does not follow", id="first-entry-gone"),
        pytest.param(lambda c: c["entries"].pop(), "head names", id="newest-entry-gone"),
        pytest.param(lambda c: c["entries"].reverse(), "does not follow", id="order"),
        pytest.param(lambda c: c["entries"][0].update(entry_hash="00" * 32), "hash does not follow", id="hash"),
        pytest.param(lambda c: c["entries"][0].update(position=2), "does not follow", id="position"),
        pytest.param(lambda c: c.update(conversation_id="another"), "does not follow", id="conversation"),
        pytest.param(lambda c: c["head"].update(position=9), "head names", id="head"),
        pytest.param(lambda c: c["corrections"][0].update(new_text="x"), "new_text is not", id="correction"),
        pytest.param(lambda c: c["corrections"][0].update(owner="x"), "owner is not", id="owner-of-correction"),
        pytest.param(lambda c: c["corrections"][0].update(entry_id="x"), "has no entry", id="correction-of-nothing"),
        pytest.param(lambda c: c.update(entries=None), "not in the form", id="no-entries"),
        pytest.param(lambda c: c["entries"][0].pop("columns"), "not in the form", id="no-columns"),
        pytest.param(lambda c: c["entries"][0].update(payload_base64="!"), "not in the form", id="no-base64"),
        pytest.param(lambda c: c.update(not_covered=[1]), "names other entries", id="not-covered"),
        pytest.param(lambda c: c.update(checkpoints=[]), "names other entries", id="checkpoint-gone"),
        pytest.param(
            lambda c: c["checkpoints"][0].update(note=c["checkpoints"][0]["note"].replace("number 7", "number 8")),
            "does not bear the signature", id="checkpoint",
        ),
        pytest.param(
            lambda c: c["checkpoints"][0]["inclusions"][0]["path"].pop(), "does not cover", id="shorter-path"
        ),
        pytest.param(
            lambda c: c["checkpoints"][0]["inclusions"][0].update(number=0), "does not cover", id="another-place"
        ),
    ],
)  # fmt: skip
def test_what_its_own_maker_changed_before_signing_is_found(change, told):
    forged = packs.signed_again(packs.packed(packs.everything()), in_content(change))

    assert told in " ".join(broken(forged))


def test_a_passage_that_is_not_the_recorded_one_is_found():
    source = {**packs.said(1, b"")["answer_source"], "passage": "Within 30 days."}

    assert "the passage is not the one" in " ".join(
        broken(packs.packed(packs.records(packs.chained({"answer_source": source}))))
    )


def test_a_chain_that_was_computed_anew_fails_against_the_checkpoint_kept_outside():
    true, forged = packs.chained({}, {}), packs.chained({"answer_text": "Within 30 days."}, {})
    kept = packs.sealed(true)
    head = Head(2, forged[-1].entry_hash)
    with_old_proof = packs.records(forged, head=head, checkpoints=(kept,))
    sealed_anew = packs.records(forged, head=head, checkpoints=(packs.sealed(forged),))

    assert broken(packs.packed(packs.records(true, checkpoints=(kept,))), kept=kept.note.encode()) == []
    assert "does not cover ledger entry 1" in " ".join(broken(packs.packed(with_old_proof)))
    assert "reads otherwise" in " ".join(broken(packs.packed(sealed_anew), kept=kept.note.encode()))


def test_a_checkpoint_that_the_pack_is_not_tied_to_proves_nothing():
    rows = packs.chained({})
    kept = packs.sealed(rows).note.encode()

    assert "not tied to checkpoint 7" in " ".join(broken(packs.packed(packs.records(rows)), kept=kept))


def test_a_kept_checkpoint_that_covers_no_entry_ties_the_pack_to_nothing():
    rows = packs.chained({}, {})
    early, later = packs.sealed((), before=4), packs.sealed(rows)
    pack = packs.packed(packs.records(rows, checkpoints=(early, later)))

    report = examine(pack, kept=early.note.encode())

    assert len(report.broken) == 1
    assert "Your checkpoint covers none of these entries: the pack is not tied to it." in report.broken[0]
    assert any("covers none of these entries." in line for line in report.holds)
    assert not any("very checkpoint that you keep" in line for line in report.holds)
    assert broken(pack, kept=later.note.encode()) == []
    assert broken(pack) == []


def test_a_kept_checkpoint_that_covers_some_entries_vouches_for_those_alone():
    rows = packs.chained({}, {}, {})
    seal = packs.sealed(rows[:2])

    report = examine(packs.packed(packs.records(rows, checkpoints=(seal,))), kept=seal.note.encode())

    assert report.broken == []
    assert "of these entries only 1, 2 stood in the ledger when it was sealed." in " ".join(report.holds)
    assert any("entry 3 was not written anew: no checkpoint covers it." in line for line in report.unproven)


def test_a_kept_checkpoint_whose_way_is_broken_vouches_for_nothing():
    rows = packs.chained({})
    seal = packs.sealed(rows)
    wrong = replace(seal, inclusions=(replace(seal.inclusions[0], path=()),))

    report = examine(packs.packed(packs.records(rows, checkpoints=(wrong,))), kept=seal.note.encode())

    assert "does not cover ledger entry 1" in " ".join(report.broken)
    assert not any("very checkpoint that you keep" in line for line in report.holds)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, ("bytes: 1 entry without a gap.", "covers entry 1.", "keep: it stood")),
        (2, ("bytes: 2 entries without a gap.", "covers the entries 1, 2.", "keep: they stood")),
    ],
)
def test_one_entry_and_several_are_told_in_proper_words(number, expected):
    rows = packs.chained(*[{}] * number)
    seal = packs.sealed(rows)

    told = " ".join(examine(packs.packed(packs.records(rows, checkpoints=(seal,))), kept=seal.note.encode()).holds)

    for words in expected:
        assert words in told


def test_entries_that_no_checkpoint_covers_are_named():
    rows = packs.chained({}, {}, {})
    seal = packs.sealed(rows[:2])

    report = examine(packs.packed(packs.records(rows, checkpoints=(seal,))))

    assert report.broken == []
    assert any("entry 3 was not written anew: no checkpoint covers it." in line for line in report.unproven)


@pytest.mark.parametrize("around", [(0, 0), (0, 1), (1, 0), (5, 3), (62, 130), (64, 0)])
def test_the_way_to_the_root_is_followed_in_trees_of_any_size(around):
    rows = packs.chained({}, {}, {})
    seal = packs.sealed(rows, before=around[0], after=around[1])

    assert broken(packs.packed(packs.records(rows, checkpoints=(seal,)))) == []


def test_a_document_that_shows_another_text_than_its_pack_is_found_although_it_is_signed():
    shown, told = (
        packs.records(),
        packs.records(transcript=(replace(packs.records().transcript[0], text="How short?"),)),
    )
    data = packs.document(shown, packs.making(), packs.pack(told, packs.making(), packs.KEY.sign), packs.KEY.sign)

    assert "shows another text" in " ".join(broken(data))


def test_a_document_that_leaves_out_a_text_is_found_although_it_is_signed():
    told = packs.records()
    shown = replace(told, transcript=())
    data = packs.document(shown, packs.making(), packs.pack(told, packs.making(), packs.KEY.sign), packs.KEY.sign)

    assert "leaves out a text" in " ".join(broken(data))


HOSTILE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)


@given(text=HOSTILE)
def test_whatever_people_write_is_shown_so_that_it_can_be_read_back_to_the_letter(text):
    report = examine(packs.documented(packs.everything(f"{text}!")))

    assert report.broken == []


def test_the_pack_inside_a_document_is_the_very_file_that_json_gives():
    data = packs.documented()

    inside = base64.b64decode(data.split(b'<template id="evidence-pack">')[1].split(b"</template>")[0])

    assert inside == packs.packed()


def test_the_program_is_one_file_for_old_pythons_that_imports_nothing_but_the_standard_library():
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"), feature_version=(3, 9))

    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names
    assert not imported & {"socket", "urllib", "urllib.request", "http.client", "subprocess"}


def run(python, folder, *arguments):
    program = folder / "verify_evidence.py"
    program.write_bytes(PROGRAM.read_bytes())
    return subprocess.run(
        [python, "-I", "-B", program, *arguments], cwd=folder, env={}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("python", SYSTEM_PYTHONS)
def test_it_runs_on_another_python_in_an_empty_folder_without_an_environment(tmp_path, python):
    rows = packs.chained({})
    seal = packs.sealed(rows)
    good, bad, note = tmp_path / "pack.html", tmp_path / "bad.json", tmp_path / "note"
    good.write_bytes(packs.documented(packs.records(rows, checkpoints=(seal,))))
    bad.write_bytes(packs.packed().replace(b"14 days", b"24 days"))
    note.write_text(seal.note, encoding="utf-8")
    fingerprint = hashlib.sha256(packs.public()).hexdigest()

    held = run(python, tmp_path, good, "--key", fingerprint.upper(), "--checkpoint", note)
    unnamed, refused = run(python, tmp_path, good), run(python, tmp_path, bad)
    missing, no_file = run(python, tmp_path, tmp_path / "nothing"), run(python, tmp_path)

    assert (held.returncode, held.stderr) == (0, "")
    assert "Everything that can be checked holds." in held.stdout
    assert "the very checkpoint that you keep" in held.stdout
    assert "Not proven by this:" in held.stdout
    assert "Whose key that is, the pack cannot say" not in held.stdout
    assert "Whose key that is, the pack cannot say" in unnamed.stdout
    assert (refused.returncode, missing.returncode, no_file.returncode) == (1, 2, 2)
    assert "DOES NOT HOLD" in refused.stdout
    assert "Traceback" not in refused.stderr + missing.stderr
