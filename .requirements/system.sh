#!/bin/sh
# Install a Debian package where the program it brings is missing: system.sh PACKAGE PROGRAM
set -eu
package=$1
program=$2

if command -v "$program" >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "The tests need $program, which is missing: install it (Debian: apt-get install $package)." >&2
    exit 1
fi
echo "Installing Debian's $package ..."
apt-get update -qq </dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "$package" </dev/null >/dev/null
