"""Create the sample people."""

from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand
from django.db import transaction

SAMPLE_PASSWORD = "countersign-demo"  # noqa: S105 - printed by `make run`; never created elsewhere
PEOPLE = {
    "agent": ("agent", "Ada", "Moreau"),
    "agent2": ("agent", "Ben", "Okafor"),
    "owner": ("policy_owner", "Clara", "Lindqvist"),
    "manager": ("manager", "Diego", "Ferreira"),
    "admin": ("administrator", "Eve", "Novak"),
}


class Command(BaseCommand):
    help = "Create the groups, and one sample person per group (two agents), with a known password. Existing ones stay."
    requires_system_checks = ()

    def handle(self, *_args: object, **_options: object) -> None:
        create_people()


@transaction.atomic
def create_people(password: str = SAMPLE_PASSWORD) -> None:
    """Create what is missing of the groups and the sample people."""
    for name, (group, first, last) in PEOPLE.items():
        Group.objects.get_or_create(name=group)
        if not User.objects.filter(username=name).exists():
            User.objects.create_user(
                name, email=f"{name}@countersign.example", password=password, first_name=first, last_name=last
            )
        User.objects.get(username=name).groups.add(Group.objects.get(name=group))
