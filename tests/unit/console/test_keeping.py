from concurrent.futures import ThreadPoolExecutor
from itertools import count

from console.keeping import keep_once


def test_a_text_is_made_once(tmp_path):
    numbers = count()
    path = tmp_path / "deeper" / "kept"

    assert [keep_once(path, lambda: str(next(numbers))) for _ in range(3)] == ["0", "0", "0"]


def test_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "kept"
    keep_once(path, lambda: "secret")

    assert path.stat().st_mode & 0o077 == 0


def test_many_at_once_agree(tmp_path):
    numbers = count()
    with ThreadPoolExecutor(8) as pool:
        kept = set(pool.map(lambda _: keep_once(tmp_path / "kept", lambda: str(next(numbers))), range(64)))

    assert len(kept) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
