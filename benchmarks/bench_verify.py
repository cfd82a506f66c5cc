"""How fast a large ledger is sealed and verified, and how much memory that takes.

    DATA_DIR=/somewhere/new ENTRIES=1000000 python benchmarks/bench_verify.py

fills a new installation with so many entries (a hundred thousand unless ENTRIES says otherwise) and measures there.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import ROOT, table
from million import million

ENTRIES = int(os.environ.get("ENTRIES", "100000"))


def measured(*command: str) -> tuple[float, float, str]:
    """Run a command of manage.py in a process of its own; return its seconds, peak memory in MB and what it said."""
    code = "import resource, runpy, sys; sys.path.insert(0, '.'); sys.argv = sys.argv[1:]\n"
    code += "try:\n    runpy.run_path('manage.py', run_name='__main__')\nfinally:\n"
    code += "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    begun = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", code, "manage.py", *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return time.monotonic() - begun, int(ended.stderr.split()[-1]) / 1024, ended.stdout


def main() -> None:
    million(entries=ENTRIES, with_desk=False)
    idle, base, _ = measured("seal_ledger", "--help")
    rows = [("", "seconds", "entries/s", "peak MB")]
    for name, command in (
        ("seal everything", ("seal_ledger",)),
        ("seal again, nothing new", ("seal_ledger",)),
        ("verify everything", ("verify_ledger", "--format", "json")),
        ("verify one conversation", ("verify_ledger", "--conversation", "million-7", "--format", "json")),
    ):
        seconds, memory, said = measured(*command)
        checked = json.loads(said.splitlines()[-1])["entries"] if command[0] == "verify_ledger" else ENTRIES
        rows.append((name, f"{seconds:.1f}", f"{checked / seconds:,.0f}", f"{memory:.0f}"))
    table(f"{ENTRIES:,} entries (starting the program alone: {idle:.1f} s, {base:.0f} MB)", rows)
    print(f"  children of this process at most: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    if "DATA_DIR" in os.environ:
        main()
    else:
        with tempfile.TemporaryDirectory(prefix="countersign-bench-", ignore_cleanup_errors=True) as directory:
            Path(directory).chmod(0o755)
            os.environ["DATA_DIR"] = directory
            try:
                main()
            finally:
                subprocess.run([sys.executable, str(ROOT / "manage.py"), "database", "stop"], check=False)
