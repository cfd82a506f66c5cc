"""A program that fills an installation with items that can be approved.

usage: python -m tests.faults.filling COUNT
"""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()

from tests import builders


def main() -> None:
    for _ in range(int(sys.argv[1])):
        builders.answerable_item()


if __name__ == "__main__":
    main()
