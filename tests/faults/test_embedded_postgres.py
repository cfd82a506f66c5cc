"""Whatever the last process left behind, the embedded database starts, and what was committed is there."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from console.database.accounts import server_account
from console.database.binaries import find_binaries
from console.database.embedded import Cluster, DatabaseNotStarted


@pytest.fixture
def home(open_path):
    return open_path / "database"


@pytest.fixture
def cluster(home):
    cluster = Cluster(home, find_binaries(os.environ.get("POSTGRES_BIN")), server_account())
    yield cluster
    cluster.stop()


def remember(cluster: Cluster, *values: int) -> None:
    with psycopg.connect(cluster.conninfo()) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (value int)")
        for value in values:
            connection.execute("INSERT INTO kept VALUES (%s)", [value])


def remembered(cluster: Cluster) -> list[int]:
    with psycopg.connect(cluster.conninfo()) as connection:
        return [value for (value,) in connection.execute("SELECT value FROM kept ORDER BY value")]


def server_process(cluster: Cluster) -> int:
    pid = cluster.running_pid()
    assert pid is not None
    return pid


def write_pid_file(cluster: Cluster, content: str) -> None:
    path = cluster.data / "postmaster.pid"
    path.write_text(content)
    os.chown(path, cluster.account.uid, cluster.account.gid)


def show(cluster: Cluster, setting: str) -> str:
    with psycopg.connect(cluster.conninfo()) as connection:
        return connection.execute("SELECT current_setting(%s)", [setting]).fetchone()[0]


def test_a_first_start_makes_a_private_checksummed_server_in_utc(cluster):
    assert cluster.start() is True

    assert show(cluster, "listen_addresses") == ""
    assert show(cluster, "data_checksums") == "on"
    assert show(cluster, "server_encoding") == "UTF8"
    assert show(cluster, "timezone") == "UTC"
    assert cluster.socket_directory.stat().st_mode & 0o077 == 0
    assert cluster.data.stat().st_mode & 0o077 == 0


def test_the_server_never_runs_as_root(cluster):
    cluster.start()

    assert Path(f"/proc/{server_process(cluster)}").stat().st_uid == cluster.account.uid
    assert cluster.account.uid != 0


def test_starting_a_running_server_changes_nothing(cluster):
    cluster.start()
    before = server_process(cluster)

    assert cluster.start() is False
    assert server_process(cluster) == before


def test_stopping_keeps_the_data(cluster):
    cluster.start()
    remember(cluster, 1)

    assert cluster.stop() is True
    assert cluster.stop() is False
    assert cluster.start() is True
    assert remembered(cluster) == [1]


def test_an_unused_server_is_stopped_and_a_used_one_is_not(cluster):
    cluster.start()

    with psycopg.connect(cluster.conninfo()):
        assert cluster.stop_when_unused() is False
    time.sleep(0.2)  # the session above takes a moment to end

    assert cluster.stop_when_unused() is True
    assert cluster.running_pid() is None


def test_a_killed_server_starts_again_with_everything_committed(cluster):
    cluster.start()
    remember(cluster, 1, 2, 3)
    os.kill(server_process(cluster), signal.SIGKILL)

    assert cluster.start() is True
    assert remembered(cluster) == [1, 2, 3]


def test_a_server_killed_while_it_is_written_to_keeps_every_acknowledged_row(cluster):
    cluster.start()
    remember(cluster)
    acknowledged = []
    with psycopg.connect(cluster.conninfo(), autocommit=True) as connection:
        for value in range(2000):
            if value == 1500:
                os.kill(server_process(cluster), signal.SIGKILL)
            try:
                connection.execute("INSERT INTO kept VALUES (%s)", [value])
            except psycopg.OperationalError:
                break
            acknowledged.append(value)

    assert cluster.start() is True
    assert set(acknowledged) <= set(remembered(cluster))


@pytest.mark.parametrize("content", ["", "garbage\n", "-1\n", "999999999999\n", "\0\0\0\0"], ids=repr)
def test_a_garbled_pid_file_does_not_keep_the_server_from_starting(cluster, content):
    cluster.start()
    remember(cluster, 1)
    cluster.stop()
    write_pid_file(cluster, content)

    assert cluster.start() is True
    assert remembered(cluster) == [1]


def test_a_pid_file_of_a_dead_process_does_not_keep_the_server_from_starting(cluster):
    cluster.start()
    cluster.stop()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    write_pid_file(cluster, f"{ended.pid}\n{cluster.data}\n")

    assert cluster.start() is True


@pytest.mark.parametrize("whose", ["server's own account", "this process's account"])
def test_a_pid_file_that_names_a_living_stranger_does_not_keep_the_server_from_starting(cluster, whose):
    cluster.start()
    remember(cluster, 1)
    cluster.stop()
    identity = cluster.account.identity() if whose == "server's own account" else {}
    with subprocess.Popen(["/bin/sleep", "60"], **identity) as stranger:
        try:
            write_pid_file(cluster, f"{stranger.pid}\n{cluster.data}\n")

            assert cluster.start() is True
            assert stranger.poll() is None, "the stranger was left alone"
        finally:
            stranger.kill()
    assert remembered(cluster) == [1]


def test_stop_leaves_a_stranger_alone_that_a_stale_pid_file_names(cluster):
    cluster.start()
    cluster.stop()
    with subprocess.Popen(["/bin/sleep", "60"]) as stranger:
        write_pid_file(cluster, f"{stranger.pid}\n{cluster.data}\n")

        assert cluster.stop() is False
        assert stranger.poll() is None
        stranger.kill()


def test_two_starts_at_once_make_one_server(home):
    twins = [Cluster(home, find_binaries(os.environ.get("POSTGRES_BIN")), server_account()) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        started = list(pool.map(Cluster.start, twins))

    assert sorted(started) == [False, False, False, True]
    assert twins[0].answers()
    twins[0].stop()


def test_two_processes_that_start_at_once_share_one_server(home):
    program = (
        "import os, sys; from pathlib import Path\n"
        "from console.database.accounts import server_account\n"
        "from console.database.binaries import find_binaries\n"
        "from console.database.embedded import Cluster\n"
        "cluster = Cluster(Path(sys.argv[1]), find_binaries(os.environ.get('POSTGRES_BIN')), server_account())\n"
        "print(cluster.start(), cluster.running_pid())\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", program, str(home)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [process.communicate(timeout=60)[0].split() for process in processes]

    assert sorted(started for started, _pid in answers) == ["False", "False", "True"]
    assert len({pid for _started, pid in answers}) == 1
    assert Cluster(home, find_binaries(os.environ.get("POSTGRES_BIN")), server_account()).stop()


@pytest.mark.parametrize("name", ["with space", "quote'and\"quote", "comma,dollar$HOME", "ümlaut", "long" * 30])
def test_any_path_will_do(home, name):
    cluster = Cluster(home / name, find_binaries(os.environ.get("POSTGRES_BIN")), server_account())
    home.mkdir(mode=0o755)

    assert cluster.start() is True
    assert cluster.stop() is True


def test_a_set_up_that_was_interrupted_is_begun_again(cluster, home):
    (home / "data.new").mkdir(parents=True)
    (home / "data.new" / "half").write_text("written")

    assert cluster.start() is True


def test_data_of_another_version_is_refused_with_the_remedy(cluster):
    cluster.start()
    cluster.stop()
    (cluster.data / "PG_VERSION").write_text("12\n")

    with pytest.raises(DatabaseNotStarted, match="set POSTGRES_BIN"):
        cluster.start()


def test_another_account_of_this_machine_is_not_let_in(cluster):
    if os.geteuid() != 0:
        pytest.skip("only root can act as another account")
    cluster.start()
    psql = cluster.binaries / "psql"
    command = [str(psql), "-h", str(cluster.socket_directory), "-U", "countersign_admin", "-c", "SELECT 1", "postgres"]

    intruder = subprocess.run(command, user="nobody", cwd="/", capture_output=True, text=True, check=False)

    assert intruder.returncode != 0
