import os
from pathlib import Path

import pytest

from console.database.places import data_directory, embedded_cluster, place


@pytest.fixture
def data_dir(open_path):
    return open_path / "data"


def test_a_given_directory_holds_its_database(data_dir):
    assert embedded_cluster({"DATA_DIR": str(data_dir)}).home == data_dir / "database"


def test_the_database_moves_with_its_directory(data_dir, open_path):
    embedded_cluster({"DATA_DIR": str(data_dir)})
    data_dir.rename(open_path / "moved")

    assert embedded_cluster({"DATA_DIR": str(open_path / "moved")}).home == open_path / "moved" / "database"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's server runs as another account")
def test_where_roots_server_cannot_enter_it_gets_a_directory_of_its_own(data_dir, open_path):
    open_path.chmod(0o700)

    first = embedded_cluster({"DATA_DIR": str(data_dir)}).home
    again = embedded_cluster({"DATA_DIR": str(data_dir)}).home
    other = embedded_cluster({"DATA_DIR": str(open_path / "other")}).home
    for home in (first, other):
        home.rmdir()

    assert first == again
    assert first != other
    assert first.parent == Path("/var/lib/countersign")


def test_a_relative_directory_is_made_absolute():
    assert data_directory({"DATA_DIR": "somewhere"}) == Path.cwd() / "somewhere"


def test_migrations_act_as_the_owner_and_the_rest_as_the_run_time_log_in(data_dir):
    found = place({"DATA_DIR": str(data_dir)})

    assert found.owner["options"] == "-c role=countersign_owner"
    assert found.app["user"] == "countersign_web"
    assert "options" not in found.app
