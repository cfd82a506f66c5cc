#!/bin/sh
# Create .venv where it is missing and install one locked list into it: environment.sh run.txt | dev.txt
set -eu
cd "$(dirname "$0")/.."

suits() {
    "$1" -c 'import sys; sys.exit(not (3, 12) <= sys.version_info < (3, 16))' 2>/dev/null
}

find_python() {
    wanted=$(cat .python-version)
    versions="${PYENV_ROOT:-$HOME/.pyenv}/versions"
    for candidate in "${PYTHON:-python3}" "python$wanted" "$versions/$wanted"*/bin/python3 \
        python3.15 python3.14 python3.13 python3.12 "$versions"/3.1[2-5]*/bin/python3; do
        if suits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "Countersign needs Python 3.12 or newer, and none was found: install it (Debian 13: apt-get install python3 python3-venv), or name one: make PYTHON=/path/to/python3." >&2
    exit 1
}

if ! suits .venv/bin/python; then
    python=$(find_python)
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$python cannot create environments because its venv module is missing: apt-get install python3-venv." >&2
        exit 1
    fi
    echo "Creating .venv with $("$python" --version) ..."
    "$python" -m venv --clear .venv
fi
echo "Installing the packages of .requirements/$1 ..."
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r ".requirements/$1"
