"""A program that fills an installation with items that can be approved.

usage: python -m tests.faults.filling COUNT
"""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()

from django.contrib.auth.models import User

from tests import builders


def main() -> None:
    builders.return_policy(User.objects.get(username="owner"))
    for _ in range(int(sys.argv[1])):
        builders.item()


if __name__ == "__main__":
    main()
